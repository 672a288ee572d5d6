//! The commands of a player.

use std::fmt;

use chess::{Move, Position, San, SanError, UciMove};

/// A player's command, judged by [`LiveGame::judge`](super::LiveGame::judge).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Plays a move. Sending it twice plays it once.
    Play {
        /// The number of plies played before it.
        ply: usize,
        /// The move.
        entered: Entered,
    },
    /// Sets a premove, played as soon as the other side has moved, in no time. Replaces an earlier
    /// one.
    Premove {
        /// The number of plies that will have been played before it.
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
    /// Declines the other side's offer, or withdraws your own; after the game, that of a rematch.
    Decline,
    /// Claims a draw by threefold repetition or the fifty-move rule.
    ClaimDraw,
    /// Claims that the flag of the side to move has fallen.
    ClaimTime,
    /// Resigns.
    Resign,
    /// Aborts the game before both sides have moved.
    Abort,
    /// Offers or accepts a rematch with sides swapped.
    Rematch,
}

impl Command {
    /// Plays a move at a ply.
    pub fn play(ply: usize, entered: impl Into<Entered>) -> Self {
        Self::Play { ply, entered: entered.into() }
    }

    /// Sets a premove at a ply.
    pub fn premove(ply: usize, entered: impl Into<Entered>) -> Self {
        Self::Premove { ply, entered: entered.into() }
    }
}

/// A move as entered, not yet checked for legality.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entered {
    /// In UCI notation or SAN.
    Text(String),
    /// From the board or the engine.
    Move(Move),
}

impl Entered {
    /// Whether it is written like a move, legal or not.
    pub fn is_move(&self) -> bool {
        match self {
            Self::Move(_) => true,
            Self::Text(text) => text.parse::<UciMove>().is_ok() || text.parse::<San>().is_ok(),
        }
    }

    /// The legal move it stands for in a position.
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
