//! When a puzzle is due again: spaced repetition by FSRS, with its published parameters.

use std::time::Duration;

use fsrs::{FSRS, MemoryState};
use store::{Recall, Timestamp};

/// How well a puzzle was known.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Grade {
    /// Not solved.
    Again,
    /// Solved with a hint.
    Hard,
    /// Solved.
    Good,
    /// Solved at once.
    Easy,
}

/// Who needs no more than this for each move knows it.
const AT_ONCE: Duration = Duration::from_secs(6);

/// The chance to solve a puzzle again at which it is due.
const RETENTION: f32 = 0.9;

const DAY: f64 = 24.0 * 60.0 * 60.0;

impl Grade {
    /// The grade of a try with this many hints, for a solution of this many moves.
    pub fn of(solved: bool, hints: u8, time: Option<Duration>, moves: usize) -> Self {
        let limit = AT_ONCE * u32::try_from(moves).unwrap_or(u32::MAX).min(100);
        match (solved, hints) {
            (false, _) => Self::Again,
            (true, 1..) => Self::Hard,
            (true, 0) if time.is_some_and(|time| time <= limit) => Self::Easy,
            (true, 0) => Self::Good,
        }
    }
}

/// What is known about a user's memory after a try, and when the puzzle is due again. None if what
/// was known before is no state of FSRS.
pub(crate) fn after(
    before: Option<Recall>,
    grade: Grade,
    now: Timestamp,
) -> Option<(Recall, Timestamp)> {
    let state = before.map(|recall| MemoryState {
        stability: recall.stability as f32,
        difficulty: recall.difficulty as f32,
    });
    let days = before.map_or(0, |recall| now.since(recall.tried).as_secs() / DAY as u64);
    let days = u32::try_from(days).unwrap_or(u32::MAX);
    let next = FSRS::default().next_states(state, RETENTION, days).ok()?;
    let next = match grade {
        Grade::Again => next.again,
        Grade::Hard => next.hard,
        Grade::Good => next.good,
        Grade::Easy => next.easy,
    };
    let recall = Recall {
        tried: now,
        stability: next.memory.stability.into(),
        difficulty: next.memory.difficulty.into(),
    };
    Some((recall, now.after(Duration::from_secs_f64(f64::from(next.interval) * DAY))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hints_and_time_decide_the_grade() {
        let seconds = |seconds| Some(Duration::from_secs(seconds));
        assert_eq!(Grade::of(false, 0, seconds(1), 1), Grade::Again);
        assert_eq!(Grade::of(true, 1, seconds(1), 1), Grade::Hard);
        assert_eq!(Grade::of(true, 0, seconds(6), 1), Grade::Easy);
        assert_eq!(Grade::of(true, 0, seconds(7), 1), Grade::Good);
        assert_eq!(Grade::of(true, 0, seconds(12), 2), Grade::Easy);
        assert_eq!(Grade::of(true, 0, None, 1), Grade::Good);
    }

    #[test]
    fn what_is_known_better_comes_back_later() {
        let now = Timestamp(1_700_000_000_000);
        let due = [Grade::Again, Grade::Hard, Grade::Good, Grade::Easy]
            .map(|grade| after(None, grade, now).expect("a new puzzle").1);
        assert!(due.is_sorted() && due[0] > now, "{due:?}");
        assert!(due[0].since(now) < Duration::from_hours(24), "failed: again today");
        assert!(due[2].since(now) > Duration::from_hours(24), "solved: not before tomorrow");
    }

    #[test]
    fn intervals_grow_with_each_success_and_shrink_with_a_failure() {
        let mut now = Timestamp(1_700_000_000_000);
        let mut recall = None;
        let mut last = Duration::ZERO;
        for _ in 0..4 {
            let (known, due) = after(recall, Grade::Good, now).expect("a state");
            assert!(due.since(now) > last);
            last = due.since(now);
            (recall, now) = (Some(known), due);
        }
        let (_, due) = after(recall, Grade::Again, now).expect("a state");
        assert!(due.since(now) < last / 2);
    }

    #[test]
    fn a_state_that_is_none_is_refused() {
        let now = Timestamp(0);
        let broken = Recall { tried: now, stability: f64::NAN, difficulty: 5.0 };
        assert_eq!(after(Some(broken), Grade::Good, now), None);
    }
}
