//! How much a review searches, and by which rules it judges.

use std::time::Duration;

use engine::Limits;

use crate::Mode;

/// How a game is reviewed.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// How long to search each position.
    pub effort: Effort,
    /// The rules for labels.
    pub mode: Mode,
    /// Whether moves near a threshold are searched again. Only experiments go without.
    pub second_search: bool,
    /// Whether puzzles are looked for, in mode `riga`.
    pub puzzles: bool,
}

impl Default for Plan {
    /// A hundred thousand nodes per position.
    fn default() -> Self {
        Self {
            effort: Effort::Nodes(100_000),
            mode: Mode::Riga,
            second_search: true,
            puzzles: true,
        }
    }
}

/// How long to search a position.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Effort {
    /// This many nodes: the same report on every machine.
    Nodes(u64),
    /// This long: faster machines see more.
    Time(Duration),
}

impl Effort {
    /// The limits of a search that takes `times` the effort.
    pub(crate) fn limits(self, times: f64) -> Limits {
        match self {
            Self::Nodes(nodes) => Limits::nodes(((nodes as f64 * times) as u64).max(1)),
            Self::Time(time) => Limits::move_time(time.mul_f64(times)),
        }
    }
}

impl Plan {
    /// Nodes per position, unless they are searched by time.
    pub(crate) const fn nodes(&self) -> Option<u64> {
        match self.effort {
            Effort::Nodes(nodes) => Some(nodes),
            Effort::Time(_) => None,
        }
    }
}
