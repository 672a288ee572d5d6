//! What happens in a game.

use std::time::Duration;

use chess::{Color, Move, Outcome};

use super::{End, Entered, Moment, Offer};

/// What happens in a game. It holds all that a store has to write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A move is played.
    Played(Played),
    /// Moves are taken back.
    TookBack(TookBack),
    /// An offer is made, or there is none any more.
    Offered(Option<Offer>),
    /// The game ends other than by a move.
    Ended(Ended),
    /// A side has set its premove, or withdrawn it.
    Premoved {
        /// Which side.
        by: Color,
        /// The premove.
        premove: Option<Premove>,
    },
    /// The premove of a side can't be played, and is forgotten.
    PremoveFailed {
        /// Which side.
        by: Color,
    },
    /// A side asks for a rematch.
    RematchOffered {
        /// Which side.
        by: Color,
    },
    /// Both sides want a rematch: [`LiveGame::rematch`](super::LiveGame::rematch) is it.
    RematchAgreed,
}

impl Event {
    /// Whether a store has to write it before anybody is told. The others are lost with the process.
    pub const fn is_stored(&self) -> bool {
        match self {
            Self::Played(_)
            | Self::TookBack(_)
            | Self::Offered(_)
            | Self::Ended(_)
            | Self::RematchAgreed => true,
            Self::Premoved { .. } | Self::PremoveFailed { .. } | Self::RematchOffered { .. } => {
                false
            }
        }
    }
}

/// A move that waits for the other side's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Premove {
    /// How many moves are played before it.
    pub ply: usize,
    /// The move.
    pub entered: Entered,
}

/// A move that is played, and how the game stands then.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    /// Who moves.
    pub by: Color,
    /// The move, legal in the position before.
    pub m: Move,
    /// How long it took.
    pub thought: Duration,
    /// What the mover has left, in a game with clocks.
    pub left: Option<Duration>,
    /// Since when the other side's clock runs.
    pub running_since: Option<Moment>,
    /// The offer that still stands.
    pub offer: Option<Offer>,
    /// The end of the game, if the move brings it about.
    pub outcome: Option<Outcome>,
    /// Whether it was a premove.
    pub premove: bool,
}

/// Moves that are taken back. The game doesn't count for ratings any more, and no offer stands.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct TookBack {
    /// How many.
    pub plies: usize,
    /// Since when the clock of the side to move runs.
    pub running_since: Option<Moment>,
}

/// The end of a game other than by a move.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Ended {
    /// The end.
    pub end: End,
    /// How long the side to move had thought.
    pub thought: Duration,
}
