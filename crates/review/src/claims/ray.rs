//! Skewers and discovered attacks: what happens along the ray of a bishop, rook or queen.

use chess::{Position, Role, Square, between, officer_attacks};

use super::case::{Case, Finding};
use super::hanging::{is_loose, is_threatened};
use crate::board::{captured_on, worth};
use crate::report::Motif;

/// A move attacks a piece along a ray; it leaves, and the one behind it falls to the attacker.
pub(crate) fn skewer(case: &Case<'_>) -> Option<Finding> {
    case.own_moves().take(2).find_map(|(key, before, m)| {
        let slider = case.lands(key)?;
        let after = &case.line.positions[key + 1];
        let (_, reply) = case.at(key + 1)?;
        let (then, capture) = case.at(key + 2)?;
        let rear = captured_on(then, capture).filter(|_| capture.from() == slider)?;
        let front = reply.from();
        let on_ray = between(slider, rear).has(front);
        let front_role = after.piece_on(front)?.role();
        let rear_role = after.piece_on(rear)?.role();
        let dearer = front_role == Role::King
            || front_role != Role::Pawn && worth(front_role) >= worth(rear_role);
        let stood = after.piece_on(rear) == then.piece_on(rear);
        let attacks = attacks(after, slider, front);
        let left = !between(slider, rear).has(reply.to());
        let is_new = !(before.piece_on(rear).is_some() && is_loose(before, rear));
        // The slider must be safe, or the front piece would simply take it, which must have to leave.
        let safe = !is_loose(after, slider);
        let driven = front_role == Role::King || is_threatened(after, front);
        let holds = on_ray && dearer && stood && attacks && left && is_new && safe && driven;
        (holds && pays(then, capture))
            .then(|| Finding::new(Motif::Skewer, key, m.from(), vec![rear, front]))
    })
}

/// A piece leaves a ray, and the one behind it takes what it attacks now, or gives check while the
/// first one takes something.
pub(crate) fn discovered(case: &Case<'_>) -> Option<Finding> {
    case.own_moves().take(2).find_map(|(key, before, m)| {
        let after = &case.line.positions[key + 1];
        let mover = case.lands(key)?;
        let (then, capture) = case.at(key + 2)?;
        let fallen = captured_on(then, capture)?;
        if after.piece_on(fallen) != then.piece_on(fallen) || !pays(then, capture) {
            return None;
        }
        if before.piece_on(fallen).is_some() && is_loose(before, fallen) {
            return None;
        }
        let slider = capture.from();
        let opened = slider != mover
            && before.piece_on(slider) == after.piece_on(slider)
            && between(slider, fallen).has(m.from())
            && attacks(after, slider, fallen);
        if opened {
            return Some(Finding::new(Motif::Discovered, key, m.from(), vec![fallen]));
        }
        // A discovered check: the checker isn't the piece that has moved.
        let king = after.king(after.turn());
        let checker = after.checkers().into_iter().find(|&checker| checker != mover)?;
        let revealed = between(checker, king).has(m.from()) && slider == mover;
        revealed.then(|| Finding::new(Motif::Discovered, key, m.from(), vec![fallen, king]))
    })
}

fn pays(position: &Position, capture: chess::Move) -> bool {
    engine::exchange(position, capture) >= 100
}

/// Whether the piece on a square attacks another square.
pub(crate) fn attacks(position: &Position, from: Square, to: Square) -> bool {
    position.piece_on(from).is_some_and(|piece| match piece.role() {
        Role::Pawn => chess::pawn_attacks(piece.color(), from).has(to),
        role => officer_attacks(role, from, position.occupied()).has(to),
    })
}
