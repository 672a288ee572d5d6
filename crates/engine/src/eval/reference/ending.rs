//! Endings in which we are the stronger side.

use chess::Role;

use super::kpk;
use super::view::{At, View, all_squares, is_light, steps};

fn force(view: &View, ours: bool) -> i32 {
    view.count(ours, Role::Knight) * 3
        + view.count(ours, Role::Bishop) * 3
        + view.count(ours, Role::Rook) * 5
        + view.count(ours, Role::Queen) * 9
}

/// The scale of our endgame advantage, out of 64.
pub fn scale(view: &View) -> i32 {
    let (own, enemy) = (force(view, true), force(view, false));
    let pawns = view.find(true, Role::Pawn);
    let (knights, bishops) = (view.count(true, Role::Knight), view.find(true, Role::Bishop));
    if pawns.is_empty() {
        let two_knights = own == knights * 3 && knights <= 2;
        let same = bishops.iter().all(|&at| is_light(at) == is_light(bishops[0]));
        return if two_knights || same && own == bishops.len() as i32 * 3 {
            0
        } else if own - enemy > 3 {
            64
        } else if own < 5 {
            0
        } else if enemy <= 3 {
            6
        } else {
            16
        };
    }
    if let Some(won) = lone_pawn(view) {
        return if won { 64 } else { 0 };
    }
    if stopped_in_corner(view, &pawns, &bishops) {
        return 0;
    }
    let theirs = view.find(false, Role::Bishop);
    if bishops.len() == 1 && theirs.len() == 1 && is_light(bishops[0]) != is_light(theirs[0]) {
        let passed = pawns.iter().filter(|&&at| view.is_passed(true, at)).count() as i32;
        let officers = all_squares().filter(|&at| view.has(at, true) && !view.is_pawn(at));
        let bare = own == 3 && enemy == 3;
        let scale = if bare { 20 + 5 * passed } else { 38 + 3 * officers.count() as i32 };
        return scale.min(64);
    }
    if own == 5 && enemy == 5 && view.count(true, Role::Rook) == 1 {
        let one_wing = pawns.iter().all(|at| at.0 < 4) || pawns.iter().all(|at| at.0 >= 4);
        let near = pawns.iter().all(|&at| steps(at, view.king(false)) <= 3);
        let few = pawns.len() as i32 <= view.count(false, Role::Pawn) + 1;
        return if one_wing && near && few { 38 } else { 58 };
    }
    (42 + 6 * pawns.len() as i32).min(64)
}

/// With only kings and a pawn of ours on the board: whether it wins.
fn lone_pawn(view: &View) -> Option<bool> {
    let men = all_squares().filter(|&at| !view.empty(at)).count();
    let pawn = *view.find(true, Role::Pawn).first()?;
    (men == 3).then(|| kpk::wins(view, pawn))
}

/// All our pawns are on one rook file, their king holds the corner, and we have only bishops that
/// can't control it.
fn stopped_in_corner(view: &View, pawns: &[At], bishops: &[At]) -> bool {
    let corner = (pawns[0].0, 7);
    let others = [Role::Knight, Role::Rook, Role::Queen];
    others.iter().all(|&role| view.count(true, role) == 0)
        && (corner.0 == 0 || corner.0 == 7)
        && pawns.iter().all(|at| at.0 == corner.0)
        && bishops.iter().all(|&at| is_light(at) != is_light(corner))
        && steps(view.king(false), corner) <= 1
}

/// Mop-up: our bonus for driving a king without pawns to the edge.
pub fn mop_up(view: &View) -> i32 {
    if lone_pawn(view) == Some(true) {
        return 400;
    }
    let (own, enemy) = (force(view, true), force(view, false));
    if view.count(false, Role::Pawn) > 0 || own < enemy + 4 || enemy > 5 {
        return 0;
    }
    let prey = view.king(false);
    let near = 7 - steps(view.king(true), prey);
    let from_center = |line: i32| if line < 4 { 3 - line } else { line - 4 };
    let edge = from_center(prey.0) + from_center(prey.1);
    if enemy > 0 {
        return 10 * edge + 6 * near;
    }
    let bishops = view.find(true, Role::Bishop);
    let knights = view.count(true, Role::Knight);
    let heavy = view.count(true, Role::Rook) + view.count(true, Role::Queen);
    let pair = bishops.iter().any(|&at| is_light(at)) && bishops.iter().any(|&at| !is_light(at));
    if heavy == 0 && !pair && (bishops.is_empty() || knights == 0) && knights < 3 {
        return 0;
    }
    if own == 6 && knights == 1 {
        // Bishop and knight: only the corners of the bishop's color will do. Count the steps there
        // by the diagonals of the other color.
        let light = is_light(bishops[0]);
        let file = if light { 7 - prey.0 } else { prey.0 };
        let away = 7 - (7 - file - prey.1).abs();
        return 2000 + 400 * (7 - away) + 20 * near + 8 * edge;
    }
    2000 + 40 * edge + 20 * near
}
