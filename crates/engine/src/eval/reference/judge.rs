//! The sum of the terms of both sides, and the final value.

use chess::{Position, Role};

use super::view::{At, View, all_squares};
use super::{ending, king, pawns, pieces, threats};
use crate::eval::layout as l;
use crate::eval::{LIMIT, WEIGHTS};

/// A middlegame and an endgame score, unlike [`Tapered`](crate::eval::Tapered) not packed.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub struct TaperedSum {
    pub mg: i32,
    pub eg: i32,
}

impl TaperedSum {
    /// Adds a weight several times.
    pub fn add(&mut self, term: l::Term, index: i32, times: i32) {
        assert!((0..term.len as i32).contains(&index), "{} has no {index}", term.name);
        let weight = WEIGHTS[term.start + index as usize];
        self.mg += weight.mg() * times;
        self.eg += weight.eg() * times;
    }

    /// Adds a weight once if a condition holds.
    pub fn add_if(&mut self, condition: bool, term: l::Term, index: i32) {
        self.add(term, index, i32::from(condition));
    }
}

/// The value for the side to move.
pub fn evaluate(position: &Position) -> i32 {
    let us = View::new(position, position.turn());
    let them = View::new(position, !position.turn());
    let heaviest = phase(&us).max(phase(&them));
    if heaviest > 60 {
        return (material_only(&us) - material_only(&them)).clamp(-LIMIT, LIMIT);
    }

    let (ours, theirs) = (judge(&us), judge(&them));
    let mg = ours.mg - theirs.mg;
    let mut eg = ours.eg - theirs.eg;
    let complexity = complexity(&us);
    // It can cancel an advantage but not reverse it.
    if eg > 0 {
        eg = (eg + complexity).max(0);
    } else if eg < 0 {
        eg = (eg - complexity).min(0);
    }
    let scale = match eg {
        1.. => ending::scale(&us),
        ..0 => ending::scale(&them),
        0 => 0,
    };
    let phase = (phase(&us) + phase(&them)).min(24);
    // A side that can hardly win is not much ahead in any phase.
    let mg_scale = if eg != 0 && scale <= 16 { scale } else { 64 };
    let value = (mg * phase * mg_scale + eg * scale * (24 - phase)) / (24 * 64);
    (value + ending::mop_up(&us) - ending::mop_up(&them)).clamp(-LIMIT, LIMIT)
}

fn phase(view: &View) -> i32 {
    view.count(true, Role::Knight)
        + view.count(true, Role::Bishop)
        + 2 * view.count(true, Role::Rook)
        + 4 * view.count(true, Role::Queen)
}

fn material_only(view: &View) -> i32 {
    let value = |(i, &role): (usize, &Role)| WEIGHTS[i].mg() * view.count(true, role);
    Role::ALL[..5].iter().enumerate().map(value).sum()
}

/// All terms of our side.
fn judge(view: &View) -> TaperedSum {
    let mut score = TaperedSum::default();
    pieces::judge(view, &mut score);
    pawns::judge(view, &mut score);
    king::judge(view, &mut score);
    threats::judge(view, &mut score);
    score.add_if(view.our_turn, l::TEMPO, 0);
    score
}

fn complexity(view: &View) -> i32 {
    let pawns: Vec<At> = all_squares().filter(|&at| view.is_pawn(at)).collect();
    let officers = all_squares().filter(|&at| {
        !view.empty(at) && !view.is_pawn(at) && at != view.king(true) && at != view.king(false)
    });
    let passed = pawns.iter().filter(|&&at| view.is_passed(true, at) || view.is_passed(false, at));
    let mut score = TaperedSum::default();
    score.add(l::COMPLEXITY_BASE, 0, 1);
    score.add(l::COMPLEXITY_PAWNS, 0, pawns.len() as i32);
    let both = pawns.iter().any(|at| at.0 < 4) && pawns.iter().any(|at| at.0 >= 4);
    score.add_if(both, l::COMPLEXITY_FLANKS, 0);
    score.add_if(officers.count() == 0, l::COMPLEXITY_PAWN_ENDING, 0);
    score.add(l::COMPLEXITY_PASSED, 0, passed.count() as i32);
    score.eg
}
