//! The results of an analysis, during and at its end.

use std::time::Duration;

use chess::Move;

use crate::{Score, Wdl};

/// An intermediate result of an analysis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// Plies searched.
    pub depth: u32,
    /// The selective depth: the longest line searched, in plies.
    pub selective_depth: u32,
    /// The index of this line among the best ones, from 1.
    pub multi_pv: usize,
    /// The score, for the side to move.
    pub score: Score,
    /// Whether the score is exact.
    pub bound: Bound,
    /// Win, draw and loss probabilities for the side to move: the analyst's own, or else [derived
    /// from the score](Score::wdl).
    pub wdl: Wdl,
    /// Nodes searched so far.
    pub nodes: u64,
    /// Time since the start.
    pub time: Duration,
    /// How full the transposition table is, in per mille.
    pub hash_full: u32,
    /// Tablebase hits.
    pub tablebase_hits: u64,
    /// The principal variation.
    pub pv: Vec<Move>,
}

impl Report {
    /// Nodes per second.
    pub fn speed(&self) -> u64 {
        (self.nodes as f64 / self.time.as_secs_f64().max(1e-6)) as u64
    }

    /// Its contents without time and hash use, which change with each call.
    pub(crate) fn statement(&self) -> (u32, usize, Score, Bound, u64, &[Move]) {
        (self.depth, self.multi_pv, self.score, self.bound, self.nodes, &self.pv)
    }
}

/// Whether a score is exact.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum Bound {
    /// Exact.
    #[default]
    Exact,
    /// A lower bound.
    Lower,
    /// An upper bound.
    Upper,
}

/// The result of an analysis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// The move to play.
    pub best: Move,
    /// The expected reply.
    pub ponder: Option<Move>,
    /// The last report of each line, best first. Empty if the move comes from a book.
    pub lines: Vec<Report>,
    /// The time taken, by the analyst's own clock.
    pub time: Duration,
}

impl Verdict {
    /// The score of the best line, if it was searched.
    pub fn score(&self) -> Option<Score> {
        self.lines.first().map(|line| line.score)
    }
}
