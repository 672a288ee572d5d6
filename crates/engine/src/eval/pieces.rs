//! Knights, bishops, rooks and queens: piece-square tables, mobility and placement.

use chess::{Bitboard, Rank, Role, Square, between, bishop_attacks, bishop_rays, rook_rays};

use super::layout::{
    BAD_BISHOP, BEHIND_PAWN, BISHOP_MOBILITY, BISHOP_PAIR, BISHOP_SQUARES, CASTLING, DEVELOPMENT,
    KING_PROTECTOR, KING_SQUARES, KNIGHT_MOBILITY, KNIGHT_PAWNS, KNIGHT_SQUARES, LONG_DIAGONAL,
    MATERIAL, OUTPOST, QUEEN_EXPOSED, QUEEN_INFILTRATION, QUEEN_MOBILITY, QUEEN_SQUARES,
    REACHABLE_OUTPOST, ROOK_FILE, ROOK_MOBILITY, ROOK_ON_QUEEN_FILE, ROOK_ON_SEVENTH, ROOK_PAWNS,
    ROOK_SQUARES, TRAPPED_ROOK,
};
use super::side::{CENTER, Side, distance};
use super::sight::Sight;
use super::tally::{Ledger, Tally};

/// Material, independent of squares.
pub(super) fn material<S: Side, T: Tally>(sight: &Sight, ledger: &mut Ledger<T>) {
    let pieces = &sight.pieces[S::US.index()];
    let count = |role: Role| pieces[role.index()].count() as i32;
    for role in [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen] {
        ledger.times::<S>(MATERIAL.at(role.index()), count(role));
    }
    let bishops = pieces[Role::Bishop.index()];
    if (bishops & Bitboard::LIGHT).any() && (bishops - Bitboard::LIGHT).any() {
        ledger.once::<S>(BISHOP_PAIR.at(0));
    }
    let spare_pawns = count(Role::Pawn) - 5;
    ledger.times::<S>(KNIGHT_PAWNS.at(0), count(Role::Knight) * spare_pawns);
    ledger.times::<S>(ROOK_PAWNS.at(0), count(Role::Rook) * spare_pawns);
}

/// The king's square and castling rights; its safety is evaluated elsewhere.
pub(super) fn king<S: Side, T: Tally>(sight: &Sight, ledger: &mut Ledger<T>) {
    ledger.once::<S>(KING_SQUARES.at(S::relative(sight.kings[S::US.index()])));
    let rights = sight.castling & sight.colors[S::US.index()];
    ledger.times::<S>(CASTLING.at(0), rights.count() as i32);
}

/// Knights and bishops.
pub(super) fn minors<S: Side, T: Tally>(sight: &mut Sight, ledger: &mut Ledger<T>) {
    let us = S::US.index();
    let ranks = S::rank_set(Rank::Fourth) | S::rank_set(Rank::Fifth) | S::rank_set(Rank::Sixth);
    let outposts = ranks - sight.spans[us ^ 1];
    let defended = outposts & sight.by[us][Role::Pawn.index()];
    let pawns = sight.pieces[0][Role::Pawn.index()] | sight.pieces[1][Role::Pawn.index()];
    let behind = <S::Them as Side>::up(pawns);
    let king = sight.kings[us];

    for (kind, role) in [Role::Knight, Role::Bishop].into_iter().enumerate() {
        let (squares, mobility) = match role {
            Role::Knight => (KNIGHT_SQUARES, KNIGHT_MOBILITY),
            _ => (BISHOP_SQUARES, BISHOP_MOBILITY),
        };
        for square in sight.pieces[us][role.index()] {
            let attacks = sight.attacks::<S>(role, square);
            sight.note::<S>(role, attacks);
            ledger.once::<S>(squares.at(S::relative(square)));
            ledger.once::<S>(mobility.at((attacks & sight.area[us]).count() as usize));
            if outposts.has(square) {
                ledger.once::<S>(OUTPOST.at(kind * 2 + usize::from(defended.has(square))));
            } else if (attacks & (defended - sight.colors[us])).any() {
                ledger.once::<S>(REACHABLE_OUTPOST.at(kind));
            }
            if behind.has(square) {
                ledger.once::<S>(BEHIND_PAWN.at(kind));
            }
            ledger.times::<S>(KING_PROTECTOR.at(kind), distance(square, king));
            if role == Role::Bishop {
                bishop::<S, T>(sight, ledger, square, pawns);
            }
        }
    }

    if sight.pieces[us ^ 1][Role::Queen.index()].any() {
        let minors = sight.of(S::US, Role::Knight) | sight.of(S::US, Role::Bishop);
        let asleep = minors & S::rank_set(Rank::First);
        ledger.times::<S>(DEVELOPMENT.at(0), asleep.count() as i32);
    }
}

#[inline]
fn bishop<S: Side, T: Tally>(
    sight: &Sight,
    ledger: &mut Ledger<T>,
    square: Square,
    pawns: Bitboard,
) {
    let own = sight.of(S::US, Role::Pawn);
    let color = if Bitboard::LIGHT.has(square) { Bitboard::LIGHT } else { !Bitboard::LIGHT };
    let blocked = own & <S::Them as Side>::up(sight.occupied);
    ledger.times::<S>(BAD_BISHOP.at(0), (own & color).count() as i32);
    ledger.times::<S>(BAD_BISHOP.at(1), (blocked & color).count() as i32);
    if (bishop_attacks(square, pawns) & CENTER).many() {
        ledger.once::<S>(LONG_DIAGONAL.at(0));
    }
}

/// Rooks. The minor pieces of both sides must have been processed.
pub(super) fn rooks<S: Side, T: Tally>(sight: &mut Sight, ledger: &mut Ledger<T>) {
    let us = S::US.index();
    let them = us ^ 1;
    let minors = sight.by[them][Role::Knight.index()] | sight.by[them][Role::Bishop.index()];
    let safe = sight.area[us] - minors;
    let queens = sight.pieces[0][Role::Queen.index()] | sight.pieces[1][Role::Queen.index()];
    for square in sight.pieces[us][Role::Rook.index()] {
        let attacks = sight.attacks::<S>(Role::Rook, square);
        sight.note::<S>(Role::Rook, attacks);
        let mobility = (attacks & safe).count() as usize;
        ledger.once::<S>(ROOK_SQUARES.at(S::relative(square)));
        ledger.once::<S>(ROOK_MOBILITY.at(mobility));

        let file = square.index() & 7;
        if sight.pawn_files[us] >> file & 1 == 0 {
            let open = sight.pawn_files[them] >> file & 1 == 0;
            ledger.once::<S>(ROOK_FILE.at(usize::from(open)));
        } else if mobility <= 3 {
            let king = sight.kings[us].index() & 7;
            if (king < 4) == (file < king) && S::rank(sight.kings[us]) == S::rank(square) {
                let stuck = (sight.castling & sight.colors[us]).is_empty();
                ledger.once::<S>(TRAPPED_ROOK.at(usize::from(stuck)));
            }
        }
        if S::rank(square) == 6 {
            let prey = sight.pieces[them][Role::Pawn.index()] & S::rank_set(Rank::Seventh);
            if S::rank(sight.kings[them]) == 7 || prey.any() {
                ledger.once::<S>(ROOK_ON_SEVENTH.at(0));
            }
        }
        if (Bitboard::file(square.file()) & queens).any() {
            ledger.once::<S>(ROOK_ON_QUEEN_FILE.at(0));
        }
    }
}

/// Queens. All other pieces of both sides must have been processed.
pub(super) fn queens<S: Side, T: Tally>(sight: &mut Sight, ledger: &mut Ledger<T>) {
    let us = S::US.index();
    let them = us ^ 1;
    let lesser = sight.by[them][Role::Knight.index()]
        | sight.by[them][Role::Bishop.index()]
        | sight.by[them][Role::Rook.index()];
    let safe = sight.area[us] - lesser;
    for square in sight.pieces[us][Role::Queen.index()] {
        let attacks = sight.attacks::<S>(Role::Queen, square);
        sight.note::<S>(Role::Queen, attacks);
        ledger.once::<S>(QUEEN_SQUARES.at(S::relative(square)));
        ledger.once::<S>(QUEEN_MOBILITY.at((attacks & safe).count() as usize));
        if exposed::<S>(sight, square) {
            ledger.once::<S>(QUEEN_EXPOSED.at(0));
        }
        if S::rank(square) > 3 && !sight.spans[them].has(square) {
            ledger.once::<S>(QUEEN_INFILTRATION.at(0));
        }
    }
}

/// Whether a single piece is between the queen and a bishop or rook.
#[inline]
fn exposed<S: Side>(sight: &Sight, queen: Square) -> bool {
    let them = &sight.pieces[S::US.index() ^ 1];
    let snipers = rook_rays(queen) & them[Role::Rook.index()]
        | bishop_rays(queen) & them[Role::Bishop.index()];
    snipers.into_iter().any(|sniper| {
        let inside = between(queen, sniper) & sight.occupied;
        inside.any() && !inside.many()
    })
}
