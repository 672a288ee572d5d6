//! A node of the main search: what is known about it, and the state of its move loop.

use arrayvec::ArrayVec;
use chess::Move;

use super::checks::Checks;
use super::history::Rows;
use super::picker::Picker;
use super::tt::Entry;
use super::value::{DRAW, INFINITE, NONE, Value, mated_in};

/// What is known about a node. The steps of the search fill it in one by one.
#[derive(Copy, Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts about a node")]
pub(crate) struct Node {
    /// The window is open: the node may be on the principal variation.
    pub(crate) pv: bool,
    /// An expected cut node: the first moves should fail high.
    pub(crate) cut: bool,
    pub(crate) in_check: bool,
    /// The node is, or once was, on the principal variation ("ttPv").
    pub(crate) table_pv: bool,
    /// The TT move is a capture or a promotion.
    pub(crate) tactical_hash: bool,
    /// The static eval is better than two plies ago.
    pub(crate) improving: bool,
    /// By how much.
    pub(crate) improvement: Value,
    /// How far corrections have moved the evaluation: a measure of its uncertainty.
    pub(crate) correction: Value,
    /// Remaining depth. It decreases while the moves are tried; [`MoveLoop::depth`] doesn't.
    pub(crate) depth: i32,
    pub(crate) alpha: Value,
    pub(crate) beta: Value,
    /// The best value so far.
    pub(crate) best: Value,
    /// The upper bound by tablebases.
    pub(crate) ceiling: Value,
    /// The evaluator's value; [`NONE`] in check, as are the next two.
    pub(crate) raw: Value,
    /// The static eval: the evaluation with corrections.
    pub(crate) static_eval: Value,
    /// The static eval refined by the table's bound.
    pub(crate) eval: Value,
    /// The table entry.
    pub(crate) entry: Option<Entry>,
    /// The TT move; at the root, the best move of the last iteration.
    pub(crate) hash: Option<Move>,
    /// The move excluded by a singular search.
    pub(crate) excluded: Option<Move>,
}

impl Node {
    /// A node of which nothing is known yet.
    #[inline]
    pub(crate) const fn new(pv: bool, cut: bool, alpha: Value, beta: Value, depth: i32) -> Self {
        Self {
            pv,
            cut,
            in_check: false,
            table_pv: false,
            tactical_hash: false,
            improving: false,
            improvement: 0,
            correction: 0,
            depth,
            alpha,
            beta,
            best: -INFINITE,
            ceiling: INFINITE,
            raw: NONE,
            static_eval: NONE,
            eval: NONE,
            entry: None,
            hash: None,
            excluded: None,
        }
    }

    /// Whether the TT move is quiet.
    #[inline]
    pub(crate) const fn quiet_hash(&self) -> bool {
        self.hash.is_some() && !self.tactical_hash
    }

    /// The value of a node without legal moves: mate or stalemate. If only the excluded move was
    /// left out, it says nothing.
    pub(crate) const fn value_without_moves(&self, ply: usize) -> Value {
        if self.excluded.is_some() {
            self.alpha
        } else if self.in_check {
            mated_in(ply)
        } else {
            DRAW
        }
    }
}

/// Moves of one node that were tried and failed.
pub(crate) type Tried = ArrayVec<Move, 32>;

/// The move loop of a node: the source of its moves, and their results so far.
#[derive(Debug)]
pub(crate) struct MoveLoop {
    pub(crate) picker: Picker,
    pub(crate) checks: Checks,
    pub(crate) rows: Rows,
    /// The side to move has more than king and pawns.
    pub(crate) has_pieces: bool,
    /// The depth of the node before its moves are tried.
    pub(crate) depth: i32,
    /// Number of moves so far.
    pub(crate) count: i32,
    /// Late move pruning has started.
    pub(crate) skip_quiets: bool,
    /// The last move that raised alpha.
    pub(crate) best_move: Option<Move>,
    pub(crate) quiets: Tried,
    pub(crate) captures: Tried,
}

impl MoveLoop {
    /// Records a move that didn't raise alpha.
    #[inline]
    pub(crate) fn note_failure(&mut self, m: Move, quiet: bool) {
        let tried = if quiet { &mut self.quiets } else { &mut self.captures };
        if !tried.is_full() {
            tried.push(m);
        }
    }
}

/// A move about to be searched.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Candidate {
    pub(crate) m: Move,
    /// Its number, from 1.
    pub(crate) count: i32,
    pub(crate) quiet: bool,
    /// The stat score: the sum of its histories.
    pub(crate) history: i32,
    /// Depth after it, before reductions.
    pub(crate) depth: i32,
    pub(crate) killer: bool,
}
