//! Several threads on one search, sharing only the hash table ("lazy SMP").
//!
//! Each thread deepens on its own. They diverge because what one stores in the table changes what
//! the others find; in the end they vote on the move.

use std::sync::atomic::{AtomicBool, AtomicU64};

use chess::{Line, Move};

use super::params::Params;
use super::root::{Found, RootMove};
use super::thread::Thread;
use super::tt::Table;
use super::value::{MATE_BOUND, MAX_PLY, Value};
use super::worker::{Shared, Worker};
use crate::handicap::Handicap;
use crate::tablebase::Tablebases;
use crate::time::Timer;
use crate::{Limits, Report, Stop, search_thread};

/// What to search, and for how long.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Task<'a> {
    pub(crate) line: &'a Line,
    pub(crate) root: &'a [RootMove],
    /// Number of lines (`MultiPV`).
    pub(crate) lines: usize,
    pub(crate) limits: &'a Limits,
    pub(crate) stop: &'a Stop,
    pub(crate) timer: &'a Timer,
    /// The value of the last search in this game.
    pub(crate) last_value: Option<Value>,
}

/// What a search uses.
#[derive(Debug)]
pub(crate) struct Equipment<'a> {
    pub(crate) table: &'a Table,
    pub(crate) tablebases: Option<&'a Tablebases>,
    pub(crate) params: &'a Params,
    pub(crate) handicap: Option<&'a Handicap>,
    pub(crate) threads: &'a mut [Thread],
}

/// The result of a search.
#[derive(Debug)]
pub(crate) struct Outcome {
    /// The last report of each line.
    pub(crate) lines: Vec<Report>,
    /// Threads that the system could not start.
    pub(crate) missing: usize,
}

/// Searches with all threads. The first one runs on the caller's thread, so that a single-threaded
/// search starts none.
pub(crate) fn search(
    equipment: Equipment<'_>,
    task: Task<'_>,
    listener: Option<&mut dyn FnMut(Report)>,
) -> Outcome {
    let Equipment { table, tablebases, params, handicap, threads } = equipment;
    let Task { lines, limits, stop, timer, last_value, .. } = task;
    table.new_search();
    let shared = Shared {
        table,
        tablebases,
        params,
        handicap,
        stop,
        timer,
        last_value,
        over: AtomicBool::new(false),
        tablebase_hits: AtomicU64::new(0),
        node_limit: limits.nodes.unwrap_or(u64::MAX),
        longest: longest_line(limits),
        threads: threads.len(),
    };
    let found = if handicap.is_some() {
        work::<true>(&shared, threads, task, listener)
    } else {
        work::<false>(&shared, threads, task, listener)
    };
    let missing = shared.threads - found.len();
    let chosen = if lines == 1 { elect(&found) } else { 0 };
    let mut lines = found.into_iter().nth(chosen).expect("one of those found").lines;
    for line in &mut lines {
        line.nodes = timer.nodes();
    }
    Outcome { lines, missing }
}

/// The length of the longest line to look at. A search for a mate needn't look at what is not over
/// after so many moves: the deeper it gets, the less is left of its reductions.
fn longest_line(limits: &Limits) -> usize {
    let most = MAX_PLY - 1;
    limits.mate.map_or(most, |moves| (moves as usize).saturating_mul(2).saturating_add(1).min(most))
}

/// The results of each thread. `LIMITED`: they play with a handicap.
fn work<const LIMITED: bool>(
    shared: &Shared<'_>,
    threads: &mut [Thread],
    task: Task<'_>,
    listener: Option<&mut dyn FnMut(Report)>,
) -> Vec<Found> {
    let Task { line, root, lines, limits, .. } = task;
    let (first, others) = threads.split_first_mut().expect("at least one thread");
    std::thread::scope(|scope| {
        let helpers: Vec<_> = others
            .iter_mut()
            .map_while(|thread| {
                let help = move || {
                    let worker = Worker::<LIMITED>::new(shared, thread, line, root.to_vec(), false);
                    worker.deepen(limits, lines, None)
                };
                search_thread("search helper").spawn_scoped(scope, help).ok()
            })
            .collect();
        let worker = Worker::<LIMITED>::new(shared, first, line, root.to_vec(), true);
        let mut found = vec![worker.deepen(limits, lines, listener)];
        for helper in helpers {
            match helper.join() {
                Ok(theirs) => found.push(theirs),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        found
    })
}

/// Thread voting: threads vote for their best move, weighted by depth and value. The deepest of
/// those that agree with the winner is chosen; a mate is believed at once.
fn elect(found: &[Found]) -> usize {
    let best = |found: &Found| found.lines[0].pv.first().copied();
    let worst = found.iter().map(|found| found.value).min().unwrap_or(0);
    let weight = |found: &Found| i64::from(found.value - worst + 14) * i64::from(found.depth);
    let votes = |m: Option<Move>| -> i64 {
        found.iter().filter(|found| best(found) == m).map(weight).sum()
    };
    let rank = |index: usize| -> (Value, i64, i64) {
        let found = &found[index];
        let mate = if found.value.abs() >= MATE_BOUND { found.value } else { 0 };
        (mate, votes(best(found)), weight(found))
    };
    // The first thread wins ties: its line has been reported.
    (0..found.len()).rev().max_by_key(|&index| rank(index)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use chess::{MoveKind, Square};

    use super::super::value::mate_in;
    use super::*;
    use crate::eval::Knowledge;
    use crate::{Bound, Clock, Elo, Options, Score, Wdl};

    fn found(to: Square, value: Value, depth: i32) -> Found {
        let line = Report {
            depth: depth as u32,
            selective_depth: 0,
            multi_pv: 1,
            score: Score::Cp(value),
            bound: Bound::Exact,
            wdl: Wdl { win: 0, draw: 1000, loss: 0 },
            nodes: 0,
            time: std::time::Duration::ZERO,
            hash_full: 0,
            tablebase_hits: 0,
            pv: vec![Move::new(Square::E2, to, MoveKind::Normal)],
        };
        Found { value, depth, lines: vec![line] }
    }

    #[test]
    fn the_majority_wins_unless_somebody_sees_mate() {
        use Square as S;
        let votes = [found(S::E3, 20, 10), found(S::E4, 20, 10), found(S::E4, 22, 11)];
        assert_eq!(elect(&votes), 2, "two of three, and the deeper one of them");
        let votes = [found(S::E3, 20, 10), found(S::E4, 20, 10)];
        assert_eq!(elect(&votes), 0, "the first thread wins ties");
        let votes = [found(S::E3, 20, 10), found(S::E3, 25, 12), found(S::E4, mate_in(5), 9)];
        assert_eq!(elect(&votes), 2, "a mate is a mate");
    }

    /// Searches a position to a depth with the hand-written evaluation, and counts the reports.
    fn outcome(
        fen: &str,
        depth: u32,
        threads: usize,
        handicap: Option<&Handicap>,
    ) -> (Outcome, usize) {
        let table = Table::with_clusters(1024).expect("a little memory");
        let mut threads: Vec<Thread> = (0..threads)
            .map(|_| Thread::new(&Knowledge::Hand(None)).expect("a little memory"))
            .collect();
        let line = Line::new(fen.parse().expect("legal"));
        let root: Vec<RootMove> =
            line.position().legal_moves().iter().map(|&m| RootMove::new(m)).collect();
        let limits = Limits::depth(depth);
        let stop = Stop::new();
        let params = Params::default();
        let clock = Clock::system();
        let timer = Timer::new(&limits, &Options::default(), &params, line.position(), clock);
        let equipment = Equipment {
            table: &table,
            tablebases: None,
            params: &params,
            handicap,
            threads: &mut threads,
        };
        let task = Task {
            line: &line,
            root: &root,
            lines: 1,
            limits: &limits,
            stop: &stop,
            timer: &timer,
            last_value: None,
        };
        let mut reports = 0;
        let outcome = search(equipment, task, Some(&mut |_| reports += 1));
        (outcome, reports)
    }

    #[test]
    fn threads_share_a_search() {
        let depth = if cfg!(miri) { 2 } else { 8 };
        let (Outcome { lines, missing }, reports) =
            outcome("8/8/8/8/8/5k2/4p3/4K3 b - - 0 1", depth, 2, None);
        assert_eq!(missing, 0);
        assert!(reports > 0 && lines.len() == 1 && !lines[0].pv.is_empty());
    }

    #[test]
    fn a_handicap_without_errors_is_full_strength_and_one_with_errors_is_not() {
        let nodes = |handicap: Option<&Handicap>| {
            let fen = "8/1p3pp1/7p/5P1P/2k3P1/8/2K2P2/8 w - - 0 1";
            outcome(fen, 5, 1, handicap).0.lines[0].nodes
        };
        let perfect = Handicap { noise: 0.0, blindness: 0.0, ..Handicap::of(Elo::default(), 1) };
        let (noisy, blind) =
            (Handicap { noise: 100.0, ..perfect }, Handicap { blindness: 0.5, ..perfect });
        let full = nodes(None);
        assert_eq!(nodes(Some(&perfect)), full);
        assert_ne!(nodes(Some(&noisy)), full);
        assert_ne!(nodes(Some(&blind)), full);
    }
}
