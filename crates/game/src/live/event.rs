//! The events of a game.

use std::time::Duration;

use chess::{Color, Move, Outcome};

use super::{End, Entered, Moment, Offer};

/// An event of a game, with all that a store has to write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A move is played.
    Played(Played),
    /// Moves are taken back.
    TookBack(TookBack),
    /// An offer is made, or the offer is gone.
    Offered(Option<Offer>),
    /// The game ends other than by a move.
    Ended(Ended),
    /// A side has set or cancelled its premove.
    Premoved {
        /// The side.
        by: Color,
        /// The premove.
        premove: Option<Premove>,
    },
    /// A side's premove is illegal and is dropped.
    PremoveFailed {
        /// The side.
        by: Color,
    },
    /// A side offers a rematch.
    RematchOffered {
        /// The side.
        by: Color,
    },
    /// The offer of a rematch is declined or withdrawn.
    RematchDeclined,
    /// Both sides want a rematch; [`LiveGame::rematch`](super::LiveGame::rematch) creates it.
    RematchAgreed,
}

impl Event {
    /// Whether a store has to write it before it is broadcast. The others are lost with the
    /// process.
    pub const fn is_stored(&self) -> bool {
        match self {
            Self::Played(_)
            | Self::TookBack(_)
            | Self::Offered(_)
            | Self::Ended(_)
            | Self::RematchAgreed => true,
            Self::Premoved { .. }
            | Self::PremoveFailed { .. }
            | Self::RematchOffered { .. }
            | Self::RematchDeclined => false,
        }
    }
}

/// A move waiting for the other side's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Premove {
    /// The number of plies played before it.
    pub ply: usize,
    /// The move.
    pub entered: Entered,
}

/// A played move and the state of the game after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    /// The side that moves.
    pub by: Color,
    /// The move, legal in the position before.
    pub m: Move,
    /// How long it took.
    pub thought: Duration,
    /// The mover's time left, in a timed game.
    pub left: Option<Duration>,
    /// When the other side's clock started.
    pub running_since: Option<Moment>,
    /// The offer that remains pending.
    pub offer: Option<Offer>,
    /// The outcome, if the move ends the game.
    pub outcome: Option<Outcome>,
    /// Whether it was a premove.
    pub premove: bool,
}

/// Moves that are taken back. The game becomes unrated, and any offer is gone.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct TookBack {
    /// The number of plies.
    pub plies: usize,
    /// When the clock of the side to move started.
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
