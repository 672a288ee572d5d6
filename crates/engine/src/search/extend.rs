//! Moves that deserve a deeper search.

use chess::{Move, Position};

use super::checks::Checks;
use super::node::Node;
use super::params::Params;
use super::see::wins_at_least;
use super::tt::{Bound, Entry};
use super::value::{Value, blended, is_decisive};

/// Plies by which a table entry may be shallower than the node whose TT move may be singular.
const SINGULAR_TABLE_PLIES: i32 = 3;

/// Negative extension of a TT move that is not singular, but reaches beta by the table; one ply
/// less on the principal variation.
const REACHES_BETA: i32 = -3;

/// Negative extension of a TT move that is not singular, at an expected cut node.
const CUT_NODE: i32 = -2;

/// Check extension: near the horizon, a check that loses no material is searched one ply deeper.
#[inline]
pub(crate) fn is_safe_check(
    position: &Position,
    m: Move,
    depth: i32,
    checks: &Checks,
    p: &Params,
) -> bool {
    depth <= p.check_extension_depth
        && checks.given_by(position, m)
        && wins_at_least(position, m, 0)
}

/// Whether the TT move may be far better than all others, so that a singular search is worth it.
#[inline]
pub(crate) fn may_be_singular(entry: &Entry, depth: i32, p: &Params) -> bool {
    depth >= p.singular_depth
        && entry.bound.is_lower()
        && entry.bound != Bound::None
        && entry.depth >= depth - SINGULAR_TABLE_PLIES
        && !is_decisive(entry.value)
}

/// The value that no other move may reach for the TT move to be singular.
#[inline]
pub(crate) fn singular_beta(entry: &Entry, depth: i32, pv: bool, p: &Params) -> Value {
    entry.value
        - (p.singular_margin + if entry.pv && !pv { p.singular_margin_pv } else { 0 }) * depth / 16
}

/// What the search without the TT move means for it.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Singularity {
    /// Extend it by this many plies; a negative number reduces it ("negative extension").
    Extend(i32),
    /// Other moves reach beta as well: the node is decided ("multi-cut").
    MultiCut(Value),
}

/// Singular extension: if every other move is worse by a margin, the move is forced, and what
/// follows deserves more depth; by a wide margin even more. If others reach beta, too, cut. Worth
/// +58 ± 39 Elo (200 games at 8,000 nodes per move).
#[inline]
pub(crate) fn singularity(
    value: Value,
    singular_beta: Value,
    depth: i32,
    entry_value: Value,
    node: &Node,
    p: &Params,
) -> Singularity {
    let Node { pv, cut, beta, correction, .. } = *node;
    if value < singular_beta {
        // On the principal variation, where extensions cost most, only by a wide margin.
        let wider = if pv { p.singular_pv } else { 0 } - p.singular_correction * correction / 128;
        let double = value < singular_beta - p.singular_double - wider;
        let triple = value < singular_beta - p.singular_triple - wider;
        Singularity::Extend(1 + i32::from(double) + i32::from(triple))
    } else if value >= beta && !is_decisive(value) {
        Singularity::MultiCut(blended(value, beta, depth))
    } else if entry_value >= beta {
        Singularity::Extend(REACHES_BETA + i32::from(pv))
    } else if cut {
        Singularity::Extend(CUT_NODE)
    } else {
        Singularity::Extend(0)
    }
}

#[cfg(test)]
mod tests {
    use chess::UciMove;

    use super::super::value::mate_in;
    use super::*;

    fn entry(value: Value, depth: i32) -> Entry {
        Entry { m: None, value, eval: 0, depth, bound: Bound::Lower, pv: false }
    }

    #[test]
    fn a_check_that_loses_nothing_is_safe_near_the_horizon() {
        let p = Params::default();
        let position: Position = "4k3/8/1n6/8/8/8/8/Q5K1 w - - 0 1".parse().expect("legal");
        let checks = Checks::new(&position);
        let safe = |text: &str, depth: i32| {
            let m = text.parse::<UciMove>().expect("a move").to_move(&position).expect("legal");
            is_safe_check(&position, m, depth, &checks, &p)
        };
        assert!(safe("a1e5", p.check_extension_depth));
        assert!(!safe("a1e5", p.check_extension_depth + 1), "too far from the horizon");
        assert!(!safe("a1a8", 1), "the knight takes the queen");
        assert!(!safe("a1a7", 1), "no check");
    }

    #[test]
    fn only_a_deep_lower_bound_may_be_singular() {
        let p = Params::default();
        let depth = p.singular_depth;
        assert!(may_be_singular(&entry(30, depth - 3), depth, &p));
        assert!(!may_be_singular(&entry(30, depth - 4), depth, &p));
        assert!(!may_be_singular(&entry(30, depth), depth - 1, &p));
        assert!(!may_be_singular(&entry(mate_in(9), depth), depth, &p));
        for (bound, may) in [(Bound::Exact, true), (Bound::Upper, false), (Bound::None, false)] {
            assert_eq!(may_be_singular(&Entry { bound, ..entry(30, depth) }, depth, &p), may);
        }
    }

    #[test]
    fn the_margin_of_a_singular_move_grows_with_depth_and_after_the_principal_variation() {
        let p = Params::default();
        assert_eq!(singular_beta(&entry(30, 8), 16, false, &p), 30 - p.singular_margin);
        assert_eq!(singular_beta(&entry(30, 8), 8, false, &p), 30 - p.singular_margin / 2);
        let once_pv = Entry { pv: true, ..entry(30, 8) };
        let wider = p.singular_margin + p.singular_margin_pv;
        assert_eq!(singular_beta(&once_pv, 16, false, &p), 30 - wider);
        assert_eq!(singular_beta(&once_pv, 16, true, &p), 30 - p.singular_margin);
    }

    #[test]
    fn a_move_that_stands_out_is_extended_and_one_that_does_not_cuts_or_is_reduced() {
        let p = Params::default();
        let judge = |value, pv, correction| {
            let node = Node { correction, ..Node::new(pv, !pv, 0, 100, 13) };
            singularity(value, 0, 6, 150, &node, &p)
        };
        assert_eq!(judge(-1, false, 0), Singularity::Extend(1));
        assert_eq!(judge(-1 - p.singular_double, false, 0), Singularity::Extend(2));
        assert_eq!(judge(-1 - p.singular_triple, false, 0), Singularity::Extend(3));
        assert_eq!(judge(-1 - p.singular_double, true, 0), Singularity::Extend(1));
        assert_eq!(judge(-1 - p.singular_double - p.singular_pv, true, 0), Singularity::Extend(2));
        // With a large correction the evaluation is uncertain, and a deeper search is worth more.
        assert_eq!(judge(-p.singular_double, false, 10), Singularity::Extend(2));
        let Singularity::MultiCut(value) = judge(140, false, 0) else { panic!("others hold beta") };
        assert!((100..=140).contains(&value));
        assert_eq!(judge(50, false, 0), Singularity::Extend(-3));
        assert_eq!(judge(50, true, 0), Singularity::Extend(-2));
        let below = |cut| singularity(50, 0, 6, 80, &Node::new(false, cut, 0, 100, 13), &p);
        assert_eq!([below(true), below(false)], [-2, 0].map(Singularity::Extend));
    }
}
