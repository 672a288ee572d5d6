//! The pawn structure: doubled, isolated, backward, connected and passed pawns.

use chess::{Bitboard, Color, Position, Role, Square, pawn_attacks};

use super::layout::{
    BACKWARD, CANDIDATE, DOUBLED, ISOLATED, PASSED, PAWN_SQUARES, PHALANX, RAMMED, SUPPORTED,
    WEAK_LEVER,
};
use super::side::{Black, Side, White, beside};
use super::tally::{Ledger, Tally};
use super::{Tapered, Weights};

/// What depends on the pawns alone.
#[derive(Copy, Clone, Debug, Default)]
pub(super) struct Structure {
    /// For White.
    pub score: Tapered,
    /// Of both colors.
    pub passed: Bitboard,
    /// Squares that pawns of a color attack or may attack after advancing.
    pub spans: [Bitboard; 2],
    /// Bit n is set if a color has a pawn on the nth file.
    pub files: [u8; 2],
}

impl Structure {
    pub fn new<T: Tally>(position: &Position, weights: &Weights, tally: &mut T) -> Self {
        let pawns = Color::ALL.map(|color| position.role(Role::Pawn) & position.color(color));
        let mut ledger = Ledger { weights, tally, score: Tapered::ZERO };
        let passed = side::<White, T>(pawns, &mut ledger) | side::<Black, T>(pawns, &mut ledger);
        let score = ledger.score;
        Self {
            score,
            passed,
            spans: [
                White::fill(White::pawn_attacks(pawns[0])),
                Black::fill(Black::pawn_attacks(pawns[1])),
            ],
            files: pawns.map(|pawns| (Black::fill(pawns).0 & 0xFF) as u8),
        }
    }
}

/// Evaluates the pawns of one side, and finds its passed pawns.
fn side<S: Side, T: Tally>(pawns: [Bitboard; 2], ledger: &mut Ledger<T>) -> Bitboard {
    let ours = pawns[S::US.index()];
    let theirs = pawns[S::US.index() ^ 1];
    let mut passed = Bitboard::EMPTY;
    for square in ours {
        ledger.once::<S>(PAWN_SQUARES.at(S::relative(square)));
        if pawn::<S, T>(square, ours, theirs, ledger) {
            passed |= Bitboard::of(square);
        }
    }
    passed
}

/// Evaluates one pawn, and returns whether it is passed.
fn pawn<S: Side, T: Tally>(
    square: Square,
    ours: Bitboard,
    theirs: Bitboard,
    ledger: &mut Ledger<T>,
) -> bool {
    let rank = S::rank(square);
    let stop = S::stop(square);
    let ahead = S::ahead(square);
    let neighbours = ours & beside(square);
    let opposed = (theirs & ahead).any();
    let supporters = ours & pawn_attacks(<S::Them as Side>::US, square);
    let levers = theirs & pawn_attacks(S::US, square);
    let doubled = (ours & ahead).any();
    let phalanx = neighbours & Bitboard::rank(square.rank());

    if doubled {
        ledger.once::<S>(DOUBLED.at(usize::from(supporters.any())));
    }
    if neighbours.is_empty() {
        ledger.once::<S>(ISOLATED.at(usize::from(opposed)));
    } else if (neighbours - S::ahead_beside(square)).is_empty() {
        // All neighbours are further ahead, so none can support it.
        let guards = theirs & pawn_attacks(S::US, stop);
        if guards.any() || theirs.has(stop) {
            ledger.once::<S>(BACKWARD.at(usize::from(opposed)));
        }
    }
    if levers.many() && supporters.is_empty() {
        ledger.once::<S>(WEAK_LEVER.at(0));
    }
    if theirs.has(stop) && (4..=5).contains(&rank) {
        ledger.once::<S>(RAMMED.at(rank - 4));
    }
    if phalanx.any() {
        ledger.once::<S>(PHALANX.at(usize::from(opposed) * 8 + rank));
    }
    ledger.times::<S>(SUPPORTED.at(rank), supporters.count() as i32);

    if opposed || doubled {
        return false;
    }
    let sentries = theirs & S::ahead_beside(square);
    if sentries.is_empty() {
        ledger.once::<S>(PASSED.at(rank));
        return true;
    }
    let helpers = neighbours - S::ahead_beside(square);
    if helpers.count() >= sentries.count() {
        ledger.once::<S>(CANDIDATE.at(rank));
    }
    false
}
