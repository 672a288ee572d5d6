//! Move numbers, as people write them in a game: `14. Nf3` and `14... Qxe5`.

use std::fmt;

use crate::{Color, Position};

/// The number of a move and the side that plays it; written as `14.` or `14...`.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct MoveNumber {
    /// The number, from 1.
    pub number: u32,
    /// The side that plays the move.
    pub color: Color,
}

impl MoveNumber {
    /// The number as the moves of a line need it: before each move of White's, and before Black's
    /// where the line begins or goes on after an interruption (`fresh`).
    pub const fn in_line(self, fresh: bool) -> Option<Self> {
        if fresh || matches!(self.color, Color::White) { Some(self) } else { None }
    }
}

impl fmt::Display for MoveNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let dots = match self.color {
            Color::White => ".",
            Color::Black => "...",
        };
        write!(f, "{}{dots}", self.number)
    }
}

impl Position {
    /// The number of the move to be played here.
    pub const fn move_number(&self) -> MoveNumber {
        MoveNumber { number: self.fullmoves() as u32, color: self.turn() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn black_moves_are_numbered_with_dots_and_only_where_a_line_begins() {
        let number = Position::default().move_number();
        assert_eq!((number.to_string().as_str(), number.in_line(false)), ("1.", Some(number)));
        let fen = "4k3/8/8/8/8/8/8/4K2R b K - 0 30";
        let number = fen.parse::<Position>().expect("a legal position").move_number();
        assert_eq!(number.to_string(), "30...");
        assert_eq!((number.in_line(true), number.in_line(false)), (Some(number), None));
    }
}
