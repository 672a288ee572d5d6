//! Limits of a search.

use std::time::Duration;

use chess::Color;

/// What ends an analysis besides a [`Stop`](crate::Stop). The first limit that is reached counts;
/// without any, the analysis runs to the maximum depth.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Plies of iterative deepening.
    pub depth: Option<u32>,
    /// Nodes searched by all threads together.
    pub nodes: Option<u64>,
    /// Soft node limit: the current iteration is completed, but no further one starts.
    pub soft_nodes: Option<u64>,
    /// Stop as soon as a mate in this many *moves* is proven.
    pub mate: Option<u32>,
    /// The time limit.
    pub thinking: Thinking,
    /// Think on the opponent's time: time limits apply only after
    /// [`Stop::ponder_hit`](crate::Stop::ponder_hit).
    pub ponder: bool,
}

/// The time limit.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum Thinking {
    /// No time limit.
    #[default]
    Unlimited,
    /// A fixed time for this move.
    MoveTime(Duration),
    /// A game clock: the analyst manages its time itself.
    Clock(Clocks),
}

/// The clocks of a game.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Clocks {
    /// Remaining time of White and Black.
    pub remaining: [Duration; 2],
    /// Increment of White and Black.
    pub increment: [Duration; 2],
    /// Moves to the next time control, if there is one.
    pub moves_to_go: Option<u32>,
}

impl Clocks {
    /// Remaining time of a color.
    pub const fn remaining(&self, color: Color) -> Duration {
        self.remaining[color.index()]
    }

    /// Increment of a color.
    pub const fn increment(&self, color: Color) -> Duration {
        self.increment[color.index()]
    }
}

impl Limits {
    /// No limits.
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
