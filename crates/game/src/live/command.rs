//! What a player can ask for.

use std::fmt;

use chess::{Move, Position, SanError};

/// What a player asks for. [`LiveGame::judge`](super::LiveGame::judge) says what comes of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Plays a move. Sent twice, it is played once.
    Play {
        /// How many moves have been played before it, of both sides.
        ply: usize,
        /// The move.
        entered: Entered,
    },
    /// Has a move played as soon as the other side has moved, in no time. Replaces an earlier one.
    Premove {
        /// How many moves will have been played before it.
        ply: usize,
        /// The move.
        entered: Entered,
    },
    /// Withdraws the premove.
    CancelPremove,
    /// Offers a draw, or accepts the other side's offer.
    Draw,
    /// Asks for a takeback, or grants the other side's.
    TakeBack,
    /// Declines what the other side offers, or withdraws the own offer.
    Decline,
    /// Claims a draw by threefold repetition or the fifty-move rule.
    ClaimDraw,
    /// Claims that the time of the side to move is up.
    ClaimTime,
    /// Resigns.
    Resign,
    /// Calls the game off before both sides have moved.
    Abort,
    /// Asks for another game with the sides changed, or agrees to one.
    Rematch,
}

impl Command {
    /// Plays a move after so many.
    pub fn play(ply: usize, entered: impl Into<Entered>) -> Self {
        Self::Play { ply, entered: entered.into() }
    }

    /// Has a move played after so many.
    pub fn premove(ply: usize, entered: impl Into<Entered>) -> Self {
        Self::Premove { ply, entered: entered.into() }
    }
}

/// A move as it was entered. The position in which it is played says whether it is legal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entered {
    /// In UCI or algebraic notation.
    Text(String),
    /// As the board or the engine gives it.
    Move(Move),
}

impl Entered {
    /// The legal move that it means in a position.
    pub fn to_move(&self, position: &Position) -> Result<Move, SanError> {
        match self {
            Self::Move(m) => position.is_legal(*m).then_some(*m).ok_or(SanError::Illegal),
            Self::Text(text) => position.parse_move(text),
        }
    }
}

impl fmt::Display for Entered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => f.write_str(text),
            Self::Move(m) => write!(f, "{}{}", m.from(), m.to()),
        }
    }
}

impl From<&str> for Entered {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Entered {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<Move> for Entered {
    fn from(m: Move) -> Self {
        Self::Move(m)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_entered_in_any_notation() {
        let start = Position::default();
        let knight = start.parse_san("Nf3").expect("legal");
        for text in ["Nf3", "g1f3", "nf3", "Ng1-f3"] {
            assert_eq!(Entered::from(text).to_move(&start), Ok(knight), "{text}");
        }
        assert_eq!(Entered::from(knight).to_move(&start), Ok(knight));
        let after = start.after(knight);
        assert_eq!(Entered::from(knight).to_move(&after), Err(SanError::Illegal));
        assert_eq!(Entered::from("hello").to_move(&start), Err(SanError::Unreadable));
        assert_eq!(Entered::from(knight).to_string(), "g1f3");
    }
}
