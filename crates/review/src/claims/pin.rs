//! Pins that matter: the pinned piece falls, or can't take back.

use chess::{Position, Role, Square};

use super::case::{Case, Finding};
use super::ray::attacks;
use crate::board::captured_on;
use crate::report::Motif;

/// A capture that pays because a piece is pinned to its king: the piece taken, which could have
/// moved away, or one that could have taken back.
pub(crate) fn pin(case: &Case<'_>) -> Option<Finding> {
    case.own_moves().take(3).find_map(|(key, before, m)| {
        let taken = captured_on(before, m)?;
        if engine::exchange(before, m) < 100 {
            return None;
        }
        let after = &case.line.positions[key + 1];
        let pinned = idle_guard(after, m.to()).or_else(|| fallen(case, key, taken))?;
        let mut targets = vec![taken];
        if pinned != taken {
            targets.push(pinned);
        }
        Some(Finding::new(Motif::Pin, key, m.from(), targets))
    })
}

/// A piece that attacks a square and can't take there, because it is pinned, when nobody else can.
fn idle_guard(after: &Position, square: Square) -> Option<Square> {
    let retakes = after.legal_moves().into_iter().any(|m| captured_on(after, m) == Some(square));
    if retakes || after.is_check() {
        return None;
    }
    let pinned = after.pinned();
    pinned.into_iter().find(|&guard| attacks(after, guard, square))
}

/// Whether the piece that is taken was pinned a move before, could only have moved away along the
/// pin, and had somewhere to go otherwise.
fn fallen(case: &Case<'_>, key: usize, taken: Square) -> Option<Square> {
    let (earlier, reply) = case.at(key.checked_sub(1)?)?;
    let piece = earlier.piece_on(taken)?;
    let officer = !matches!(piece.role(), Role::Pawn | Role::King);
    let held = earlier.pinned().has(taken) && reply.from() != taken;
    (officer && held && !earlier.is_check()).then_some(taken)
}
