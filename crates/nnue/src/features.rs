//! Maps pieces on squares to inputs of the network.

use chess::{Color, Piece, Square};

use crate::shape::{BOARD, BUCKETS};

/// A side's view of the board: rotated so that it plays upwards, mirrored so that its king is on
/// the files a to d, with the inputs of the king's bucket.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct View {
    color: Color,
    /// XOR mask for square indices.
    turn: u8,
    bucket: u8,
}

impl View {
    /// The view of a side with its king on a square.
    #[inline]
    pub const fn new(color: Color, king: Square) -> Self {
        let upwards = match color {
            Color::White => 0,
            Color::Black => 56,
        };
        let mirror = if king.index() & 4 == 0 { 0 } else { 7 };
        let turn = upwards ^ mirror;
        let seen = king.index() ^ turn as usize;
        Self { color, turn, bucket: BUCKETS[seen / 8][seen % 8] }
    }

    /// The input of a piece on a square.
    #[inline]
    pub const fn input(self, piece: Piece, square: Square) -> usize {
        let theirs = (piece.color() as usize ^ self.color as usize) * 6;
        let kind = theirs + piece.role().index();
        self.bucket as usize * BOARD + kind * 64 + (square.index() ^ self.turn as usize)
    }

    /// The index of a view among those of a side: 0 to [`View::COUNT`] - 1.
    #[inline]
    pub(crate) const fn index(self) -> usize {
        self.bucket as usize * 2 + (self.turn & 1) as usize
    }

    /// Number of views per side.
    pub(crate) const COUNT: usize = crate::shape::KING_BUCKETS * 2;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::INPUTS;

    #[test]
    fn every_piece_on_every_square_is_an_input_of_its_own() {
        for color in Color::ALL {
            for king in Square::all() {
                let view = View::new(color, king);
                let mut inputs: Vec<usize> = Piece::ALL
                    .iter()
                    .flat_map(|&piece| Square::all().map(move |square| view.input(piece, square)))
                    .collect();
                inputs.sort_unstable();
                inputs.dedup();
                assert_eq!(inputs.len(), BOARD);
                assert!(inputs.iter().all(|&input| input < INPUTS));
                assert!(inputs[BOARD - 1] - inputs[0] == BOARD - 1, "one bucket");
            }
        }
    }

    #[test]
    fn both_sides_and_both_wings_see_the_same() {
        let white = View::new(Color::White, Square::B1);
        let black = View::new(Color::Black, Square::G8);
        assert_eq!(
            white.input(Piece::WhitePawn, Square::A2),
            black.input(Piece::BlackPawn, Square::H7)
        );
        assert_eq!(
            white.input(Piece::BlackQueen, Square::D8),
            black.input(Piece::WhiteQueen, Square::E1)
        );
        assert_ne!(
            white.input(Piece::WhitePawn, Square::A2),
            white.input(Piece::BlackPawn, Square::A2)
        );
    }
}
