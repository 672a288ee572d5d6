//! The board as a text diagram.

use crate::{File, Piece, Position, Rank, Square};

impl Position {
    /// The board as text, one rank per line, White at the bottom.
    pub fn diagram(&self) -> String {
        let mut text = String::new();
        for rank in Rank::ALL.into_iter().rev() {
            text.push(rank.digit());
            for file in File::ALL {
                text.push(' ');
                text.push(self.piece_on(Square::new(file, rank)).map_or('.', Piece::letter));
            }
            text.push('\n');
        }
        text.push_str("  a b c d e f g h\n");
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_board_has_white_at_the_bottom() {
        let text = Position::default().diagram();
        assert!(text.starts_with("8 r n b q k b n r\n"), "{text}");
        assert!(text.ends_with("1 R N B Q K B N R\n  a b c d e f g h\n"), "{text}");
    }
}
