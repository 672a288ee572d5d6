//! Reasons not to search: a node that is decided, a move that can't matter.
//!
//! Each function is one idea and touches nothing. What it was worth when it was measured is in
//! its comment; `docs/search.md` has the matches.

use super::params::Params;
use super::tt::Entry;
use super::value::{TABLEBASE_BOUND, Value, is_decisive};

/// Beyond this score a side is winning so clearly that only mates and promotions matter, and
/// evaluations say little about them: nothing is pruned by comparing with them.
const CLEAR: Value = 1_500;

/// What is known about a node before its moves are tried.
#[derive(Copy, Clone, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts about a node")]
pub(crate) struct Node {
    pub(crate) pv: bool,
    pub(crate) cut: bool,
    pub(crate) in_check: bool,
    /// The node is, or once was, on the principal variation.
    pub(crate) table_pv: bool,
    /// The table's move is a quiet one.
    pub(crate) quiet_hash: bool,
    /// The evaluation is better than it was two plies ago.
    pub(crate) improving: bool,
    /// By how much.
    pub(crate) improvement: Value,
    /// How far corrections have moved the evaluation.
    pub(crate) correction: Value,
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
    let margin = p.rfp_margin * node.depth - p.rfp_improving * i32::from(node.improving)
        + p.rfp_correction * node.correction / 128;
    (!node.table_pv
        && !node.in_check
        && !node.quiet_hash
        && node.depth <= p.rfp_depth
        && node.eval - margin >= node.beta
        && node.eval < TABLEBASE_BOUND
        && node.beta > -CLEAR)
        .then_some(node.beta + (node.eval - node.beta) * p.rfp_blend / 1024)
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
    (node.cut
        && !node.in_check
        && has_pieces
        && node.depth >= p.null_depth
        && node.eval >= node.beta
        && node.static_eval >= floor
        && node.beta > -CLEAR)
        .then(|| {
            let surplus = ((node.eval - node.beta) / p.null_eval).min(p.null_eval_most);
            node.depth - p.null_base - node.depth / p.null_divisor - surplus
        })
}

/// `ProbCut`: if a good capture holds a raised beta at reduced depth, the node will hold beta.
/// The raised beta, where it is worth trying. Worth +9 ± 39 Elo.
pub(crate) fn probcut_beta(node: &Node, p: &Params) -> Option<Value> {
    (!node.pv && !node.in_check && node.depth >= p.probcut_depth && node.beta.abs() < CLEAR)
        .then(|| node.beta + p.probcut_margin - p.probcut_improving * i32::from(node.improving))
}

/// `ProbCut` by the table alone: a lower bound far above beta, nearly as deep as the node.
pub(crate) fn probcut_by_table(node: &Node, entry: &Entry, p: &Params) -> Option<Value> {
    let raised = node.beta + p.probcut_table_margin;
    (!node.pv
        && entry.bound.is_lower()
        && entry.depth >= node.depth - 4
        && entry.value >= raised
        && !is_decisive(node.beta)
        && !is_decisive(entry.value))
    .then_some(raised)
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
    let reach = node.static_eval
        + p.futility_margin
        + p.futility_slope * depth
        + history / p.futility_history;
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
        + history / p.capture_futility_history;
    let shallow = !node.in_check && depth <= p.capture_futility_depth && node.alpha < CLEAR;
    shallow && reach <= node.alpha
}

/// History pruning: a quiet move that has failed too often in shallow nodes.
/// `reduced` is the depth at which it would be searched. Worth +14 ± 34 Elo.
pub(crate) fn discredited(node: &Node, reduced: i32, history: i32, p: &Params) -> bool {
    reduced <= p.history_pruning_depth && history < -p.history_pruning * node.depth
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A node where a cutoff is expected, far above beta.
    fn node() -> Node {
        Node {
            pv: false,
            cut: true,
            in_check: false,
            table_pv: false,
            quiet_hash: false,
            improving: false,
            improvement: 0,
            correction: 0,
            depth: 4,
            alpha: -1,
            beta: 0,
            static_eval: 600,
            eval: 600,
        }
    }

    #[test]
    fn reverse_futility_trusts_a_large_surplus_only() {
        let p = Params::default();
        let value = reverse_futility(&node(), &p).expect("a large surplus");
        assert!((0..=600).contains(&value), "{value}");
        let near = Node { eval: p.rfp_margin * 4 - 1, ..node() };
        assert_eq!(reverse_futility(&near, &p), None);
        let unsure = Node { eval: p.rfp_margin * 4, correction: 100, ..node() };
        assert_eq!(reverse_futility(&unsure, &p), None, "a large correction asks for more");
        for exception in [
            Node { table_pv: true, ..node() },
            Node { in_check: true, ..node() },
            Node { quiet_hash: true, ..node() },
            Node { depth: p.rfp_depth + 1, eval: 9_000, ..node() },
        ] {
            assert_eq!(reverse_futility(&exception, &p), None, "{exception:?}");
        }
    }

    #[test]
    fn passing_is_for_nodes_with_pieces_where_a_cutoff_is_expected() {
        let p = Params::default();
        let depth = null_move_depth(&node(), true, &p).expect("worth a try");
        assert!(depth < node().depth);
        assert_eq!(null_move_depth(&node(), false, &p), None);
        assert_eq!(null_move_depth(&Node { cut: false, ..node() }, true, &p), None);
        assert_eq!(null_move_depth(&Node { eval: -1, ..node() }, true, &p), None);
    }

    #[test]
    fn a_bound_in_the_table_cuts_only_if_it_is_deep_and_high() {
        let p = Params::default();
        let raised = p.probcut_table_margin;
        let entry = Entry {
            m: None,
            value: raised,
            eval: 0,
            depth: 0,
            bound: super::super::tt::Bound::Lower,
            pv: false,
        };
        assert_eq!(probcut_by_table(&node(), &entry, &p), Some(raised));
        let low = Entry { value: raised - 1, ..entry };
        assert_eq!(probcut_by_table(&node(), &low, &p), None);
        let shallow = Entry { depth: -1, ..entry };
        assert_eq!(probcut_by_table(&node(), &shallow, &p), None);
    }

    #[test]
    fn a_node_that_gets_worse_tries_fewer_late_moves() {
        let p = Params::default();
        let falling = Node { static_eval: -50, ..node() };
        let rising = Node { improving: true, ..falling };
        assert!(late_moves(&falling, &p) < late_moves(&rising, &p));
        let deep = Node { depth: p.lmp_depth + 1, ..falling };
        assert_eq!(late_moves(&deep, &p), i32::MAX);
    }

    #[test]
    fn a_futile_move_is_one_that_history_does_not_save() {
        let p = Params::default();
        let low = Node { static_eval: -2_000, alpha: 0, ..node() };
        assert!(futile_quiet(&low, 2, 0, &p).is_some());
        assert!(futile_quiet(&low, p.futility_depth + 1, 0, &p).is_none());
        assert!(futile_quiet(&low, 2, 2_000 * p.futility_history, &p).is_none());
        assert!(futile_capture(&low, 2, 100, 0, &p) && !futile_capture(&low, 2, 2_000, 0, &p));
        assert!(discredited(&low, 1, -p.history_pruning * 4 - 1, &p));
        assert!(!discredited(&low, 1, -p.history_pruning * 4, &p));
    }
}
