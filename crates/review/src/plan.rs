//! How much a review searches, and by which rules it judges.

use std::time::Duration;

use engine::Limits;

use crate::{Mode, Steps};

/// How a game is reviewed.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Plan {
    /// How long to search each position.
    pub effort: Effort,
    /// The rules for labels.
    pub mode: Mode,
    /// The steps between labels in mode `riga`.
    pub steps: Steps,
    /// Whether moves in doubt get a second look. Only experiments go without.
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
            steps: Steps::default(),
            second_search: true,
            puzzles: true,
        }
    }
}

/// Nodes of a second look at a move, unless that is less than once or more than 8 times the nodes of a
/// position. The same number for most plans: so the label of a doubtful move doesn't depend on how
/// many nodes the reader asked for.
const SECOND_LOOK: u64 = 200_000;

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

    /// The limits of each of the two searches of a second look.
    pub(crate) fn second_look(self) -> Limits {
        match self {
            Self::Nodes(nodes) => {
                let all = SECOND_LOOK.clamp(nodes, nodes.saturating_mul(8));
                Limits::nodes((all / 2).max(1))
            }
            Self::Time(time) => Limits::move_time(time),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_look_is_the_same_for_common_plans() {
        let nodes = |nodes| Effort::Nodes(nodes).second_look().nodes.map(|half| 2 * half);
        for plan in [50_000, 100_000, 200_000] {
            assert_eq!(nodes(plan), Some(SECOND_LOOK));
        }
        assert_eq!(nodes(4_000), Some(32_000));
        assert_eq!(nodes(1_000_000), Some(1_000_000));
    }
}
