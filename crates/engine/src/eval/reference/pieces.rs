//! Material, piece-square tables, mobility and placement, one piece at a time.

use chess::Role;

use super::judge::TaperedSum;
use super::view::{At, DIAGONAL, STRAIGHT, View, all_squares, is_light, steps};
use crate::eval::layout as l;

pub fn judge(view: &View, score: &mut TaperedSum) {
    material(view, score);
    let king = view.king(true);
    score.add(l::KING_SQUARES, king.1 * 8 + king.0, 1);
    score.add(l::CASTLING, 0, view.castling);
    for (man, at, reach) in &view.reach {
        match *man {
            (true, Role::Knight) => minor(view, score, 0, *at, reach),
            (true, Role::Bishop) => {
                minor(view, score, 1, *at, reach);
                bishop(view, score, *at);
            }
            (true, Role::Rook) => rook(view, score, *at, reach),
            (true, Role::Queen) => queen(view, score, *at, reach),
            _ => {}
        }
    }
}

fn material(view: &View, score: &mut TaperedSum) {
    for role in [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen] {
        score.add(l::MATERIAL, role.index() as i32, view.count(true, role));
    }
    let bishops = view.find(true, Role::Bishop);
    let pair = bishops.iter().any(|&at| is_light(at)) && bishops.iter().any(|&at| !is_light(at));
    score.add_if(pair, l::BISHOP_PAIR, 0);
    let spare = view.count(true, Role::Pawn) - 5;
    score.add(l::KNIGHT_PAWNS, 0, view.count(true, Role::Knight) * spare);
    score.add(l::ROOK_PAWNS, 0, view.count(true, Role::Rook) * spare);
}

/// How many squares of `reach` are safe from pawns and from `lesser` pieces, and not occupied by
/// our king, or by our pawns that are blocked or on their first ranks.
fn mobility(view: &View, reach: &[At], lesser: &[Role]) -> i32 {
    let good = |&&at: &&At| {
        let pawn = view.is(at, true, Role::Pawn);
        let stuck = pawn && (at.1 == 1 || !view.empty((at.0, at.1 + 1)));
        !stuck
            && at != view.king(true)
            && !view.attacked_by(false, Role::Pawn, at)
            && !lesser.iter().any(|&role| view.attacked_by(false, role, at))
    };
    reach.iter().filter(good).count() as i32
}

fn is_outpost(view: &View, at: At) -> bool {
    (3..=5).contains(&at.1) && !view.pawn_may_attack(false, at)
}

fn minor(view: &View, score: &mut TaperedSum, kind: i32, at: At, reach: &[At]) {
    let (squares, count) =
        [(l::KNIGHT_SQUARES, l::KNIGHT_MOBILITY), (l::BISHOP_SQUARES, l::BISHOP_MOBILITY)]
            [kind as usize];
    score.add(squares, at.1 * 8 + at.0, 1);
    score.add(count, mobility(view, reach, &[]), 1);
    let defended = |at: At| view.attacked_by(true, Role::Pawn, at);
    if is_outpost(view, at) {
        score.add(l::OUTPOST, kind * 2 + i32::from(defended(at)), 1);
    } else {
        let better = |&at: &At| is_outpost(view, at) && defended(at) && !view.has(at, true);
        score.add_if(reach.iter().any(better), l::REACHABLE_OUTPOST, kind);
    }
    score.add_if(view.is_pawn((at.0, at.1 + 1)), l::BEHIND_PAWN, kind);
    score.add(l::KING_PROTECTOR, kind, steps(at, view.king(true)));
    score.add_if(at.1 == 0 && view.count(false, Role::Queen) > 0, l::DEVELOPMENT, 0);
}

fn bishop(view: &View, score: &mut TaperedSum, at: At) {
    for pawn in view.find(true, Role::Pawn) {
        if is_light(pawn) == is_light(at) {
            score.add(l::BAD_BISHOP, 0, 1);
            score.add_if(!view.empty((pawn.0, pawn.1 + 1)), l::BAD_BISHOP, 1);
        }
    }
    let seen = view.slide(at, &DIAGONAL, |man| man.1 == Role::Pawn);
    let center = seen.iter().filter(|at| (3..=4).contains(&at.0) && (3..=4).contains(&at.1));
    score.add_if(center.count() >= 2, l::LONG_DIAGONAL, 0);
}

fn rook(view: &View, score: &mut TaperedSum, at: At, reach: &[At]) {
    let room = mobility(view, reach, &[Role::Knight, Role::Bishop]);
    score.add(l::ROOK_SQUARES, at.1 * 8 + at.0, 1);
    score.add(l::ROOK_MOBILITY, room, 1);
    if !view.pawn_on_file(true, at.0) {
        score.add(l::ROOK_FILE, i32::from(!view.pawn_on_file(false, at.0)), 1);
    } else if room <= 3 {
        let king = view.king(true);
        let outside = if king.0 < 4 { at.0 < king.0 } else { at.0 >= king.0 };
        if outside && king.1 == at.1 {
            score.add(l::TRAPPED_ROOK, i32::from(view.castling == 0), 1);
        }
    }
    let prey = (0..8).any(|file| view.is((file, 6), false, Role::Pawn));
    let seventh = at.1 == 6 && (view.king(false).1 == 7 || prey);
    score.add_if(seventh, l::ROOK_ON_SEVENTH, 0);
    let queen = all_squares()
        .any(|square| square.0 == at.0 && view.man(square).is_some_and(|man| man.1 == Role::Queen));
    score.add_if(queen, l::ROOK_ON_QUEEN_FILE, 0);
}

fn queen(view: &View, score: &mut TaperedSum, at: At, reach: &[At]) {
    score.add(l::QUEEN_SQUARES, at.1 * 8 + at.0, 1);
    let room = mobility(view, reach, &[Role::Knight, Role::Bishop, Role::Rook]);
    score.add(l::QUEEN_MOBILITY, room, 1);
    let exposed = |way: At, slider: Role| {
        let first = view.walk(at, way, |_| true).last().copied();
        let second = first.and_then(|at| view.walk(at, way, |_| true).last().copied());
        second.is_some_and(|at| view.is(at, false, slider))
    };
    let straight = STRAIGHT.iter().any(|&way| exposed(way, Role::Rook));
    let diagonal = DIAGONAL.iter().any(|&way| exposed(way, Role::Bishop));
    score.add_if(straight || diagonal, l::QUEEN_EXPOSED, 0);
    let infiltrates = at.1 > 3 && !view.pawn_may_attack(false, at);
    score.add_if(infiltrates, l::QUEEN_INFILTRATION, 0);
}
