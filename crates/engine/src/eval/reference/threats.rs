//! Attacks on their pieces, and space.

use chess::Role;

use super::judge::TaperedSum;
use super::view::{At, DIAGONAL, KNIGHT, STRAIGHT, View, all_squares};
use crate::eval::layout as l;

pub fn judge(view: &View, score: &mut TaperedSum) {
    for at in all_squares() {
        if let Some((false, role)) = view.man(at) {
            victim(view, score, at, role);
        }
        let contested = view.attacked(true, at) && view.attacked(false, at) && !held(view, at);
        score.add_if(contested, l::RESTRICTED, 0);
    }
    on_queen(view, score);
    space(view, score);
}

/// Whether they protect a square strongly: with a pawn, or twice where we attack it once.
fn held(view: &View, at: At) -> bool {
    view.attacked_by(false, Role::Pawn, at)
        || view.attackers(false, at) >= 2 && view.attackers(true, at) < 2
}

fn victim(view: &View, score: &mut TaperedSum, at: At, role: Role) {
    let by = |role| view.attacked_by(true, role, at);
    let index = role.index() as i32;
    let officer = role != Role::Pawn;
    let weak = view.attacked(true, at) && !held(view, at);
    if role != Role::King {
        if officer {
            score.add_if(by(Role::Pawn), l::PAWN_THREAT, index - 1);
        }
        let minor = by(Role::Knight) || by(Role::Bishop);
        score.add_if(minor && (officer || weak), l::MINOR_THREAT, index);
        score.add_if(by(Role::Rook) && (weak || role == Role::Queen), l::ROOK_THREAT, index);
    }
    score.add_if(weak && by(Role::King), l::KING_THREAT, 0);
    let free = !view.attacked(false, at) || officer && view.attackers(true, at) >= 2;
    score.add_if(weak && free, l::HANGING, 0);
    if officer {
        let pushed = [(at.0 - 1, at.1 - 1), (at.0 + 1, at.1 - 1)];
        score.add_if(pushed.into_iter().any(|to| can_push(view, to)), l::PUSH_THREAT, 0);
    }
}

/// Whether a pawn of ours can safely push to a square.
fn can_push(view: &View, (file, rank): At) -> bool {
    let pawn = |rank: i32| view.is((file, rank), true, Role::Pawn);
    let empty = |rank: i32| view.empty((file, rank));
    if !(0..8).contains(&file) || !(0..8).contains(&rank) || !empty(rank) {
        return false;
    }
    let single = pawn(rank - 1);
    let double = rank == 3 && empty(2) && pawn(1);
    let at = (file, rank);
    (single || double)
        && !view.attacked_by(false, Role::Pawn, at)
        && (view.attacked(true, at) || !view.attacked(false, at))
}

fn on_queen(view: &View, score: &mut TaperedSum) {
    let &[queen] = view.find(false, Role::Queen).as_slice() else { return };
    let calm = |at: At| {
        let pawn = view.is(at, true, Role::Pawn);
        let stuck = pawn && (at.1 == 1 || !view.empty((at.0, at.1 + 1)));
        !stuck
            && at != view.king(true)
            && !view.attacked_by(false, Role::Pawn, at)
            && !held(view, at)
    };
    for at in View::leaps(queen, &KNIGHT) {
        score.add_if(calm(at) && view.attacked_by(true, Role::Knight, at), l::KNIGHT_ON_QUEEN, 0);
    }
    for (ways, role) in [(STRAIGHT, Role::Rook), (DIAGONAL, Role::Bishop)] {
        for at in view.slide(queen, &ways, |_| true) {
            let backed = view.attacked_by(true, role, at) && view.attackers(true, at) >= 2;
            score.add_if(calm(at) && backed, l::SLIDER_ON_QUEEN, 0);
        }
    }
}

fn space(view: &View, score: &mut TaperedSum) {
    let mut squares = 0;
    for at in all_squares().filter(|at| (2..=5).contains(&at.0) && (1..=3).contains(&at.1)) {
        if view.is(at, true, Role::Pawn) || view.attacked_by(false, Role::Pawn, at) {
            continue;
        }
        squares += 1;
        let behind = (at.1 + 1..8).any(|rank| view.is((at.0, rank), true, Role::Pawn));
        squares += i32::from(behind && !view.attacked(false, at));
    }
    let pieces = all_squares().filter(|&at| view.has(at, true)).count() as i32;
    score.add(l::SPACE, 0, squares * pieces / 16);
}
