//! Attacks on pieces, potential attacks, and space.

use chess::{Bitboard, Rank, Role, bishop_attacks, knight_attacks, rook_attacks};

use super::layout::{
    HANGING, KING_THREAT, KNIGHT_ON_QUEEN, MINOR_THREAT, PAWN_THREAT, PUSH_THREAT, RESTRICTED,
    ROOK_THREAT, SLIDER_ON_QUEEN, SPACE, Term,
};
use super::side::{CENTER_FILES, Side};
use super::sight::Sight;
use super::tally::{Ledger, Tally};

/// What `S` attacks or can attack next. All pieces must have been processed.
pub(super) fn threats<S: Side, T: Tally>(sight: &Sight, ledger: &mut Ledger<T>) {
    let us = S::US.index();
    let them = us ^ 1;
    let by = &sight.by[us];
    let enemies = sight.colors[them];
    let victims = &sight.pieces[them];
    let pawns = victims[Role::Pawn.index()];
    let officers = enemies - pawns;

    // Defended by a pawn, or twice where we attack once: costly to capture.
    let held = sight.by[them][Role::Pawn.index()] | (sight.twice[them] - sight.twice[us]);
    let weak = enemies & (sight.all[us] - held);

    let by_pawn = officers & by[Role::Pawn.index()];
    count_roles::<S, T>(ledger, PAWN_THREAT, by_pawn, &victims[1..5]);
    let by_minor = (officers | weak) & (by[Role::Knight.index()] | by[Role::Bishop.index()]);
    count_roles::<S, T>(ledger, MINOR_THREAT, by_minor, &victims[..5]);
    let by_rook = (weak | victims[Role::Queen.index()]) & by[Role::Rook.index()];
    count_roles::<S, T>(ledger, ROOK_THREAT, by_rook, &victims[..5]);
    if weak.any() {
        let by_king = weak & by[Role::King.index()];
        ledger.times::<S>(KING_THREAT.at(0), by_king.count() as i32);
        let hanging = weak & (!sight.all[them] | officers & sight.twice[us]);
        ledger.times::<S>(HANGING.at(0), hanging.count() as i32);
    }
    let contested = sight.all[them] & (sight.all[us] - held);
    ledger.times::<S>(RESTRICTED.at(0), contested.count() as i32);

    pushes::<S, T>(sight, ledger, officers);
    on_queen::<S, T>(sight, ledger, held);
}

/// Adds a weight for each piece in `struck`, by its role.
#[inline]
fn count_roles<S: Side, T: Tally>(
    ledger: &mut Ledger<T>,
    term: Term,
    struck: Bitboard,
    victims: &[Bitboard],
) {
    if struck.any() {
        for (index, &victims) in victims.iter().enumerate() {
            ledger.times::<S>(term.at(index), (struck & victims).count() as i32);
        }
    }
}

/// Pawn pushes that would attack a piece.
#[inline]
fn pushes<S: Side, T: Tally>(sight: &Sight, ledger: &mut Ledger<T>, officers: Bitboard) {
    let us = S::US.index();
    let them = us ^ 1;
    let single = S::up(sight.of(S::US, Role::Pawn)) - sight.occupied;
    let double = S::up(single & S::rank_set(Rank::Third)) - sight.occupied;
    let good = !sight.by[them][Role::Pawn.index()] & (sight.all[us] | !sight.all[them]);
    let struck = S::pawn_attacks((single | double) & good) & officers;
    ledger.times::<S>(PUSH_THREAT.at(0), struck.count() as i32);
}

/// Moves that would attack a single queen.
#[inline]
fn on_queen<S: Side, T: Tally>(sight: &Sight, ledger: &mut Ledger<T>, held: Bitboard) {
    let us = S::US.index();
    let queens = sight.pieces[us ^ 1][Role::Queen.index()];
    if queens.many() {
        return;
    }
    let Some(queen) = queens.first() else { return };
    let safe = sight.area[us] - held;
    let by = &sight.by[us];
    let knights = by[Role::Knight.index()] & knight_attacks(queen) & safe;
    ledger.times::<S>(KNIGHT_ON_QUEEN.at(0), knights.count() as i32);
    let sliders = by[Role::Bishop.index()] & bishop_attacks(queen, sight.occupied)
        | by[Role::Rook.index()] & rook_attacks(queen, sight.occupied);
    let sliders = sliders & safe & sight.twice[us];
    ledger.times::<S>(SLIDER_ON_QUEEN.at(0), sliders.count() as i32);
}

/// Safe squares in the center of our half; those behind a pawn count twice. More pieces need more
/// space.
pub(super) fn space<S: Side, T: Tally>(sight: &Sight, ledger: &mut Ledger<T>) {
    let us = S::US.index();
    let pawns = sight.of(S::US, Role::Pawn);
    let ranks = S::rank_set(Rank::Second) | S::rank_set(Rank::Third) | S::rank_set(Rank::Fourth);
    let room = (ranks & CENTER_FILES) - pawns - sight.by[us ^ 1][Role::Pawn.index()];
    let down = <S::Them as Side>::up(pawns);
    let behind = <S::Them as Side>::fill(down) & (room - sight.all[us ^ 1]);
    let squares = (room.count() + behind.count()) as i32;
    let pieces = sight.colors[us].count() as i32;
    ledger.times::<S>(SPACE.at(0), squares * pieces / 16);
}
