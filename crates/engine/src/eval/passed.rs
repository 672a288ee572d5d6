//! Passed pawns, evaluated after all attacks are known.

use chess::{Bitboard, Role, Square, rook_attacks};

use super::layout::{
    PASSED_BLOCKED, PASSED_ENEMY_KING, PASSED_OWN_KING, PASSED_SAFE_PATH, PASSED_SAFE_STOP,
    PASSED_SUPPORTED, ROOK_BEHIND_PASSED, UNSTOPPABLE,
};
use super::side::{Side, beside, distance};
use super::sight::Sight;
use super::tally::{Ledger, Tally};

/// Evaluates the passed pawns of one side. All pieces must have been processed.
pub(super) fn passed<S: Side, T: Tally>(sight: &Sight, ledger: &mut Ledger<T>) {
    let us = S::US.index();
    let mut unstoppable = false;
    for square in sight.passed & sight.colors[us] {
        passer::<S, T>(sight, ledger, square);
        unstoppable |= is_unstoppable::<S>(sight, square);
    }
    if unstoppable {
        ledger.once::<S>(UNSTOPPABLE.at(0));
    }
}

fn passer<S: Side, T: Tally>(sight: &Sight, ledger: &mut Ledger<T>, square: Square) {
    let us = S::US.index();
    let them = us ^ 1;
    let rank = S::rank(square);
    let stop = S::stop(square);
    let path = S::ahead(square);

    if sight.colors[them].has(stop) {
        ledger.once::<S>(PASSED_BLOCKED.at(rank));
    } else if !sight.occupied.has(stop) && !sight.all[them].has(stop) {
        ledger.once::<S>(PASSED_SAFE_STOP.at(rank));
        if (path & (sight.occupied | sight.all[them])).is_empty() {
            ledger.once::<S>(PASSED_SAFE_PATH.at(rank));
        }
    }
    let own_king = distance(sight.kings[us], stop).min(5);
    let enemy_king = distance(sight.kings[them], stop).min(5);
    ledger.times::<S>(PASSED_OWN_KING.at(rank), own_king);
    ledger.times::<S>(PASSED_ENEMY_KING.at(rank), enemy_king);

    let beside = beside(square) & Bitboard::rank(square.rank()) & sight.of(S::US, Role::Pawn);
    if beside.any() || sight.by[us][Role::Pawn.index()].has(square) {
        ledger.once::<S>(PASSED_SUPPORTED.at(rank));
    }

    let behind = <S::Them as Side>::ahead(square);
    let heavy = |color: usize| {
        sight.pieces[color][Role::Rook.index()] | sight.pieces[color][Role::Queen.index()]
    };
    if ((heavy(0) | heavy(1)) & behind).any() {
        let seen = rook_attacks(square, sight.occupied) & behind;
        if (seen & heavy(us)).any() {
            ledger.once::<S>(ROOK_BEHIND_PASSED.at(0));
        } else if (seen & heavy(them)).any() {
            ledger.once::<S>(ROOK_BEHIND_PASSED.at(1));
        }
    }
}

/// Whether the enemy has only its king, and the king is outside the pawn's square.
#[inline]
fn is_unstoppable<S: Side>(sight: &Sight, square: Square) -> bool {
    let them = S::US.index() ^ 1;
    let king = sight.kings[them];
    let officers = sight.colors[them] - sight.pieces[them][Role::Pawn.index()] - Bitboard::of(king);
    if officers.any() || (S::ahead(square) & sight.occupied).any() {
        return false;
    }
    let goal = Square::new(square.file(), (!S::US).back_rank());
    // With its double step, a pawn on its second rank is as fast as one on its third.
    let steps = 7 - S::rank(square).max(2) as i32;
    let head_start = i32::from(sight.turn != S::US);
    distance(king, goal) > steps + head_start
}
