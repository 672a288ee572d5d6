//! Progress and warnings on standard error.

use std::io::IsTerminal;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressBar};

use game::printable_line;

use super::census::Census;
use crate::show::{counted, progress, thousands};

/// Time between progress lines when no bar can be shown.
const LINE: Duration = Duration::from_secs(30);

/// Shows progress as a bar on a terminal, otherwise as lines. Shared by all threads.
pub struct Screen {
    bar: ProgressBar,
    total: Option<Census>,
    /// When the last line was printed; none if no lines are wanted.
    printed: Option<Mutex<Instant>>,
    start: Instant,
    games: AtomicU64,
    /// Moves reviewed in this run.
    moves: AtomicU64,
    /// Moves of reports that were there before.
    known: AtomicU64,
    skipped: AtomicU64,
}

impl Screen {
    pub fn new(total: Option<Census>, quiet: bool) -> Self {
        let bar = match total {
            _ if quiet => ProgressBar::hidden(),
            Some(total) => {
                progress(total.moves, "{wide_bar} {pos} of {len} moves, {msg}, {eta} left")
            }
            None => progress(0, "{spinner} {pos} moves, {msg}, {elapsed}"),
        };
        bar.set_message("no game yet");
        if !quiet {
            bar.enable_steady_tick(Duration::from_millis(500));
        }
        let lines = !quiet && !std::io::stderr().is_terminal();
        Self {
            bar,
            total,
            printed: lines.then(|| Mutex::new(Instant::now())),
            start: Instant::now(),
            games: AtomicU64::new(0),
            moves: AtomicU64::new(0),
            known: AtomicU64::new(0),
            skipped: AtomicU64::new(0),
        }
    }

    /// Moves were reviewed.
    pub fn reviewed(&self, moves: u64) {
        self.bar.inc(moves);
        self.moves.fetch_add(moves, Ordering::Relaxed);
        let Some(printed) = &self.printed else { return };
        if let Ok(mut last) = printed.try_lock()
            && last.elapsed() >= LINE
        {
            *last = Instant::now();
            eprintln!("{}", self.line());
        }
    }

    /// Moves need not be reviewed. They say nothing about the time left.
    pub fn known(&self, moves: u64) {
        self.bar.inc(moves);
        self.bar.reset_eta();
        self.known.fetch_add(moves, Ordering::Relaxed);
    }

    /// A game is finished.
    pub fn finished(&self) {
        let games = self.games.fetch_add(1, Ordering::Relaxed) + 1;
        self.bar.set_message(counted(games, "game"));
    }

    /// A warning.
    pub fn warn(&self, text: &str) {
        self.bar.suspend(|| eprintln!("warning: {}", printable_line(text)));
    }

    /// A game can't be reviewed.
    pub fn skipped(&self, text: &str) {
        self.skipped.fetch_add(1, Ordering::Relaxed);
        self.bar.suspend(|| eprintln!("{} (skipped)", printable_line(text)));
    }

    /// Runs something that writes to the terminal.
    pub fn suspend<T>(&self, write: impl FnOnce() -> T) -> T {
        self.bar.suspend(write)
    }

    /// Number of games that could not be reviewed.
    pub fn count_skipped(&self) -> u64 {
        self.skipped.load(Ordering::Relaxed)
    }

    /// Removes the bar.
    pub fn clear(&self) {
        self.bar.finish_and_clear();
    }

    fn line(&self) -> String {
        let games = counted(self.games.load(Ordering::Relaxed), "game");
        let moves = self.moves.load(Ordering::Relaxed);
        let known = self.known.load(Ordering::Relaxed);
        let Some(total) = self.total else { return format!("{games}, {}", counted(moves, "move")) };
        let left = total.moves.saturating_sub(moves + known) as f64;
        let left = self.start.elapsed().mul_f64(left / moves.max(1) as f64);
        let (done, all) = (thousands(moves + known), thousands(total.moves));
        format!("{games}, {done} of {all} moves, {} left", HumanDuration(left))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_moves_do_not_count_for_the_time_left() {
        let mut screen = Screen::new(Some(Census { games: 3, moves: 300 }), true);
        screen.start = Instant::now().checked_sub(Duration::from_secs(100)).expect("an uptime");
        screen.known(100);
        screen.reviewed(100);
        screen.finished();
        assert_eq!(screen.line(), "1 game, 200 of 300 moves, 2 minutes left");
        screen.skipped("game 3");
        assert_eq!(screen.count_skipped(), 1);
    }
}
