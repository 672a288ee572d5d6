//! Iterative deepening: searches the root, one ply deeper each time.

use std::cmp::Reverse;
use std::sync::atomic::Ordering;

use chess::Move;

use super::value::{
    DRAW, INFINITE, MATE, MATE_BOUND, MAX_PLY, TABLEBASE_WIN, Value, is_decisive, to_score,
};
use super::worker::Worker;
use crate::tablebase::{self, TableWdl};
use crate::time::Stability;
use crate::{Bound, Limits, Report};

/// A root move and what is known about it.
#[derive(Clone, Debug)]
pub(crate) struct RootMove {
    pub(crate) m: Move,
    /// The result of this iteration; before the move is searched, that of the last one. `None` if
    /// the move isn't known to be the best.
    found: Option<Finding>,
    /// The result of the last complete iteration.
    before: Option<Finding>,
    /// A running mean of its values, the center of the next aspiration window.
    mean: Value,
    /// Nodes spent on it in this search.
    nodes: u64,
    /// Nodes spent on it in the last iteration: the harder to refute, the better the move.
    effort: u64,
    /// The tablebase rank: moves of a lower rank are never preferred.
    pub(crate) rank: i32,
    /// The tablebase value, shown instead of the search's.
    known: Option<Value>,
}

/// What an iteration has found out about a move. It is kept as a unit, so that a value is never
/// shown with another line.
#[derive(Clone, Debug)]
struct Finding {
    value: Value,
    bound: Bound,
    /// The iteration.
    depth: i32,
    selective_depth: usize,
    /// The line that starts with the move.
    pv: Vec<Move>,
}

impl RootMove {
    pub(crate) fn new(m: Move) -> Self {
        Self {
            m,
            found: None,
            before: None,
            mean: -INFINITE,
            nodes: 0,
            effort: 0,
            rank: 0,
            known: None,
        }
    }

    /// The value of this iteration, or minus infinity if it isn't known to be the best.
    fn value(&self) -> Value {
        self.found.as_ref().map_or(-INFINITE, |found| found.value)
    }

    /// The value of the last complete iteration.
    fn previous(&self) -> Value {
        self.before.as_ref().map_or(-INFINITE, |found| found.value)
    }

    /// The latest result.
    fn last(&self) -> Option<&Finding> {
        self.found.as_ref().or(self.before.as_ref())
    }

    /// The value and bound to show.
    fn judgement(&self) -> (Value, Bound) {
        match (self.last(), self.known) {
            // Nothing was found in such a short time.
            (None, known) => (known.unwrap_or(DRAW), Bound::Exact),
            (Some(found), Some(known)) if found.value.abs() < MATE_BOUND => (known, Bound::Exact),
            (Some(found), _) => (found.value, found.bound),
        }
    }
}

/// A tablebase win is shown as one; the search only chooses between moves of equal rank.
impl From<&tablebase::RootMove> for RootMove {
    fn from(ranked: &tablebase::RootMove) -> Self {
        let known = match ranked.wdl {
            TableWdl::Win => TABLEBASE_WIN,
            TableWdl::CursedWin => 1,
            TableWdl::Draw => 0,
            TableWdl::BlessedLoss => -1,
            TableWdl::Loss => -TABLEBASE_WIN,
        };
        Self { rank: ranked.rank, known: Some(known), ..Self::new(ranked.m) }
    }
}

/// The result of one thread's search.
#[derive(Debug)]
pub(crate) struct Found {
    /// The value of the best line.
    pub(crate) value: Value,
    /// The last complete iteration.
    pub(crate) depth: i32,
    /// The last report of each line.
    pub(crate) lines: Vec<Report>,
}

impl<const LIMITED: bool> Worker<'_, LIMITED> {
    /// Searches deeper and deeper until a limit is reached, and reports to a listener after each
    /// iteration.
    pub(crate) fn deepen(
        mut self,
        limits: &Limits,
        lines: usize,
        mut listener: Option<&mut dyn FnMut(Report)>,
    ) -> Found {
        let deepest = limits
            .depth
            .map_or(MAX_PLY as i32 - 1, |depth| depth.clamp(1, MAX_PLY as u32 - 1) as i32);
        let mut completed = 0;
        let mut best = None;
        let mut stable = 0;
        let mut scores: Vec<Value> = Vec::new();

        for depth in 1..=deepest {
            self.root_depth = depth;
            for root in &mut self.root {
                root.before.clone_from(&root.found);
            }
            for index in 0..lines {
                self.pv_index = index;
                self.selective_depth = 0;
                self.aspire(depth, lines, &mut listener);
                self.sort_root(0, index + 1);
                if self.over() {
                    break;
                }
            }
            if self.over() {
                break;
            }
            completed = depth;
            if let Some(report) = &mut listener {
                self.reports(lines).into_iter().for_each(report);
            }

            let first = &self.root[0];
            stable = if best == Some(first.m) { stable + 1 } else { 0 };
            best = Some(first.m);
            scores.push(first.value());
            if self.leads()
                && (self.is_enough(depth, stable, &scores)
                    || self.mate_found(limits)
                    || limits.soft_nodes.is_some_and(|nodes| self.count() >= nodes))
            {
                self.end();
                break;
            }
        }
        if self.leads() {
            self.end();
        }
        // Lines that were not searched are left out, except for the first.
        let looked_at = |root: &&RootMove| root.last().is_some();
        let lines = 1 + self.root[1..lines].iter().take_while(looked_at).count();
        let value = self.root[0].last().map_or(-INFINITE, |found| found.value);
        Found { value, depth: completed, lines: self.reports(lines) }
    }

    /// Searches the root with a narrow window around the expected value, wider after a failure
    /// ("aspiration window").
    fn aspire(&mut self, depth: i32, lines: usize, listener: &mut Option<&mut dyn FnMut(Report)>) {
        let p = self.shared.params;
        let mean = self.root[self.pv_index].mean;
        let (mut alpha, mut beta, mut delta) = (-INFINITE, INFINITE, p.aspiration);
        if depth >= 4 && mean != -INFINITE && !is_decisive(mean) {
            delta += mean * mean / p.aspiration_mean;
            alpha = (mean - delta).max(-INFINITE);
            beta = (mean + delta).min(INFINITE);
        }
        let mut failed_high = 0;
        loop {
            let value = self.alphabeta::<true>(0, alpha, beta, (depth - failed_high).max(1), false);
            self.sort_root(self.pv_index, self.root.len());
            if self.over() {
                return;
            }
            if value <= alpha {
                beta = i32::midpoint(alpha, beta);
                alpha = (value - delta).max(-INFINITE);
                failed_high = 0;
            } else if value >= beta {
                beta = (value + delta).min(INFINITE);
                failed_high = (failed_high + 1).min(3);
            } else {
                return;
            }
            // Report fail highs and lows in long searches.
            if let Some(report) = listener
                && lines == 1
                && self.shared.timer.elapsed().as_secs() >= 3
            {
                self.reports(lines).into_iter().for_each(report);
            }
            delta += delta * p.aspiration_growth / 100;
            if delta > 1_500 {
                (alpha, beta) = (-INFINITE, INFINITE);
            }
        }
    }

    /// Records the value of a root move, and the nodes spent on it. Nothing is known about those
    /// that don't beat the best.
    pub(crate) fn judge_root_move(
        &mut self,
        m: Move,
        value: Value,
        alpha: Value,
        beta: Value,
        first: bool,
        spent: u64,
    ) {
        let (depth, selective_depth) = (self.root_depth, self.selective_depth);
        let answer = std::mem::take(&mut self.frame_mut(1).pv);
        let root = self.root.iter_mut().find(|root| root.m == m).expect("a move of the root");
        root.nodes += spent;
        root.effort = spent;
        root.found = (first || value > alpha).then(|| {
            let bound = if value >= beta {
                Bound::Lower
            } else if value <= alpha {
                Bound::Upper
            } else {
                Bound::Exact
            };
            let pv = std::iter::once(m).chain(answer.iter().copied()).collect();
            Finding { value, bound, depth, selective_depth, pv }
        });
        if root.found.is_some() {
            let known = root.mean != -INFINITE;
            root.mean = if known { i32::midpoint(root.mean, value) } else { value };
        }
        self.frame_mut(1).pv = answer;
    }

    /// Best first, then those that were hardest to refute.
    fn sort_root(&mut self, from: usize, to: usize) {
        self.root[from..to].sort_by_key(|root| {
            (-root.rank, -root.value(), -root.previous(), Reverse(root.effort))
        });
    }

    /// The last reports of the best lines, in order.
    fn reports(&mut self, lines: usize) -> Vec<Report> {
        let mut ceiling = INFINITE;
        let nodes = self.count();
        (0..lines).map(|index| self.report(index, nodes, &mut ceiling)).collect()
    }

    /// `ceiling` is the value of the line before it.
    fn report(&self, index: usize, nodes: u64, ceiling: &mut Value) -> Report {
        let root = &self.root[index];
        let (mut value, mut bound) = root.judgement();
        if value > *ceiling && value < MATE_BOUND {
            // The last iteration valued it higher, but this one hasn't found it better than the
            // line before.
            (value, bound) = (*ceiling, Bound::Upper);
        }
        *ceiling = value;
        if bound != Bound::Exact {
            // The line of a bound ends where the search failed. Only a proven mate is shown as one.
            value = value.clamp(-TABLEBASE_WIN, TABLEBASE_WIN);
        }
        let found = root.last();
        let score = to_score(value);
        Report {
            depth: found.map_or(self.root_depth, |found| found.depth) as u32,
            selective_depth: found.map_or(0, |found| found.selective_depth) as u32,
            multi_pv: index + 1,
            score,
            bound,
            wdl: score.wdl(self.position(0)),
            nodes,
            time: self.shared.timer.elapsed(),
            hash_full: self.shared.table.fullness(),
            tablebase_hits: self.shared.tablebase_hits.load(Ordering::Relaxed),
            pv: found.map_or_else(|| vec![root.m], |found| found.pv.clone()),
        }
    }

    /// Whether to stop and save the time for other moves.
    fn is_enough(&mut self, depth: i32, stable: u32, scores: &[Value]) -> bool {
        let shared = self.shared;
        if !shared.timer.divides_time() {
            return false;
        }
        self.count();
        // A forced move needs no search.
        let forced = self.root.len() == 1;
        let now = scores[scores.len() - 1];
        let before = scores[scores.len().saturating_sub(4)];
        let fall = |from: Value| from.clamp(-1_000, 1_000) - now.clamp(-1_000, 1_000);
        // Stability of the best move, trend of the score, and the best move's share of the nodes.
        let stability = Stability {
            stable,
            fall: fall(before),
            fall_since_last_move: shared.last_value.map_or(0, fall),
            share: self.root[0].nodes as f64 / self.nodes.max(1) as f64,
        };
        shared.timer.is_enough(depth, &stability, shared.stop)
            || (forced && depth >= 8 && shared.timer.is_enough_for_forced(shared.stop))
    }

    /// Whether a mate as short as requested is proven, for either side.
    fn mate_found(&self, limits: &Limits) -> bool {
        let value = self.root[0].value().abs();
        limits.mate.is_some_and(|moves| {
            let plies = moves.saturating_mul(2);
            (MATE_BOUND..=MATE).contains(&value) && (MATE - value) as u32 <= plies
        })
    }
}
