//! A node of the main search: what is known about it, and how its moves have fared.

use arrayvec::ArrayVec;
use chess::Move;

use super::checks::Checks;
use super::history::Rows;
use super::picker::Picker;
use super::tt::Entry;
use super::value::{DRAW, INFINITE, NONE, Value, mated_in};

/// What is known about a node. The steps of the search fill it in, one after the other.
#[derive(Copy, Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts about a node")]
pub(crate) struct Node {
    /// The window is open: the node may be on the principal variation.
    pub(crate) pv: bool,
    /// The first moves are expected to fail high.
    pub(crate) cut: bool,
    pub(crate) in_check: bool,
    /// The node is, or once was, on the principal variation ("ttPv").
    pub(crate) table_pv: bool,
    /// The table's move is a capture or a promotion.
    pub(crate) tactical_hash: bool,
    /// The evaluation is better than it was two plies ago.
    pub(crate) improving: bool,
    /// By how much.
    pub(crate) improvement: Value,
    /// How far corrections have moved the evaluation: how little it can be trusted.
    pub(crate) correction: Value,
    /// Plies left. It falls while the moves are tried; [`MoveLoop::depth`] doesn't.
    pub(crate) depth: i32,
    pub(crate) alpha: Value,
    pub(crate) beta: Value,
    /// The best value so far.
    pub(crate) best: Value,
    /// What tablebases allow at most.
    pub(crate) ceiling: Value,
    /// The evaluation as the evaluator says; [`NONE`] in check, as are the two that follow.
    pub(crate) raw: Value,
    /// The evaluation with corrections ("static eval").
    pub(crate) static_eval: Value,
    /// The same, made better by what the table knows.
    pub(crate) eval: Value,
    /// What the table knows about the position.
    pub(crate) entry: Option<Entry>,
    /// The table's move; at the root, the best move of the last iteration.
    pub(crate) hash: Option<Move>,
    /// The move that a singular search leaves out.
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

    /// Whether the table's move is a quiet one.
    #[inline]
    pub(crate) const fn quiet_hash(&self) -> bool {
        self.hash.is_some() && !self.tactical_hash
    }

    /// The value without a move to play: mate or stalemate. If only the excluded move was left out
    /// nothing is said.
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

/// Moves of one node that were tried without success.
pub(crate) type Tried = ArrayVec<Move, 32>;

/// The move loop of a node: where its moves come from, and how they have fared.
#[derive(Debug)]
pub(crate) struct MoveLoop {
    pub(crate) picker: Picker,
    pub(crate) checks: Checks,
    pub(crate) rows: Rows,
    /// The side to move has more than king and pawns.
    pub(crate) has_pieces: bool,
    /// The depth of the node before its moves are tried.
    pub(crate) depth: i32,
    /// Moves so far.
    pub(crate) count: i32,
    /// Late move pruning has begun.
    pub(crate) skip_quiets: bool,
    /// The move that has raised alpha last.
    pub(crate) best_move: Option<Move>,
    pub(crate) quiets: Tried,
    pub(crate) captures: Tried,
}

impl MoveLoop {
    /// Notes a move that didn't raise alpha.
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
    /// What the histories say about it ("stat score").
    pub(crate) history: i32,
    /// Depth after it, before reductions.
    pub(crate) depth: i32,
    pub(crate) killer: bool,
}
