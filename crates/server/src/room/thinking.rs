//! The engine as a player in a room.

use std::time::Duration;

use engine::{Clocks, Limits, Question, Score, Verdict};
use game::Level;
use game::live::{LiveGame, Moment, Outlook};
use store::GameId;
use tokio::time::{Instant, sleep_until};

use super::table::Table;
use crate::pool::SearchHandle;
use crate::queue::Work;
use crate::task::{Task, elo};

/// Interval between updates of the engine's lines.
const UPDATE_INTERVAL: Duration = Duration::from_millis(250);

/// Delay before retrying when the queue is full.
const BUSY: Duration = Duration::from_millis(500);

/// Maximum delay between attempts after failures.
const LONGEST_WAIT: Duration = Duration::from_secs(30);

/// A search for the engine's move.
pub(crate) struct Thinking {
    /// The number of moves played when it started.
    pub ply: usize,
    search: SearchHandle,
    next_update: Instant,
    /// When the move may be played.
    earliest: Instant,
    /// Its end, if the search is over.
    ended: Option<SearchEvent>,
}

/// An event of a search.
pub(crate) enum SearchEvent {
    /// Updated lines.
    Lines(Vec<engine::Report>),
    /// The search has ended; `None` if it failed.
    Done(Option<Verdict>),
}

impl Thinking {
    /// A search whose move is played after `least` at the earliest.
    pub fn new(ply: usize, search: SearchHandle, least: Duration) -> Self {
        let now = Instant::now();
        let (next_update, earliest) = (now + UPDATE_INTERVAL, now + least);
        Self { ply, search, next_update, earliest, ended: None }
    }

    /// The next event of the search. Cancel safe.
    pub async fn next(&mut self) -> SearchEvent {
        if self.ended.is_none()
            && let Some(lines) = self.lines().await
        {
            return SearchEvent::Lines(lines);
        }
        sleep_until(self.earliest).await;
        self.ended.take().unwrap_or(SearchEvent::Done(None))
    }

    /// Updated lines, or none once the search has ended.
    async fn lines(&mut self) -> Option<Vec<engine::Report>> {
        let lines = &mut self.search.lines;
        let next_update = self.next_update;
        let news = async {
            sleep_until(next_update).await;
            if lines.changed().await.is_err() {
                // The search is over; wait for `done`.
                std::future::pending::<()>().await;
            }
            lines.borrow_and_update().clone()
        };
        tokio::select! {
            biased;
            done = &mut self.search.done => {
                self.ended = Some(SearchEvent::Done(done.ok().and_then(Result::ok)));
                None
            }
            lines = news => {
                self.next_update = Instant::now() + UPDATE_INTERVAL;
                Some(lines)
            }
        }
    }
}

/// When to ask the engine for its move: retries with backoff after failures.
#[derive(Clone, Debug, Default)]
pub(crate) struct Attempts {
    failures: u32,
    next: Option<Instant>,
}

impl Attempts {
    pub const fn succeeded(&mut self) {
        self.failures = 0;
    }

    /// The search failed or its move could not be written: back off, longer each time.
    pub fn failed(&mut self) {
        let wait = BUSY * 2_u32.saturating_pow(self.failures).min(1000);
        self.failures += 1;
        self.next = Some(Instant::now() + wait.min(LONGEST_WAIT));
    }

    /// The queue was full.
    pub fn wait(&mut self) {
        self.next = Some(Instant::now() + BUSY);
    }

    /// When to try again, if not now.
    pub const fn next(&self) -> Option<Instant> {
        self.next
    }

    /// The delay is over, or the position has changed.
    pub const fn now(&mut self) {
        self.next = None;
    }
}

/// The engine's assessment of its position after a search.
pub(crate) fn outlook(verdict: &Verdict) -> Option<Outlook> {
    Some(match verdict.score()? {
        Score::Cp(score) => Outlook::Centipawns(score),
        Score::Mate(mate) if mate.moves() < 0 => Outlook::GetsMated,
        Score::Mate(_) => Outlook::Mates,
    })
}

/// The search for the engine's move. It plans with at most `most` on its clock, so that a day on
/// the clock doesn't occupy a thread for an hour.
pub(crate) fn task(table: &Table, level: Level, now: Moment, most: Duration) -> Task {
    let live = &table.live;
    let limits = match (live.left(now), live.clock()) {
        (Some(remaining), Some(clock)) => {
            let turn = live.turn();
            let moves_to_go = clock.moves_to_go(turn);
            // The engine treats a delay like an increment.
            let increment = [clock.bonus(turn).min(most / 20); 2];
            let remaining = remaining.map(|left| left.min(most));
            Limits::clocks(Clocks { remaining, increment, moves_to_go })
        }
        _ => Limits::move_time(LiveGame::TIME_WITHOUT_CLOCKS),
    };
    let question = Question::new(live.line().clone()).limits(limits);
    let question = question.player(elo(level), Some(seed(&table.head.id)));
    Task { question, work: Work::Move, meter: None }
}

/// The seed of the engine's errors in a game: FNV-1a of the game's id, which stays the same if the
/// server is updated during the game.
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
