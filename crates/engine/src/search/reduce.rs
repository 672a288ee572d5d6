//! How much less deep the later moves of a node are searched: worth +91 ± 41 Elo.

use super::params::Params;
use super::value::{MAX_PLY, Value};

/// Logarithms of depths and move numbers, from which reductions are made.
#[derive(Debug)]
pub(crate) struct Reductions {
    logs: Box<[f32]>,
}

impl Reductions {
    pub(crate) fn new() -> Self {
        Self { logs: (0..=MAX_PLY).map(|n| (n.max(1) as f32).ln()).collect() }
    }

    /// The reduction in 1/1024 ply. It grows with the logarithm of depth and of the move's number:
    /// late moves at great depth are reduced most.
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

/// What speaks for or against reducing a move, besides its number.
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
    /// There is no move in the table.
    pub(crate) no_hash: bool,
    /// The table's value is above alpha.
    pub(crate) table_high: bool,
    /// The table's value comes from a search as deep as this one.
    pub(crate) table_deep: bool,
    /// The table's move is a capture: a quiet move is unlikely to be better.
    pub(crate) table_capture: bool,
    pub(crate) gives_check: bool,
    pub(crate) killer: bool,
    /// The node after the move has failed high often.
    pub(crate) many_cutoffs: bool,
    pub(crate) history: i32,
}

/// The change of a reduction by those signs, in 1/1024 ply.
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

#[cfg(test)]
mod tests {
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
}
