//! Tasks for the pool, and their limits.

use std::time::Duration;

use engine::{Elo, Limits, Question, Thinking};
use game::Level;

use crate::budget::Meter;
use crate::problem::{Failure, Kind, Result};
use crate::queue::Work;

/// Maximum depth and nodes of a search.
const MOST_DEPTH: u32 = 100;
const MOST_NODES: u64 = 10_000_000_000;

/// A search request.
pub(crate) struct Task {
    pub question: Question,
    pub work: Work,
    /// Charges the search to a visitor's budget.
    pub meter: Option<Meter>,
}

impl Task {
    /// Called when the search starts, after waiting in the queue while a clock was running.
    pub fn begin(&mut self, waited: Duration) {
        let turn = self.question.position().turn();
        if let Thinking::Clock(clocks) = &mut self.question.limits.thinking {
            let left = &mut clocks.remaining[turn.index()];
            *left = left.saturating_sub(waited);
        }
        if let Some(left) = self.meter.as_mut().and_then(Meter::start)
            && let Thinking::MoveTime(time) = &mut self.question.limits.thinking
        {
            *time = left.min(*time);
        }
    }
}

/// The engine's rating at a level; none at full strength.
pub(crate) fn elo(level: Level) -> Option<Elo> {
    level.elo().map(|rating| Elo::new(rating).expect("the engine can play at every level"))
}

/// The search limits. Invalid ones are rejected; an excessive time is shortened.
pub(crate) fn limits(
    wanted: wire::Limits,
    usual: Option<Duration>,
    longest: Duration,
) -> Result<Limits> {
    let depth = wanted.depth.is_some_and(|depth| depth == 0 || depth > MOST_DEPTH);
    let nodes = wanted.nodes.is_some_and(|nodes| nodes == 0 || nodes > MOST_NODES);
    let billions = MOST_NODES / 1_000_000_000;
    for (name, wrong, detail) in [
        ("depth", depth, format!("the depth must be 1 to {MOST_DEPTH}")),
        ("nodes", nodes, format!("the node limit must be 1 to {billions} billion")),
        ("time", wanted.time == Some(0), "the time must be greater than 0".to_owned()),
    ] {
        if wrong {
            return Err(Failure::field(Kind::InvalidRequest, &format!("limits.{name}"), detail));
        }
    }
    let wire::Limits { depth, nodes, time } = wanted;
    let time = match (time.map(Duration::from_millis), depth.is_some() || nodes.is_some()) {
        (Some(time), _) => time,
        (None, false) => usual.unwrap_or(longest),
        (None, true) => longest,
    };
    let thinking = Thinking::MoveTime(time.min(longest));
    Ok(Limits { depth, nodes, thinking, ..Limits::default() })
}

#[cfg(test)]
mod tests {
    use store::UserId;

    use super::*;
    use crate::budget::Budgets;
    use crate::pool::Owner;

    #[test]
    fn a_search_gets_no_more_time_than_its_owner_has_left() {
        let budgets = Budgets::new(Some(Duration::from_mins(1)));
        let owner = Owner::User(UserId(1));
        let task = || {
            let limits = Limits::move_time(Duration::from_secs(45));
            let meter = Some(budgets.meter(&owner).expect("little is used"));
            Task { question: Question::default().limits(limits), work: Work::Analysis, meter }
        };
        let time = |task: &Task| match task.question.limits.thinking {
            Thinking::MoveTime(time) => time.as_secs_f64().round() as u64,
            _ => unreachable!("it was a move time"),
        };
        let (mut first, mut second) = (task(), task());
        first.begin(Duration::ZERO);
        assert_eq!(time(&first), 45);
        second.begin(Duration::ZERO);
        assert_eq!(time(&second), 30, "they use it up together");
    }

    #[test]
    fn the_engine_can_play_at_every_level() {
        assert!(Level::all().filter_map(Level::elo).all(|elo| Elo::new(elo).is_some()));
    }
}
