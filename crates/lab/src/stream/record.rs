//! A position for the trainer: 32 bytes, from the side to move's point of view.

use chess::{Bitboard, Color, Position, Role, Setup, Square};

/// A position in 32 bytes; `docs/data.md` describes them.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Record([u8; Self::LEN]);

/// The most pieces a record has room for; games have no more.
const MOST: u32 = 32;

impl Record {
    /// Bytes of a record.
    pub const LEN: usize = 32;

    /// The board, score and ply of a position; `None` if there are too many pieces. The score is
    /// for the side to move.
    #[inline]
    pub fn new(position: &Position, score: i16, ply: u16) -> Option<Self> {
        let us = position.turn();
        let occupied = position.occupied();
        let count = occupied.count();
        if count > MOST {
            return None;
        }
        let (seen, flip) = match us {
            Color::White => (occupied, 0),
            Color::Black => (occupied.flip(), 56),
        };
        let mut nibbles = 0_u128;
        for (i, square) in seen.into_iter().enumerate() {
            let square = Square::from_index(square.index() ^ flip);
            let piece = position.piece_on(square).expect("the square is taken");
            let theirs = usize::from(piece.color() != us) << 3;
            nibbles |= ((piece.role().index() | theirs) as u128) << (4 * i);
        }
        let mut bytes = [0; Self::LEN];
        bytes[..8].copy_from_slice(&seen.0.to_le_bytes());
        bytes[8..24].copy_from_slice(&nibbles.to_le_bytes());
        bytes[24..26].copy_from_slice(&score.to_le_bytes());
        bytes[29] = count as u8;
        bytes[30..].copy_from_slice(&ply.to_le_bytes());
        Some(Self(bytes))
    }

    /// Adds what is known at the end of the game: the target for the side to move, 0 to 1, and the
    /// result: 0 lost, 1 drawn, 2 won.
    #[inline]
    pub fn conclude(&mut self, chance: f32, result: u8) {
        let chance = (chance * 65_535.0).round() as u16;
        self.0[26..28].copy_from_slice(&chance.to_le_bytes());
        self.0[28] = result;
    }

    /// A record of its bytes.
    pub const fn from_bytes(bytes: [u8; Self::LEN]) -> Self {
        Self(bytes)
    }

    /// The position, with White to move and without castling rights; `None` if it is none with a legal move.
    pub fn position(&self) -> Option<Position> {
        let (occupied, rest) = self.0.split_first_chunk()?;
        let nibbles = u128::from_le_bytes(*rest.first_chunk()?);
        let occupied = Bitboard(u64::from_le_bytes(*occupied));
        let mut setup = Setup::EMPTY;
        for (i, square) in occupied.into_iter().enumerate().take(MOST as usize) {
            let nibble = (nibbles >> (4 * i)) as usize & 15;
            let color = if nibble & 8 == 0 { Color::White } else { Color::Black };
            let role = *Role::ALL.get(nibble & 7)?;
            setup.board[square.index()] = Some(role.of(color));
        }
        Position::try_from(&setup).ok().filter(Position::has_legal_move)
    }

    /// The bytes.
    pub const fn as_bytes(&self) -> &[u8; Self::LEN] {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_seen_from_the_side_to_move() {
        let black: Position = "4k3/p7/8/8/8/8/8/R3K3 b - - 0 7".parse().expect("a legal FEN");
        let mut record = Record::new(&black, -250, 13).expect("few pieces");
        record.conclude(0.25, 0);
        let mirrored: Position = "r3k3/8/8/8/8/8/P7/4K3 w - - 0 7".parse().expect("a legal FEN");
        let mut same = Record::new(&mirrored, -250, 13).expect("few pieces");
        same.conclude(0.25, 0);
        assert_eq!(record, same);
        let bytes = record.as_bytes();
        // King e1, pawn a2, rook a8, king e8; ours are king and pawn.
        assert_eq!(bytes[..8], [0x10, 0x01, 0, 0, 0, 0, 0, 0x11]);
        assert_eq!(bytes[8..11], [0x05, 0xDB, 0]);
        assert_eq!(bytes[24..], [6, 255, 0, 64, 0, 4, 13, 0]);
        let seen = record.position().expect("legal");
        assert_eq!(seen.to_string(), "r3k3/8/8/8/8/8/P7/4K3 w - - 0 1");
        assert_eq!(Record::from_bytes([255; 32]).position(), None);
    }
}
