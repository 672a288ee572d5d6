//! The safety of our king.

use chess::Role;

use super::judge::TaperedSum;
use super::view::{At, DIAGONAL, KNIGHT, STRAIGHT, View, all_squares, steps};
use crate::eval::layout as l;

pub fn judge(view: &View, score: &mut TaperedSum) {
    shelter(view, score);
    danger(view, score);
}

/// The middle of the three files near our king.
fn middle(king: At) -> i32 {
    king.0.clamp(1, 6)
}

/// The files of our king's wing.
fn wing(king: At) -> std::ops::RangeInclusive<i32> {
    match king.0 {
        0..=2 => 0..=3,
        3 | 4 => 2..=5,
        _ => 4..=7,
    }
}

fn shelter(view: &View, score: &mut TaperedSum) {
    let king = view.king(true);
    for file in middle(king) - 1..=middle(king) + 1 {
        let nearest = |ours: bool| {
            (king.1..8).find(|&rank| view.is((file, rank), ours, Role::Pawn)).unwrap_or(0)
        };
        let (own, enemy) = (nearest(true), nearest(false));
        let edge = file.min(7 - file);
        score.add(l::SHELTER, edge * 8 + own, 1);
        if own > 0 && enemy == own + 1 {
            score.add(l::STORM_BLOCKED, enemy, 1);
        } else {
            score.add(l::STORM, edge * 8 + enemy, 1);
        }
    }
    let index = match (view.pawn_on_file(true, king.0), view.pawn_on_file(false, king.0)) {
        (false, false) => 0,
        (false, true) => 1,
        (true, false) => 2,
        (true, true) => 3,
    };
    score.add(l::KING_FILE, index, 1);
    let lonely = !all_squares().any(|at| view.is_pawn(at) && wing(king).contains(&at.0));
    score.add_if(lonely, l::PAWNLESS_FLANK, 0);
    let pawns = view.find(true, Role::Pawn);
    let nearest = pawns.iter().map(|&pawn| steps(king, pawn)).min().unwrap_or(0);
    score.add(l::KING_PAWN_DISTANCE, 0, nearest);
}

fn danger(view: &View, score: &mut TaperedSum) {
    let king = view.king(true);
    let center = (middle(king), king.1.clamp(1, 6));
    let ring: Vec<At> = all_squares().filter(|&at| steps(at, center) <= 1).collect();
    let besiegers: Vec<(Role, &Vec<At>)> = view
        .reach
        .iter()
        .filter(|(man, _, reach)| {
            !man.0
                && !matches!(man.1, Role::Pawn | Role::King)
                && reach.iter().any(|at| ring.contains(at))
        })
        .map(|(man, _, reach)| (man.1, reach))
        .collect();
    if besiegers.is_empty() {
        return;
    }
    let mut sum = TaperedSum::default();
    sum.add(l::DANGER_BASE, 0, 1);
    for (role, reach) in &besiegers {
        sum.add(l::DANGER_ATTACKER, role.index() as i32 - 1, 1);
        let adjacent = reach.iter().filter(|&&at| steps(at, king) == 1).count();
        sum.add(l::DANGER_ADJACENT, 0, adjacent as i32);
    }
    sum.add(l::DANGER_ATTACKERS, (besiegers.len() as i32).min(7), 1);
    around(view, &ring, &mut sum);
    checks(view, &mut sum);
    let (mg, eg) = (sum.mg.clamp(0, 1400), sum.eg.clamp(0, 1400));
    score.mg -= mg * mg / 1024;
    score.eg -= eg / 12;
}

/// A square they attack that only our king or queen defends.
fn is_weak(view: &View, at: At) -> bool {
    let royal = view.attacked_by(true, Role::King, at) || view.attacked_by(true, Role::Queen, at);
    view.attacked(false, at)
        && (view.attackers(true, at) == 0 || view.attackers(true, at) == 1 && royal)
}

fn around(view: &View, ring: &[At], sum: &mut TaperedSum) {
    let king = view.king(true);
    let count = |term, squares: &mut dyn Iterator<Item = At>, sum: &mut TaperedSum| {
        sum.add(term, 0, squares.count() as i32);
    };
    let mut weak = ring.iter().copied().filter(|&at| is_weak(view, at));
    count(l::DANGER_WEAK, &mut weak, sum);
    let mut pawns = ring.iter().copied().filter(|&at| view.attacked_by(false, Role::Pawn, at));
    count(l::DANGER_PAWN, &mut pawns, sum);
    sum.add(l::DANGER_BLOCKER, 0, view.king_lines(true).len() as i32);
    sum.add_if(view.count(false, Role::Queen) == 0, l::DANGER_NO_QUEEN, 0);
    let guarded = View::around(king).into_iter().any(|at| view.attacked_by(true, Role::Knight, at));
    sum.add_if(guarded, l::DANGER_KNIGHT_DEFENDER, 0);

    for at in all_squares().filter(|at| wing(king).contains(&at.0) && at.1 <= 4) {
        sum.add(l::DANGER_FLANK_ATTACK, 0, view.attackers(false, at).min(2));
        sum.add_if(view.attacked(true, at), l::DANGER_FLANK_DEFENSE, 0);
    }
    for file in middle(king) - 1..=middle(king) + 1 {
        sum.add_if(!view.pawn_on_file(true, file), l::DANGER_OPEN_FILE, 0);
        for rank in [king.1 + 1, king.1 + 2] {
            sum.add_if(view.is((file, rank), true, Role::Pawn), l::DANGER_SHIELD, 0);
        }
    }
}

fn checks(view: &View, sum: &mut TaperedSum) {
    let king = view.king(true);
    let blocks = |man| man != (true, Role::Queen);
    let straight = view.slide(king, &STRAIGHT, blocks);
    let diagonal = view.slide(king, &DIAGONAL, blocks);
    let both = [straight.clone(), diagonal.clone()].concat();
    let lines = [
        (Role::Knight, View::leaps(king, &KNIGHT)),
        (Role::Bishop, diagonal),
        (Role::Rook, straight),
        (Role::Queen, both),
    ];
    let mut risky: Vec<At> = Vec::new();
    for (role, line) in lines {
        let checks: Vec<At> = line
            .into_iter()
            .filter(|&at| view.attacked_by(false, role, at) && !view.has(at, false))
            .collect();
        let is_safe = |&&at: &&At| {
            !view.attacked(true, at) || is_weak(view, at) && view.attackers(false, at) >= 2
        };
        let safe = checks.iter().filter(is_safe).count();
        if safe > 0 {
            let index = (role.index() as i32 - 1) * 2 + i32::from(safe > 1);
            sum.add(l::DANGER_SAFE_CHECK, index, 1);
        } else if role != Role::Queen {
            risky.extend(checks);
        }
    }
    risky.sort_unstable();
    risky.dedup();
    sum.add(l::DANGER_UNSAFE_CHECK, 0, risky.len() as i32);
}
