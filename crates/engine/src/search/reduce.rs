//! Reductions of moves and nodes.
//!
//! Late move reductions (LMR) are worth +91 ± 41 Elo (200 games at 8,000 nodes per move).

use super::node::Node;
use super::params::Params;
use super::value::{MAX_PLY, NONE, Value, is_decisive};

/// Logarithms of depths and move numbers, the basis of reductions.
#[derive(Debug)]
pub(crate) struct Reductions {
    logs: Box<[f32]>,
}

impl Reductions {
    pub(crate) fn new() -> Self {
        Self { logs: (0..=MAX_PLY).map(|n| (n.max(1) as f32).ln()).collect() }
    }

    /// The base reduction in 1/1024 ply. It grows with the logarithms of depth and of the move's
    /// number: late moves at high depth are reduced most.
    #[inline]
    pub(crate) fn base(&self, depth: i32, moves: i32, quiet: bool, p: &Params) -> i32 {
        let log = |n: i32| self.logs[(n.max(1) as usize).min(MAX_PLY)];
        let (base, scale) = if quiet {
            (p.lmr_base, p.lmr_scale)
        } else {
            (p.lmr_capture_base, p.lmr_capture_scale)
        };
        (base as f32 + scale as f32 * log(depth) * log(moves)) as i32
    }
}

/// Signs for and against reducing a late move, besides its number.
#[derive(Copy, Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "independent signs")]
pub(crate) struct Signs {
    pub(crate) quiet: bool,
    pub(crate) cut: bool,
    /// The node is, or once was, on the principal variation.
    pub(crate) pv: bool,
    pub(crate) improving: bool,
    /// How far the evaluation has risen.
    pub(crate) improvement: Value,
    /// How far corrections have moved the evaluation.
    pub(crate) correction: Value,
    /// There is no TT move.
    pub(crate) no_hash: bool,
    /// The table's value is above alpha.
    pub(crate) table_high: bool,
    /// The table's entry is at least as deep as this node.
    pub(crate) table_deep: bool,
    /// The TT move is a capture: a quiet move is unlikely to be better.
    pub(crate) table_capture: bool,
    pub(crate) gives_check: bool,
    pub(crate) killer: bool,
    /// The node after the move has failed high often.
    pub(crate) many_cutoffs: bool,
    /// The stat score: the sum of its histories.
    pub(crate) history: i32,
}

/// The adjustment of a reduction by those signs, in 1/1024 ply.
#[inline]
pub(crate) fn adjustment(s: &Signs, p: &Params) -> i32 {
    let when = |sign: bool, amount: i32| if sign { amount } else { 0 };
    when(s.cut, p.lmr_cut + when(s.no_hash, p.lmr_no_hash))
        + when(!s.improving, p.lmr_worsening)
        + when(s.table_capture && s.quiet, p.lmr_table_capture)
        + when(s.many_cutoffs, p.lmr_cutoffs)
        - when(
            s.pv,
            p.lmr_pv + when(s.table_high, p.lmr_pv_high) + when(s.table_deep, p.lmr_pv_deep),
        )
        - p.lmr_improvement * s.improvement.clamp(-100, 100) / 16
        - p.lmr_correction * s.correction / 16
        - when(s.gives_check, p.lmr_check)
        - when(s.killer, p.lmr_killer)
        - s.history * 1024 / p.lmr_history
}

/// The depth at which a reduced move that beat alpha is re-searched: deeper if it is much better, a
/// ply less if it is hardly better.
#[inline]
pub(crate) fn research_depth(
    depth: i32,
    value: Value,
    alpha: Value,
    root: bool,
    p: &Params,
) -> i32 {
    depth + i32::from(value > alpha + p.lmr_deeper + p.lmr_deeper_slope * depth)
        - i32::from(value < alpha + depth && !root)
}

/// Hindsight reduction: plies that a node gains or loses because of what its static eval says about
/// the move that led to it. A heavily reduced move that didn't make things better deserves another
/// look; a lightly reduced one that made things much worse for its side deserves less.
///
/// `reduction` is how far the move was reduced, `before` the static eval before it.
#[inline]
pub(crate) fn hindsight(
    reduction: i32,
    before: Value,
    depth: i32,
    static_eval: Value,
    p: &Params,
) -> i32 {
    if before == NONE {
        return 0;
    }
    let worsening = static_eval > -before;
    if reduction >= p.hindsight_deeper && !worsening {
        1
    } else if reduction >= p.hindsight_shallower
        && depth >= 2
        && static_eval + before > p.hindsight_margin
    {
        -1
    } else {
        0
    }
}

/// Internal iterative reduction (IIR): without a TT move, a shallower search comes first. Returns
/// the plies to subtract.
#[inline]
pub(crate) fn internal_reduction(node: &Node, p: &Params) -> i32 {
    i32::from((node.pv || node.cut) && node.depth >= p.iir_depth && node.hash.is_none())
}

/// The plies that the remaining moves lose after one has raised alpha to `value`.
#[inline]
pub(crate) fn alpha_raise_reduction(depth: i32, value: Value, p: &Params) -> i32 {
    i32::from((p.raised_from..=p.raised_to).contains(&depth) && !is_decisive(value))
}

#[cfg(test)]
mod tests {
    use chess::{Move, MoveKind, Square};

    use super::super::value::mate_in;
    use super::*;

    fn signs() -> Signs {
        Signs {
            quiet: true,
            cut: false,
            pv: false,
            improving: true,
            improvement: 0,
            correction: 0,
            no_hash: false,
            table_high: false,
            table_deep: false,
            table_capture: false,
            gives_check: false,
            killer: false,
            many_cutoffs: false,
            history: 0,
        }
    }

    #[test]
    fn each_sign_points_the_right_way() {
        let p = Params::default();
        assert_eq!(adjustment(&signs(), &p), 0);
        let more = [
            Signs { cut: true, ..signs() },
            Signs { cut: true, no_hash: true, ..signs() },
            Signs { improving: false, improvement: -40, ..signs() },
            Signs { table_capture: true, ..signs() },
            Signs { many_cutoffs: true, ..signs() },
            Signs { history: -5_000, ..signs() },
        ];
        let less = [
            Signs { pv: true, ..signs() },
            Signs { pv: true, table_high: true, table_deep: true, ..signs() },
            Signs { improvement: 40, ..signs() },
            Signs { correction: 40, ..signs() },
            Signs { gives_check: true, ..signs() },
            Signs { killer: true, ..signs() },
            Signs { history: 5_000, ..signs() },
        ];
        assert!(more.iter().all(|signs| adjustment(signs, &p) > 0));
        assert!(less.iter().all(|signs| adjustment(signs, &p) < 0));
    }

    #[test]
    fn later_and_deeper_means_more() {
        let p = Params::default();
        let r = Reductions::new();
        assert!(r.base(12, 20, true, &p) > r.base(12, 5, true, &p));
        assert!(r.base(12, 20, true, &p) > r.base(5, 20, true, &p));
        assert!(r.base(12, 20, true, &p) > r.base(12, 20, false, &p));
        assert!(r.base(500, 736, true, &p) >= r.base(240, 240, true, &p));
    }
    #[test]
    fn a_capture_is_reduced_no_more_because_the_table_has_one() {
        let p = Params::default();
        let capture = Signs { quiet: false, ..signs() };
        assert_eq!(
            adjustment(&Signs { table_capture: true, ..capture }, &p),
            adjustment(&capture, &p)
        );
    }

    #[test]
    fn the_better_a_reduced_move_the_deeper_the_second_look() {
        let p = Params::default();
        let much = p.lmr_deeper + 8 * p.lmr_deeper_slope;
        let again = |value, root| research_depth(8, value, 0, root, &p);
        assert_eq!(again(much + 1, false), 9);
        assert_eq!(again(much, false), 8);
        assert_eq!(again(8, false), 8);
        assert_eq!(again(7, false), 7);
        assert_eq!(again(7, true), 8, "moves of the root lose nothing");
    }

    #[test]
    fn hindsight_corrects_reductions_that_the_evaluation_contradicts() {
        let p = Params::default();
        // The evaluation was 50 for the side that moved; now the other side is to move.
        let plies = |reduction, depth, now| hindsight(reduction, 50, depth, now, &p);
        assert_eq!(plies(p.hindsight_deeper, 5, -50), 1);
        assert_eq!(plies(p.hindsight_deeper - 1, 5, -50), 0);
        assert_eq!(plies(p.hindsight_deeper, 5, -49), 0);
        let worse = p.hindsight_margin - 50 + 1;
        assert_eq!(plies(p.hindsight_shallower, 5, worse), -1);
        assert_eq!(plies(p.hindsight_shallower, 5, worse - 1), 0);
        assert_eq!(plies(p.hindsight_shallower - 1, 5, worse), 0);
        assert_eq!(plies(p.hindsight_shallower, 1, worse), 0);
        assert_eq!(hindsight(9, NONE, 5, 0, &p), 0, "in check there is nothing to compare with");
    }

    #[test]
    fn deep_nodes_without_a_table_move_are_reduced() {
        let p = Params::default();
        let cut = Node::new(false, true, 0, 1, p.iir_depth);
        assert_eq!(internal_reduction(&cut, &p), 1);
        assert_eq!(internal_reduction(&Node { pv: true, cut: false, ..cut }, &p), 1);
        assert_eq!(internal_reduction(&Node { cut: false, ..cut }, &p), 0);
        assert_eq!(internal_reduction(&Node { depth: p.iir_depth - 1, ..cut }, &p), 0);
        let hash = Some(Move::new(Square::E2, Square::E4, MoveKind::DoublePush));
        assert_eq!(internal_reduction(&Node { hash, ..cut }, &p), 0);
    }

    #[test]
    fn a_raised_alpha_reduces_the_rest_at_middling_depths() {
        let p = Params::default();
        assert_eq!(alpha_raise_reduction(p.raised_from, 30, &p), 1);
        assert_eq!(alpha_raise_reduction(p.raised_to, 30, &p), 1);
        assert_eq!(alpha_raise_reduction(p.raised_from - 1, 30, &p), 0);
        assert_eq!(alpha_raise_reduction(p.raised_to + 1, 30, &p), 0);
        assert_eq!(alpha_raise_reduction(p.raised_from, mate_in(5), &p), 0);
    }
}
