//! Defenders that are captured, lured away, or have too much to do.

use chess::Square;

use super::case::{Case, Finding};
use super::hanging::is_loose;
use super::ray::attacks;
use crate::board::captured_on;
use crate::report::Motif;

/// A defender is captured, and then what it defended falls.
pub(crate) fn removed(case: &Case<'_>) -> Option<Finding> {
    case.own_moves().take(2).find_map(|(key, before, m)| {
        let defender = captured_on(before, m)?;
        let prize = fallen(case, key)?;
        let guarded = attacks(before, defender, prize) && prize != defender;
        // Nobody else guards it well enough, and it wasn't loose before.
        let was_safe = !is_loose(before, prize);
        (guarded && was_safe)
            .then(|| Finding::new(Motif::RemovedDefender, key, m.from(), vec![prize, defender]))
    })
}

/// A defender must move, and what it defended falls. If it has taken something, it had two things
/// to defend: it is overloaded.
pub(crate) fn deflected(case: &Case<'_>) -> Option<Finding> {
    case.own_moves().take(2).find_map(|(key, before, m)| {
        let after = &case.line.positions[key + 1];
        let (_, reply) = case.at(key + 1)?;
        let defender = reply.from();
        let prize = fallen(case, key)?;
        let (then, _) = case.at(key + 2)?;
        let guarded = attacks(after, defender, prize) && prize != defender;
        let let_go = !attacks(then, reply.to(), prize);
        let was_safe = !is_loose(before, prize);
        if !guarded || !let_go || !was_safe || prize == reply.to() {
            return None;
        }
        // It was forced: it took what the move offered, or answered a check.
        let took = captured_on(after, reply) == Some(m.to());
        if !took && !after.is_check() {
            return None;
        }
        let overloaded = took && before.piece_on(m.to()).is_some();
        let motif = if overloaded { Motif::Overload } else { Motif::Deflection };
        Some(Finding::new(motif, key, m.from(), vec![prize, defender]))
    })
}

/// What the next own move after an index takes: a piece that stood there all the time, in an
/// exchange that pays.
fn fallen(case: &Case<'_>, key: usize) -> Option<Square> {
    let (then, capture) = case.at(key + 2)?;
    let prize = captured_on(then, capture)?;
    let before = &case.line.positions[key];
    let stood = before.piece_on(prize) == then.piece_on(prize);
    (stood && engine::exchange(then, capture) >= 100 && case.prize(key + 2).is_some())
        .then_some(prize)
}
