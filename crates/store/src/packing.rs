//! Binary encoding of moves and clocks.

use chess::Move;

use crate::error::{Result, StoreError};

/// Two bytes per move, little-endian.
pub(crate) fn pack_moves(moves: impl IntoIterator<Item = Move>) -> Vec<u8> {
    moves.into_iter().flat_map(|m| m.to_bits().to_le_bytes()).collect()
}

/// Decodes moves. Only a board can tell whether they are legal.
pub(crate) fn unpack_moves(bytes: &[u8]) -> Result<Vec<Move>> {
    let (pairs, []) = bytes.as_chunks::<2>() else {
        return Err(StoreError::damaged("a truncated move"));
    };
    let moves = pairs.iter().map(|&pair| Move::from_bits(u16::from_le_bytes(pair)));
    moves.collect::<Option<_>>().ok_or_else(|| StoreError::damaged("an invalid move"))
}

/// Four bytes of milliseconds per move, little-endian.
pub(crate) fn pack_clocks(clocks: &[u32]) -> Vec<u8> {
    clocks.iter().flat_map(|clock| clock.to_le_bytes()).collect()
}

/// Decodes clocks.
pub(crate) fn unpack_clocks(bytes: &[u8]) -> Result<Vec<u32>> {
    let (fours, []) = bytes.as_chunks::<4>() else {
        return Err(StoreError::damaged("a truncated clock time"));
    };
    Ok(fours.iter().map(|&four| u32::from_le_bytes(four)).collect())
}

#[cfg(test)]
mod tests {
    use chess::{MoveKind, Square};
    use proptest::prelude::*;

    use super::*;

    fn any_move() -> impl Strategy<Value = Move> {
        (0usize..64, 0usize..64, any::<bool>()).prop_map(|(from, to, push)| {
            let kind = if push { MoveKind::DoublePush } else { MoveKind::Normal };
            Move::new(Square::from_index(from), Square::from_index(to), kind)
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn moves_survive_packing(moves in prop::collection::vec(any_move(), 0..300)) {
            let bytes = pack_moves(moves.iter().copied());
            prop_assert_eq!(bytes.len(), 2 * moves.len());
            prop_assert_eq!(unpack_moves(&bytes).expect("just packed"), moves);
        }

        #[test]
        fn clocks_survive_packing(clocks in prop::collection::vec(any::<u32>(), 0..300)) {
            let bytes = pack_clocks(&clocks);
            prop_assert_eq!(bytes.len(), 4 * clocks.len());
            prop_assert_eq!(unpack_clocks(&bytes).expect("just packed"), clocks);
        }

        #[test]
        fn any_bytes_are_moves_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..64)) {
            if let Ok(moves) = unpack_moves(&bytes) {
                prop_assert_eq!(pack_moves(moves), &bytes[..]);
            }
            prop_assert_eq!(unpack_clocks(&bytes).is_ok(), bytes.len() % 4 == 0);
        }
    }
}
