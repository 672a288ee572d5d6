//! Tasks for the pool.

use std::time::Duration;

use engine::{Elo, Question, Strength, Thinking};
use game::Level;

use crate::budget::Meter;
use crate::queue::Work;

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

/// Makes a question that of a player at a level, with a book. Limited levels err by a seed: the same
/// one for the whole game, on any thread. At full strength the book moves vary.
pub(crate) fn as_player(question: Question, level: Level, seed: u64) -> Question {
    let question = question.book(true);
    match level.elo() {
        None => question,
        Some(rating) => question.strength(limited(rating)).seed(seed),
    }
}

/// The engine strength of a level's rating.
fn limited(rating: u32) -> Strength {
    Strength::Elo(Elo::new(rating).expect("the engine can play at every level"))
}

#[cfg(test)]
mod tests {
    use engine::Limits;
    use store::UserId;

    use super::*;
    use crate::budget::Budgets;
    use crate::pool::Owner;

    #[test]
    fn every_player_has_a_book_and_only_the_limited_err_by_a_seed() {
        let level = |number| Level::new(number).expect("there are ten");
        let weak = as_player(Question::default(), level(3), 7);
        assert_eq!((weak.book, weak.strength, weak.seed), (true, limited(1_000), Some(7)));
        let full = as_player(Question::default(), level(10), 7);
        assert_eq!((full.book, full.strength, full.seed), (true, Strength::Full, None));
    }

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
