//! Pruning: nodes that are decided, moves that can't matter.
//!
//! Each function is one idea and has no side effects. A comment states what an idea is worth where
//! a match has shown it; `docs/search.md` has all the matches.

use super::node::Node;
use super::params::Params;
use super::tt::Entry;
use super::value::{TABLEBASE_BOUND, Value, is_decisive};

/// Beyond this score a side is winning so clearly that only mates and promotions matter, which
/// static evaluations know little about: nothing is pruned by comparing with them.
const CLEAR: Value = 1_500;

/// Plies by which a table entry may be shallower than the node that it prunes by itself.
const PROBCUT_TABLE_PLIES: i32 = 4;

/// Reverse futility pruning ("static null move"): far above beta with little depth left, trust the
/// evaluation. Worth +83 ± 40 Elo (200 games at 8,000 nodes per move).
#[inline]
pub(crate) fn reverse_futility(node: &Node, p: &Params) -> Option<Value> {
    let margin = p.rfp_margin * node.depth - p.rfp_improving * i32::from(node.improving)
        + p.rfp_correction * node.correction / 128;
    (!node.table_pv
        && !node.in_check
        && !node.quiet_hash()
        && node.depth <= p.rfp_depth
        && node.eval - margin >= node.beta
        && node.eval < TABLEBASE_BOUND
        && node.beta > -CLEAR)
        .then_some(node.beta + (node.eval - node.beta) * p.rfp_blend / 1024)
}

/// Razoring: so far below alpha that only captures could help. Drop into quiescence.
#[inline]
pub(crate) fn is_hopeless(node: &Node, p: &Params) -> bool {
    !node.pv
        && !node.in_check
        && node.depth <= p.razor_depth
        && node.eval + p.razor_margin + p.razor_slope * (node.depth - 1) < node.alpha
        && node.alpha < CLEAR
}

/// Null-move pruning: if passing still reaches beta, a real move will. Returns the depth of the
/// search after it, or `None` where passing proves nothing. Never twice in a row, nor without
/// pieces, where zugzwang is likely.
#[inline]
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

/// `ProbCut`: if a good capture reaches a raised beta at reduced depth, the node will reach beta.
/// Returns the raised beta if it is worth trying.
#[inline]
pub(crate) fn probcut_beta(node: &Node, p: &Params) -> Option<Value> {
    (!node.pv && !node.in_check && node.depth >= p.probcut_depth && node.beta.abs() < CLEAR)
        .then(|| node.beta + p.probcut_margin - p.probcut_improving * i32::from(node.improving))
}

/// `ProbCut` by the table alone ("small `ProbCut`"): a lower bound far above beta, nearly as deep
/// as the node.
#[inline]
pub(crate) fn probcut_by_table(node: &Node, entry: &Entry, p: &Params) -> Option<Value> {
    let raised = node.beta + p.probcut_table_margin;
    (!node.pv
        && entry.bound.is_lower()
        && entry.depth >= node.depth - PROBCUT_TABLE_PLIES
        && entry.value >= raised
        && !is_decisive(node.beta)
        && !is_decisive(entry.value))
    .then_some(raised)
}

/// Late move pruning: how many moves a shallow node tries before quiet ones are skipped.
#[inline]
pub(crate) fn late_moves(node: &Node, p: &Params) -> i32 {
    if node.depth > p.lmp_depth {
        return i32::MAX;
    }
    let moves = p.lmp_base + node.depth * node.depth;
    if node.improving || node.static_eval >= node.beta { moves } else { moves / 2 }
}

/// Futility pruning: a quiet move can't lift so low an evaluation above alpha. Returns the value it
/// might reach.
#[inline]
pub(crate) fn futile_quiet(node: &Node, depth: i32, history: i32, p: &Params) -> Option<Value> {
    let reach = node.static_eval
        + p.futility_margin
        + p.futility_slope * depth
        + history / p.futility_history;
    let shallow = !node.in_check && depth <= p.futility_depth && node.alpha < CLEAR;
    (shallow && reach <= node.alpha).then_some(reach)
}

/// Futility pruning of captures: even the captured piece doesn't make up for the evaluation.
#[inline]
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

/// History pruning: a quiet move that has failed too often, at low depth. `reduced` is the depth at
/// which it would be searched.
#[inline]
pub(crate) fn discredited(node: &Node, reduced: i32, history: i32, p: &Params) -> bool {
    reduced <= p.history_pruning_depth && history < -p.history_pruning * node.depth
}

#[cfg(test)]
mod tests {
    use chess::{Move, MoveKind, Square};

    use super::super::tt::Bound;
    use super::*;

    /// An expected cut node, far above beta.
    fn node() -> Node {
        Node { static_eval: 600, eval: 600, ..Node::new(false, true, -1, 0, 4) }
    }

    fn lower_bound(value: Value, depth: i32) -> Entry {
        Entry { m: None, value, eval: 0, depth, bound: Bound::Lower, pv: false }
    }

    #[test]
    fn reverse_futility_trusts_a_large_surplus_only() {
        let p = Params::default();
        let value = reverse_futility(&node(), &p).expect("a large surplus");
        assert!((0..=600).contains(&value), "{value}");
        let near = Node { eval: p.rfp_margin * 4 - 1, ..node() };
        assert_eq!(reverse_futility(&near, &p), None);
        let improving = Node { improving: true, ..near };
        assert!(reverse_futility(&improving, &p).is_some(), "a smaller surplus is enough");
        let unsure = Node { eval: p.rfp_margin * 4, correction: 100, ..node() };
        assert_eq!(reverse_futility(&unsure, &p), None, "a large correction asks for more");
        let hash = Some(Move::new(Square::E2, Square::E4, MoveKind::DoublePush));
        for exception in [
            Node { table_pv: true, ..node() },
            Node { in_check: true, ..node() },
            Node { hash, ..node() },
            Node { depth: p.rfp_depth + 1, eval: 9_000, ..node() },
            Node { eval: TABLEBASE_BOUND, ..node() },
            Node { beta: -CLEAR, ..node() },
        ] {
            assert_eq!(reverse_futility(&exception, &p), None, "{exception:?}");
        }
        let capture = Node { hash, tactical_hash: true, ..node() };
        assert!(reverse_futility(&capture, &p).is_some());
    }

    #[test]
    fn razoring_is_for_shallow_nodes_far_below_alpha() {
        let p = Params::default();
        let low = Node { depth: 1, eval: -p.razor_margin - 2, ..node() };
        assert!(is_hopeless(&low, &p));
        for exception in [
            Node { eval: -p.razor_margin - 1, ..low },
            Node { depth: 2, ..low },
            Node { depth: p.razor_depth + 1, eval: -9_000, ..low },
            Node { pv: true, ..low },
            Node { in_check: true, ..low },
            Node { alpha: CLEAR, ..low },
        ] {
            assert!(!is_hopeless(&exception, &p), "{exception:?}");
        }
        let deeper = Node { depth: 2, eval: low.eval - p.razor_slope, ..low };
        assert!(is_hopeless(&deeper, &p));
    }

    #[test]
    fn passing_is_for_nodes_with_pieces_where_a_cutoff_is_expected() {
        let p = Params::default();
        let depth = null_move_depth(&node(), true, &p).expect("worth a try");
        assert!(depth < node().depth);
        let surplus = Node { eval: 600 + p.null_eval, ..node() };
        assert_eq!(null_move_depth(&surplus, true, &p), Some(depth - 1));
        assert_eq!(null_move_depth(&node(), false, &p), None);
        for exception in [
            Node { cut: false, ..node() },
            Node { in_check: true, ..node() },
            Node { depth: p.null_depth - 1, ..node() },
            Node { eval: -1, ..node() },
            Node { static_eval: p.null_margin - 4 * p.null_slope - 1, ..node() },
            Node { beta: -CLEAR, ..node() },
        ] {
            assert_eq!(null_move_depth(&exception, true, &p), None, "{exception:?}");
        }
    }

    #[test]
    fn probcut_raises_beta_less_if_the_position_improves() {
        let p = Params::default();
        let deep = Node { depth: p.probcut_depth, ..node() };
        assert_eq!(probcut_beta(&deep, &p), Some(p.probcut_margin));
        let improving = Node { improving: true, ..deep };
        assert_eq!(probcut_beta(&improving, &p), Some(p.probcut_margin - p.probcut_improving));
        for exception in [
            Node { depth: p.probcut_depth - 1, ..deep },
            Node { pv: true, ..deep },
            Node { in_check: true, ..deep },
            Node { beta: CLEAR, ..deep },
            Node { beta: -CLEAR, ..deep },
        ] {
            assert_eq!(probcut_beta(&exception, &p), None, "{exception:?}");
        }
    }

    #[test]
    fn a_bound_in_the_table_cuts_only_if_it_is_deep_and_high() {
        let p = Params::default();
        let raised = p.probcut_table_margin;
        let cut = |entry: Entry| probcut_by_table(&node(), &entry, &p);
        assert_eq!(cut(lower_bound(raised, 0)), Some(raised));
        assert_eq!(cut(lower_bound(raised - 1, 0)), None);
        assert_eq!(cut(lower_bound(raised, -1)), None);
        assert_eq!(cut(lower_bound(TABLEBASE_BOUND, 0)), None, "a known win is not a guess");
        assert_eq!(cut(Entry { bound: Bound::Upper, ..lower_bound(raised, 0) }), None);
        let open = Node { pv: true, ..node() };
        assert_eq!(probcut_by_table(&open, &lower_bound(raised, 0), &p), None);
    }

    #[test]
    fn a_node_that_gets_worse_tries_fewer_late_moves() {
        let p = Params::default();
        let falling = Node { static_eval: -50, ..node() };
        let rising = Node { improving: true, ..falling };
        assert!(late_moves(&falling, &p) < late_moves(&rising, &p));
        assert_eq!(late_moves(&node(), &p), late_moves(&rising, &p), "above beta is as good");
        assert!(late_moves(&falling, &p) < late_moves(&Node { depth: 5, ..falling }, &p));
        let deep = Node { depth: p.lmp_depth + 1, ..falling };
        assert_eq!(late_moves(&deep, &p), i32::MAX);
    }

    #[test]
    fn a_futile_quiet_move_is_one_that_history_does_not_save() {
        let p = Params::default();
        let low = Node { static_eval: -2_000, alpha: 0, ..node() };
        let reach = -2_000 + p.futility_margin + 2 * p.futility_slope;
        assert_eq!(futile_quiet(&low, 2, 0, &p), Some(reach));
        assert_eq!(futile_quiet(&low, 2, -reach * p.futility_history, &p), Some(0));
        assert_eq!(futile_quiet(&low, 2, (1 - reach) * p.futility_history, &p), None);
        assert_eq!(futile_quiet(&low, p.futility_depth + 1, 0, &p), None);
        assert_eq!(futile_quiet(&Node { in_check: true, ..low }, 2, 0, &p), None);
        assert_eq!(futile_quiet(&Node { alpha: CLEAR, ..low }, 2, 0, &p), None);
    }

    #[test]
    fn a_futile_capture_is_one_that_its_victim_does_not_save() {
        let p = Params::default();
        let low = Node { static_eval: -2_000, alpha: 0, ..node() };
        let gap = 2_000 - p.capture_futility_margin - 2 * p.capture_futility_slope;
        assert!(futile_capture(&low, 2, gap, 0, &p));
        assert!(!futile_capture(&low, 2, gap + 1, 0, &p));
        assert!(!futile_capture(&low, 2, gap, p.capture_futility_history, &p));
        assert!(!futile_capture(&low, p.capture_futility_depth + 1, 100, 0, &p));
        assert!(!futile_capture(&Node { in_check: true, ..low }, 2, gap, 0, &p));
        assert!(!futile_capture(&Node { alpha: CLEAR, ..low }, 2, gap, 0, &p));
    }

    #[test]
    fn history_prunes_shallow_moves_that_failed_too_often() {
        let p = Params::default();
        let least = -p.history_pruning * node().depth;
        assert!(discredited(&node(), p.history_pruning_depth, least - 1, &p));
        assert!(!discredited(&node(), p.history_pruning_depth, least, &p));
        assert!(!discredited(&node(), p.history_pruning_depth + 1, least - 1, &p));
    }
}
