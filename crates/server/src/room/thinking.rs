//! The engine as a player at a table.

use std::time::Duration;

use engine::{Clocks, Limits, Question, Score, Verdict};
use game::live::{Moment, Outlook};
use game::{Bonus, Level};
use store::GameId;
use tokio::time::{Instant, sleep_until};

use super::table::Table;
use crate::pool::Search;
use crate::queue::Work;
use crate::task::{Task, as_player};

/// How long the engine thinks in a game without clocks.
const WITHOUT_CLOCKS: Duration = Duration::from_secs(1);

/// How often players are told what it thinks.
const BETWEEN_THOUGHTS: Duration = Duration::from_millis(250);

/// How long to wait when too many searches wait already.
const BUSY: Duration = Duration::from_millis(500);

/// The longest time between attempts after something has failed.
const LONGEST_WAIT: Duration = Duration::from_secs(30);

/// A search for the engine's move.
pub(crate) struct Thinking {
    /// How many moves had been played when it began.
    pub ply: usize,
    search: Search,
    next_thought: Instant,
}

/// What comes from a search.
pub(crate) enum Thought {
    /// Better informed lines.
    Lines(Vec<engine::Report>),
    /// The end; none if the search has failed.
    Done(Option<Verdict>),
}

impl Thinking {
    pub fn new(ply: usize, search: Search) -> Self {
        Self { ply, search, next_thought: Instant::now() + BETWEEN_THOUGHTS }
    }

    /// What comes next from the search. May be dropped and called again.
    pub async fn next(&mut self) -> Thought {
        let lines = &mut self.search.lines;
        let next_thought = self.next_thought;
        let news = async {
            sleep_until(next_thought).await;
            if lines.changed().await.is_err() {
                // The search is over, and `done` says so.
                std::future::pending::<()>().await;
            }
            lines.borrow_and_update().clone()
        };
        tokio::select! {
            biased;
            done = &mut self.search.done => {
                Thought::Done(done.ok().and_then(Result::ok))
            }
            lines = news => {
                self.next_thought = Instant::now() + BETWEEN_THOUGHTS;
                Thought::Lines(lines)
            }
        }
    }
}

/// When the engine may be asked for its move: after a failure not at once.
#[derive(Clone, Debug, Default)]
pub(crate) struct Attempts {
    failures: u32,
    next: Option<Instant>,
}

impl Attempts {
    pub const fn succeeded(&mut self) {
        self.failures = 0;
    }

    /// A search has failed, or its move could not be written: the next one waits, longer each time.
    pub fn failed(&mut self) {
        let wait = BUSY * 2_u32.saturating_pow(self.failures).min(1000);
        self.failures += 1;
        self.next = Some(Instant::now() + wait.min(LONGEST_WAIT));
    }

    /// There was no place in the queue.
    pub fn wait(&mut self) {
        self.next = Some(Instant::now() + BUSY);
    }

    /// When to try again, if not now.
    pub const fn next(&self) -> Option<Instant> {
        self.next
    }

    /// The time has come, or the position is another one.
    pub const fn now(&mut self) {
        self.next = None;
    }
}

/// What the engine thinks of its position after a search.
pub(crate) fn outlook(verdict: &Verdict) -> Option<Outlook> {
    Some(match verdict.score()? {
        Score::Cp(score) => Outlook::Centipawns(score),
        Score::Mate(mate) if mate.moves() < 0 => Outlook::GetsMated,
        Score::Mate(_) => Outlook::Mates,
    })
}

/// What the engine is to think about when it is its turn. It plays as if it had no more than `most` on
/// its clock, so that a day on the clock doesn't keep a thread busy for an hour.
pub(crate) fn task(table: &Table, level: Level, now: Moment, most: Duration) -> Task {
    let live = &table.live;
    let limits = match (live.left(now), live.clock()) {
        (Some(remaining), Some(clock)) => {
            let turn = live.turn();
            let (Bonus::Increment(bonus) | Bonus::Delay(bonus)) = clock.stage(turn).bonus;
            let moves_to_go = clock.moves_to_go(turn);
            // A delay is like an increment that can't be saved up.
            let increment = [bonus.min(most / 20); 2];
            let remaining = remaining.map(|left| left.min(most));
            Limits::clocks(Clocks { remaining, increment, moves_to_go })
        }
        _ => Limits::move_time(WITHOUT_CLOCKS),
    };
    let question = Question::new(live.line().clone()).limits(limits);
    let question = as_player(question, level, seed(&table.head.id));
    Task { question, work: Work::Move, meter: None }
}

/// What the engine's errors in a game depend on: FNV-1a of its name. It stays the same when the server is
/// updated in the middle of a game.
fn seed(id: &GameId) -> u64 {
    id.as_str().bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_seed_of_a_game_never_changes() {
        let id: GameId = "0123456789abcd".parse().expect("it looks like one");
        assert_eq!(seed(&id), 0x5866_15cb_170d_ed16);
    }
}
