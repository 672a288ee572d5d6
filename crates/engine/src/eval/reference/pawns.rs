//! Pawns, one at a time.

use chess::Role;

use super::judge::TaperedSum;
use super::view::{At, View, all_squares, steps};
use crate::eval::layout as l;

pub fn judge(view: &View, score: &mut TaperedSum) {
    for at in view.find(true, Role::Pawn) {
        score.add(l::PAWN_SQUARES, at.1 * 8 + at.0, 1);
        structure(view, score, at);
        if view.is_passed(true, at) {
            passed(view, score, at);
        }
    }
    let late = view.find(true, Role::Pawn).into_iter().any(|at| unstoppable(view, at));
    score.add_if(late, l::UNSTOPPABLE, 0);
}

fn structure(view: &View, score: &mut TaperedSum, (file, rank): At) {
    let own = |file: i32, rank: i32| view.is((file, rank), true, Role::Pawn);
    let enemy = |file: i32, rank: i32| view.is((file, rank), false, Role::Pawn);
    let ahead = rank + 1..8;
    let opposed = i32::from(ahead.clone().any(|rank| enemy(file, rank)));
    let doubled = ahead.clone().any(|rank| own(file, rank));
    let beside = [file - 1, file + 1];
    let supporters = beside.iter().filter(|&&file| own(file, rank - 1)).count() as i32;
    let helpers: i32 =
        beside.iter().map(|&file| (0..=rank).filter(|&rank| own(file, rank)).count() as i32).sum();
    let sentries: i32 = beside
        .iter()
        .map(|&file| ahead.clone().filter(|&rank| enemy(file, rank)).count() as i32)
        .sum();

    if doubled {
        score.add(l::DOUBLED, i32::from(supporters > 0), 1);
    }
    if !view.pawn_on_file(true, file - 1) && !view.pawn_on_file(true, file + 1) {
        score.add(l::ISOLATED, opposed, 1);
    } else if helpers == 0 {
        let guarded = beside.iter().any(|&file| enemy(file, rank + 2));
        score.add_if(guarded || enemy(file, rank + 1), l::BACKWARD, opposed);
    }
    let levers = beside.iter().filter(|&&file| enemy(file, rank + 1)).count();
    score.add_if(levers == 2 && supporters == 0, l::WEAK_LEVER, 0);
    if enemy(file, rank + 1) && (rank == 4 || rank == 5) {
        score.add(l::RAMMED, rank - 4, 1);
    }
    let phalanx = beside.iter().any(|&file| own(file, rank));
    score.add_if(phalanx, l::PHALANX, opposed * 8 + rank);
    score.add(l::SUPPORTED, rank, supporters);
    if opposed == 0 && !doubled {
        if sentries == 0 {
            score.add(l::PASSED, rank, 1);
        } else {
            score.add_if(helpers >= sentries, l::CANDIDATE, rank);
        }
    }
}

fn passed(view: &View, score: &mut TaperedSum, at: At) {
    let (file, rank) = at;
    let stop = (file, rank + 1);
    let free = |at: At| view.empty(at) && !view.attacked(false, at);
    score.add_if(view.has(stop, false), l::PASSED_BLOCKED, rank);
    score.add_if(free(stop), l::PASSED_SAFE_STOP, rank);
    score.add_if((rank + 1..8).all(|rank| free((file, rank))), l::PASSED_SAFE_PATH, rank);
    score.add(l::PASSED_OWN_KING, rank, steps(view.king(true), stop).min(5));
    score.add(l::PASSED_ENEMY_KING, rank, steps(view.king(false), stop).min(5));
    let friend = |file: i32, rank: i32| view.is((file, rank), true, Role::Pawn);
    let supported = [file - 1, file + 1].iter().any(|&f| friend(f, rank) || friend(f, rank - 1));
    score.add_if(supported, l::PASSED_SUPPORTED, rank);

    let behind = view.walk(at, (0, -1), |_| true).last().and_then(|&at| view.man(at));
    match behind {
        Some((true, Role::Rook | Role::Queen)) => score.add(l::ROOK_BEHIND_PASSED, 0, 1),
        Some((false, Role::Rook | Role::Queen)) => score.add(l::ROOK_BEHIND_PASSED, 1, 1),
        _ => {}
    }
}

fn unstoppable(view: &View, (file, rank): At) -> bool {
    let bare = all_squares()
        .all(|at| !view.has(at, false) || view.is_pawn(at) || view.is(at, false, Role::King));
    let clear = (rank + 1..8).all(|rank| view.empty((file, rank)));
    let moves = if rank == 1 { 5 } else { 7 - rank };
    let king = steps(view.king(false), (file, 7)) - i32::from(!view.our_turn);
    view.is_passed(true, (file, rank)) && bare && clear && king > moves
}
