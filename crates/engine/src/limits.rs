//! How long and how deep to think.

use std::time::Duration;

use chess::Color;

/// What ends an analysis besides a [`Stop`](crate::Stop). Whichever limit is met first counts;
/// without any the analysis goes on to the greatest depth.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Plies of iterative deepening.
    pub depth: Option<u32>,
    /// Positions visited, by all threads together.
    pub nodes: Option<u64>,
    /// The same, but an iteration that has begun is completed: no further one begins.
    pub soft_nodes: Option<u64>,
    /// Stop as soon as a mate in so many *moves* is proven.
    pub mate: Option<u32>,
    /// How much time there is.
    pub thinking: Thinking,
    /// Think on the opponent's time: the time limits don't hold until [`Stop::ponder_hit`](crate::Stop::ponder_hit).
    pub ponder: bool,
}

/// How much time there is.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum Thinking {
    /// Time is no limit.
    #[default]
    Unlimited,
    /// This long for this move.
    MoveTime(Duration),
    /// A game clock: the analyst divides the time itself.
    Clock(Clocks),
}

/// The clocks of a game.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Clocks {
    /// Time left to White and Black.
    pub remaining: [Duration; 2],
    /// Time each gets for a move.
    pub increment: [Duration; 2],
    /// Moves to the next time control, if there is one.
    pub moves_to_go: Option<u32>,
}

impl Clocks {
    /// Time left to a color.
    pub const fn remaining(&self, color: Color) -> Duration {
        self.remaining[color.index()]
    }

    /// Time a color gets for each move.
    pub const fn increment(&self, color: Color) -> Duration {
        self.increment[color.index()]
    }
}

impl Limits {
    /// No limit at all.
    pub const NONE: Self = Self {
        depth: None,
        nodes: None,
        soft_nodes: None,
        mate: None,
        thinking: Thinking::Unlimited,
        ponder: false,
    };

    /// A fixed depth.
    pub const fn depth(depth: u32) -> Self {
        Self { depth: Some(depth), ..Self::NONE }
    }

    /// A fixed number of nodes.
    pub const fn nodes(nodes: u64) -> Self {
        Self { nodes: Some(nodes), ..Self::NONE }
    }

    /// A fixed time.
    pub const fn move_time(time: Duration) -> Self {
        Self { thinking: Thinking::MoveTime(time), ..Self::NONE }
    }

    /// The clocks of a game.
    pub const fn clocks(clocks: Clocks) -> Self {
        Self { thinking: Thinking::Clock(clocks), ..Self::NONE }
    }
}
