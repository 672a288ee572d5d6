//! Moves as numbers: the index among the legal moves, sorted by their 16 bits. The order of the
//! move generator doesn't matter, so it may change.

use chess::{Move, MoveList, Position};

/// In postings: the move's index doesn't fit in a byte. Only a board with more queens than a game can have
/// has that many moves.
pub(crate) const FAR: u8 = 254;
/// In postings: the game ends here.
pub(crate) const NONE: u8 = 255;

/// The index of a legal move.
#[inline]
pub(crate) fn index_of(position: &Position, m: Move) -> u16 {
    let bits = m.to_bits();
    // Filled in place: a list returned by value would be copied, 1.5 KB each time.
    let mut moves = MoveList::new();
    position.legal_moves_into(&mut moves);
    moves.iter().map(|other| u16::from(other.to_bits() < bits)).sum()
}

/// The legal move with an index.
#[inline]
pub(crate) fn move_at(position: &Position, index: u16) -> Option<Move> {
    let mut moves = MoveList::new();
    position.legal_moves_into(&mut moves);
    let index = usize::from(index);
    (index < moves.len()).then(|| *moves.select_nth_unstable(index).1)
}

/// An index as a byte of a posting.
pub(crate) const fn short(index: u16) -> u8 {
    if index < FAR as u16 { index as u8 } else { FAR }
}

/// Appends an index to the moves of a game: one byte, or 255 and two.
#[inline]
pub(crate) fn put_index(out: &mut Vec<u8>, index: u16) {
    if index < 255 {
        out.push(index as u8);
    } else {
        out.push(255);
        out.extend(index.to_be_bytes());
    }
}

/// The indices in the moves of a game.
pub(crate) struct Indices<'a>(pub(crate) &'a [u8]);

impl Iterator for Indices<'_> {
    type Item = u16;

    #[inline]
    fn next(&mut self) -> Option<u16> {
        match *self.0 {
            [255, high, low, ref rest @ ..] => {
                self.0 = rest;
                Some(u16::from_be_bytes([high, low]))
            }
            [index, ref rest @ ..] => {
                self.0 = rest;
                Some(u16::from(index))
            }
            [] => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_legal_move_has_its_own_index() {
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/P6k/8/8/8/8/p6K/8 w - - 0 1",
        ] {
            let position: Position = fen.parse().expect("a FEN");
            let moves = position.legal_moves();
            for &m in &moves {
                assert_eq!(move_at(&position, index_of(&position, m)), Some(m), "{fen}");
            }
            assert_eq!(move_at(&position, moves.len() as u16), None);
        }
    }

    #[test]
    fn large_indices_take_three_bytes() {
        let indices = [0, 1, 254, 255, 256, 735];
        let mut bytes = Vec::new();
        for index in indices {
            put_index(&mut bytes, index);
        }
        assert_eq!(bytes.len(), 3 + 3 * 3);
        assert_eq!(Indices(&bytes).collect::<Vec<_>>(), indices);
    }
}
