//! A 16-byte entry of a Polyglot book: key, move, weight and an unused number.

use chess::{Move, Position, Role, Square, UciMove};

/// The length of an entry in bytes.
pub(super) const SIZE: usize = 16;

/// The promotion roles, by their code in the format, from 1.
const PROMOTIONS: [Role; 4] = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen];

/// One move of one position.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) key: u64,
    pub(super) code: u16,
    pub(super) weight: u16,
}

impl Entry {
    pub(super) fn read(bytes: &[u8; SIZE]) -> Self {
        let [k0, k1, k2, k3, k4, k5, k6, k7, m0, m1, w0, w1, ..] = *bytes;
        Self {
            key: u64::from_be_bytes([k0, k1, k2, k3, k4, k5, k6, k7]),
            code: u16::from_be_bytes([m0, m1]),
            weight: u16::from_be_bytes([w0, w1]),
        }
    }

    pub(super) fn write(self) -> [u8; SIZE] {
        let mut bytes = [0; SIZE];
        bytes[..8].copy_from_slice(&self.key.to_be_bytes());
        bytes[8..10].copy_from_slice(&self.code.to_be_bytes());
        bytes[10..12].copy_from_slice(&self.weight.to_be_bytes());
        // The last four bytes are for learning; most programs write zero.
        bytes
    }
}

/// The format's code of a move. Castling is king takes rook, like ours.
pub(super) fn encode(m: Move) -> u16 {
    let promotion = PROMOTIONS.iter().position(|&role| m.promotion() == Some(role));
    let code = promotion.map_or(0, |at| at + 1) << 12 | m.from().index() << 6 | m.to().index();
    code as u16
}

/// The legal move for a code in a position. A book may be damaged, and another position may have
/// the same key, so nothing in it is trusted.
pub(super) fn decode(code: u16, position: &Position) -> Option<Move> {
    let square = |shift: u32| Square::from_index(usize::from(code >> shift & 63));
    let promotion = match usize::from(code >> 12) {
        0 => None,
        at => Some(*PROMOTIONS.get(at - 1)?),
    };
    UciMove { from: square(6), to: square(0), promotion }.to_move(position)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_legal_move_survives_its_number() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "r3k2r/1P6/8/2pP4/8/8/6p1/R3K2R w KQkq c6 0 1",
            "r3k2r/1P6/8/8/8/8/6p1/R3K2R b KQkq - 0 1",
            "bqnbr1kr/pppppppp/8/8/8/8/PPPPPPPP/1R1K3R w HBhe - 0 1",
        ] {
            let position: Position = fen.parse().expect("a legal FEN");
            for m in position.legal_moves() {
                assert_eq!(decode(encode(m), &position), Some(m), "{fen}");
            }
        }
    }

    #[test]
    fn an_entry_has_its_bytes_in_the_order_of_the_format() {
        let entry = Entry { key: 0x0102_0304_0506_0708, code: 0x090a, weight: 0x0b0c };
        assert_eq!(entry.write(), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 0, 0, 0, 0]);
        assert_eq!(Entry::read(&entry.write()), entry);
    }
}
