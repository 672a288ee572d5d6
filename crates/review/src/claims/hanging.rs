//! Pieces that can be taken for nothing or for less, and exchanges that were miscounted.

use chess::{Bitboard, Position, Square, between};

use super::case::{Case, Finding};
use crate::board::{best_capture_of, captured_on, landing, threat_on};
use crate::report::{Motif, Origin};

/// An exchange is won from this many centipawns.
const WON: i32 = 100;

/// The first move of the line takes something, the exchange on that square pays, the material is
/// kept two plies later, and it is a good part of what the line gains: a pawn taken on the way to a
/// queen wasn't the point.
pub(crate) fn hanging(case: &Case<'_>) -> Option<Finding> {
    let (position, m) = case.at(0)?;
    let target = captured_on(position, m)?;
    let winner = case.winner();
    let pays = engine::exchange(position, m);
    let all = case.line.gain(winner, case.line.moves.len());
    if pays < WON || case.line.gain(winner, 3) < 1 || 5 * pays < 200 * all {
        return None;
    }
    let mut finding = Finding::new(Motif::Hanging, 0, m.from(), vec![target]);
    if let Some((root, played)) = case.after {
        if root.is_capture(played) && landing(root, played) == target {
            // It took something there, and is taken. If it took less, the exchange was miscounted;
            // otherwise it was a fair trade, and something else went wrong.
            finding.motif = Motif::Exchange;
            finding.origin = Origin::Placed;
            return (engine::exchange(root, played) <= -WON / 2).then_some(finding);
        }
        finding.origin = origin(root, played, position, m.from(), target);
    }
    if is_long_exchange(case, target) {
        finding.motif = Motif::Exchange;
    }
    Some(finding)
}

/// Whether more than one pair of pieces is exchanged on a square.
fn is_long_exchange(case: &Case<'_>, target: Square) -> bool {
    let there = |index: usize| {
        case.at(index).is_some_and(|(position, m)| captured_on(position, m) == Some(target))
    };
    (0..3).all(there)
}

/// What the criticised move did to make a capture possible.
fn origin(
    root: &Position,
    played: chess::Move,
    after: &Position,
    capturer: Square,
    target: Square,
) -> Origin {
    if landing(root, played) == target {
        return Origin::Placed;
    }
    if threat_on(root, target) >= WON {
        return Origin::Ignored;
    }
    // The move left a square between the capturer and its target.
    if (between(capturer, target) & Bitboard::of(played.from())).any()
        && !(between(capturer, target) & after.occupied()).any()
    {
        return Origin::Opened;
    }
    let guarded = root.attackers(target, root.occupied()).has(played.from());
    if guarded { Origin::Undefended } else { Origin::Plain }
}

/// What the side to move could take at once on a square, if it pays.
pub(crate) fn is_loose(position: &Position, square: Square) -> bool {
    best_capture_of(position, square).is_some_and(|capture| capture.worth >= WON)
}

/// The same for the side that has just moved, if the other passed.
pub(crate) fn is_threatened(position: &Position, square: Square) -> bool {
    threat_on(position, square) >= WON
}
