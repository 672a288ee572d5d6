//! Pawns that run.

use chess::Role;

use super::case::{Case, Finding};
use crate::board::{captured, captured_on, mover};
use crate::report::Motif;

/// A pawn of the side that gains promotes, or a piece is given for one that was about to.
pub(crate) fn passed(case: &Case<'_>) -> Option<Finding> {
    let promotes = case.own_moves().find(|(_, _, m)| m.promotion().is_some());
    if let Some((key, position, m)) = promotes {
        let kept = case.line.gain(case.winner(), case.line.moves.len()) >= 1;
        let actor = m.from();
        debug_assert_eq!(mover(position, m), Role::Pawn, "only pawns promote");
        return kept.then(|| Finding::new(Motif::PassedPawn, key, actor, vec![m.to()]));
    }
    // A piece takes a pawn on one of its last two ranks, and is taken.
    case.own_moves().skip(1).find_map(|(key, position, m)| {
        let (before, reply) = case.at(key - 1)?;
        let taken = captured_on(position, m).filter(|&square| square == reply.to())?;
        let gave =
            captured(before, reply) == Some(Role::Pawn) && mover(before, reply) != Role::Pawn;
        let last = if case.winner() == chess::Color::White { 6 } else { 1 };
        let far = taken.rank().index().abs_diff(last) <= 1;
        let paid = captured(position, m).is_some_and(|role| crate::board::worth(role) >= 3);
        (gave && far && paid).then(|| Finding::new(Motif::PassedPawn, key - 2, taken, vec![taken]))
    })
}
