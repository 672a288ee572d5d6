//! Pawns that run.

use chess::{Color, Role};

use super::camp::is_passed;
use super::case::{Case, Finding};
use crate::board::{captured, captured_on, mover};
use crate::report::Motif;

/// The own moves within which a pawn must promote: later, much else has happened.
const SOON: usize = 6;

/// A pawn of the side that gains promotes.
pub(crate) fn promotes(case: &Case<'_>) -> Option<Finding> {
    let (key, position, m) =
        case.own_moves().take(SOON).find(|(_, _, m)| m.promotion().is_some())?;
    debug_assert_eq!(mover(position, m), Role::Pawn, "only pawns promote");
    let kept = case.line.gain(case.winner(), case.line.moves.len()) >= 1;
    kept.then(|| Finding::new(Motif::PassedPawn, key, m.from(), vec![m.to()]))
}

/// A piece takes a passed pawn that is about to promote, and is taken.
pub(crate) fn costs_a_piece(case: &Case<'_>) -> Option<Finding> {
    case.own_moves().skip(1).find_map(|(key, position, m)| {
        let (before, reply) = case.at(key - 1)?;
        let taken = captured_on(position, m).filter(|&square| square == reply.to())?;
        let gave =
            captured(before, reply) == Some(Role::Pawn) && mover(before, reply) != Role::Pawn;
        let last = if case.winner() == Color::White { 6 } else { 1 };
        let far = taken.rank().index() == last;
        let paid = captured(position, m).is_some_and(|role| crate::board::worth(role) >= 3);
        // It got there by itself: one that has just taken something was part of an exchange.
        let (earlier, push) = case.at(key - 2)?;
        let ran = push.to() != taken || !earlier.is_capture(push);
        let theirs = before.pieces(Role::Pawn.of(!case.winner()));
        let free = ran && is_passed(taken, theirs, case.winner());
        (gave && far && paid && free)
            .then(|| Finding::new(Motif::PassedPawn, key - 2, taken, vec![taken]))
    })
}
