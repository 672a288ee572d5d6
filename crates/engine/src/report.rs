//! What an analyst says while it thinks, and at the end.

use std::time::Duration;

use chess::Move;

use crate::{Score, Wdl};

/// An opinion in the course of an analysis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// Plies searched.
    pub depth: u32,
    /// The longest line looked at, in plies.
    pub selective_depth: u32,
    /// The place of this line among the best ones, from 1.
    pub multi_pv: usize,
    /// The score, for the side to move.
    pub score: Score,
    /// Whether the score is exact.
    pub bound: Bound,
    /// Chances to win, draw and lose, for the side to move: what the analyst says, or else
    /// [what follows from the score](Score::wdl).
    pub wdl: Wdl,
    /// Positions visited so far.
    pub nodes: u64,
    /// Time since the start.
    pub time: Duration,
    /// How full the transposition table is, in per mille.
    pub hash_full: u32,
    /// Positions found in tablebases.
    pub tablebase_hits: u64,
    /// The moves both sides are expected to play, the best one first.
    pub pv: Vec<Move>,
}

impl Report {
    /// Nodes a second.
    pub fn speed(&self) -> u64 {
        (self.nodes as f64 / self.time.as_secs_f64().max(1e-6)) as u64
    }

    /// What it says, but for the time and the tables, which change with each look at them.
    pub(crate) fn statement(&self) -> (u32, usize, Score, Bound, u64, &[Move]) {
        (self.depth, self.multi_pv, self.score, self.bound, self.nodes, &self.pv)
    }
}

/// Whether a score is exact.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum Bound {
    /// It is.
    #[default]
    Exact,
    /// The truth is at least this good.
    Lower,
    /// The truth is at most this good.
    Upper,
}

/// The outcome of an analysis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// The move to play.
    pub best: Move,
    /// The answer that is expected.
    pub ponder: Option<Move>,
    /// The last report of each line, the best one first. Empty if the move comes from a book.
    pub lines: Vec<Report>,
    /// How long the analyst has thought, by its own watch.
    pub time: Duration,
}

impl Verdict {
    /// The score of the best line, if it was searched.
    pub fn score(&self) -> Option<Score> {
        self.lines.first().map(|line| line.score)
    }
}
