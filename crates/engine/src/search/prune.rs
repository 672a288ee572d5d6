//! Reasons not to search: a node that is decided, a move that can't matter.
//!
//! Each function is one idea and touches nothing. What it was worth when it was measured is in
//! its comment; `docs/search.md` has the matches.

use super::params::Params;
use super::value::{TABLEBASE_BOUND, Value};

/// Beyond this score a side is winning so clearly that only mates and promotions matter, and
/// evaluations say little about them: nothing is pruned by comparing with them.
const CLEAR: Value = 1_500;

/// What is known about a node before its moves are tried.
#[derive(Copy, Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts about a node")]
pub(crate) struct Node {
    pub(crate) pv: bool,
    pub(crate) cut: bool,
    pub(crate) in_check: bool,
    /// The evaluation is better than it was two plies ago.
    pub(crate) improving: bool,
    pub(crate) depth: i32,
    pub(crate) alpha: Value,
    pub(crate) beta: Value,
    /// The evaluation with corrections.
    pub(crate) static_eval: Value,
    /// The same, made better by what the table knows.
    pub(crate) eval: Value,
}

/// Reverse futility: far above beta with little depth left, trust the evaluation.
/// Worth +83 ± 40 Elo.
pub(crate) fn reverse_futility(node: &Node, p: &Params) -> Option<Value> {
    let margin = p.rfp_margin * node.depth - p.rfp_improving * i32::from(node.improving);
    (!node.pv
        && !node.in_check
        && node.depth <= p.rfp_depth
        && node.eval - margin >= node.beta
        && node.eval < TABLEBASE_BOUND
        && node.beta > -CLEAR)
        .then_some(node.beta + (node.eval - node.beta) / 3)
}

/// Razoring: so far below alpha that only captures could help. Quiescence then has the word.
/// Worth +12 ± 39 Elo.
pub(crate) fn is_hopeless(node: &Node, p: &Params) -> bool {
    !node.pv
        && !node.in_check
        && node.depth <= p.razor_depth
        && node.eval + p.razor_margin + p.razor_slope * (node.depth - 1) < node.alpha
        && node.alpha < CLEAR
}

/// Null move: if passing still holds beta, a real move will. The depth of the search after it,
/// or `None` where passing proves nothing. Never twice in a row, nor without pieces, where being
/// to move may be the trouble. Worth +16 ± 39 Elo.
pub(crate) fn null_move_depth(node: &Node, has_pieces: bool, p: &Params) -> Option<i32> {
    let floor = node.beta + p.null_margin - p.null_slope * node.depth;
    (!node.pv
        && !node.in_check
        && has_pieces
        && node.depth >= p.null_depth
        && node.eval >= node.beta
        && node.static_eval >= floor
        && node.beta > -CLEAR)
        .then(|| {
            let surplus = ((node.eval - node.beta) / p.null_eval).min(4);
            node.depth - p.null_base - node.depth / p.null_divisor - surplus
        })
}

/// `ProbCut`: if a good capture holds a raised beta at reduced depth, the node will hold beta.
/// The raised beta, where it is worth trying. Worth +9 ± 39 Elo.
pub(crate) fn probcut_beta(node: &Node, p: &Params) -> Option<Value> {
    (!node.pv && !node.in_check && node.depth >= p.probcut_depth && node.beta.abs() < CLEAR)
        .then(|| node.beta + p.probcut_margin - p.probcut_improving * i32::from(node.improving))
}

/// Late move pruning: how many moves a shallow node tries before quiet ones are skipped.
/// Worth +24 ± 35 Elo.
pub(crate) fn late_moves(node: &Node, p: &Params) -> i32 {
    if node.depth > p.lmp_depth {
        return i32::MAX;
    }
    let moves = p.lmp_base + node.depth * node.depth;
    if node.improving || node.static_eval >= node.beta { moves } else { moves / 2 }
}

/// Futility: a quiet move can't lift so low an evaluation over alpha. The value it might reach.
/// With futile captures it showed no gain at 8,000 nodes (-24 ± 38 Elo).
pub(crate) fn futile_quiet(node: &Node, depth: i32, history: i32, p: &Params) -> Option<Value> {
    let reach = node.static_eval + p.futility_margin + p.futility_slope * depth + history / 128;
    let shallow = !node.in_check && depth <= p.futility_depth && node.alpha < CLEAR;
    (shallow && reach <= node.alpha).then_some(reach)
}

/// Futility of a capture: even the victim doesn't make up for the evaluation.
pub(crate) fn futile_capture(
    node: &Node,
    depth: i32,
    victim: Value,
    history: i32,
    p: &Params,
) -> bool {
    let reach = node.static_eval
        + p.capture_futility_margin
        + p.capture_futility_slope * depth
        + victim
        + history / 16;
    let shallow = !node.in_check && depth <= p.capture_futility_depth && node.alpha < CLEAR;
    shallow && reach <= node.alpha
}

/// History pruning: a quiet move that has failed too often in shallow nodes.
/// `reduced` is the depth at which it would be searched. Worth +14 ± 34 Elo.
pub(crate) fn discredited(node: &Node, reduced: i32, history: i32, p: &Params) -> bool {
    reduced <= p.history_pruning_depth && history < -p.history_pruning * node.depth
}
