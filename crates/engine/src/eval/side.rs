//! The two sides as types, so that each term is written once and compiled for both, and bitboards
//! for pawns and kings.

use chess::{Bitboard, Color, File, Rank, Square};

/// A side known at compile time.
pub(super) trait Side {
    /// The other side.
    type Them: Side;
    /// Its color.
    const US: Color;

    /// The set moved one rank forward.
    fn up(set: Bitboard) -> Bitboard;
    /// Every square of the set and all squares ahead of it.
    fn fill(set: Bitboard) -> Bitboard;

    /// The square from this side's point of view, 0 for its own a1.
    #[inline]
    fn relative(square: Square) -> usize {
        match Self::US {
            Color::White => square.index(),
            Color::Black => square.flip().index(),
        }
    }

    /// The rank from this side's point of view, from 0.
    #[inline]
    fn rank(square: Square) -> usize {
        Self::relative(square) >> 3
    }

    /// The squares of a rank from this side's point of view.
    #[inline]
    fn rank_set(rank: Rank) -> Bitboard {
        Bitboard::rank(rank.relative_to(Self::US))
    }

    /// The squares ahead of `square` on its file.
    #[inline]
    fn ahead(square: Square) -> Bitboard {
        AHEAD[Self::US.index()][square.index()]
    }

    /// The squares ahead of `square` on the adjacent files.
    #[inline]
    fn ahead_beside(square: Square) -> Bitboard {
        let ahead = Self::ahead(square);
        ahead.east() | ahead.west()
    }

    /// The attacks of `pawns`.
    #[inline]
    fn pawn_attacks(pawns: Bitboard) -> Bitboard {
        let ahead = Self::up(pawns);
        ahead.east() | ahead.west()
    }

    /// The square directly in front.
    #[inline]
    fn stop(square: Square) -> Square {
        match Self::US {
            Color::White => Square::from_index(square.index() + 8),
            Color::Black => Square::from_index(square.index().wrapping_sub(8)),
        }
    }
}

/// White, as a type.
pub(super) struct White;
/// Black, as a type.
pub(super) struct Black;

impl Side for White {
    type Them = Black;
    const US: Color = Color::White;

    #[inline]
    fn up(set: Bitboard) -> Bitboard {
        set.north()
    }

    #[inline]
    fn fill(set: Bitboard) -> Bitboard {
        let set = set | set << 8;
        let set = set | set << 16;
        set | set << 32
    }
}

impl Side for Black {
    type Them = White;
    const US: Color = Color::Black;

    #[inline]
    fn up(set: Bitboard) -> Bitboard {
        set.south()
    }

    #[inline]
    fn fill(set: Bitboard) -> Bitboard {
        let set = set | set >> 8;
        let set = set | set >> 16;
        set | set >> 32
    }
}

static AHEAD: [[Bitboard; 64]; 2] = {
    let mut table = [[Bitboard::EMPTY; 64]; 2];
    let mut square = 0;
    while square < 64 {
        let file = 0x0101_0101_0101_0101_u64 << (square % 8);
        table[0][square] = Bitboard(file & (!1 << square));
        table[1][square] = Bitboard(file & ((1 << square) - 1));
        square += 1;
    }
    table
};

const _: () = assert!(AHEAD[0][8].0 == 0x0101_0101_0101_0000); // a2 -> a3 to a8

/// King distance between two squares.
#[inline]
pub(super) fn distance(a: Square, b: Square) -> i32 {
    let files = (a.index() as i32 & 7) - (b.index() as i32 & 7);
    let ranks = (a.index() as i32 >> 3) - (b.index() as i32 >> 3);
    files.abs().max(ranks.abs())
}

/// The adjacent files.
#[inline]
pub(super) fn beside(square: Square) -> Bitboard {
    let file = Bitboard::file(square.file());
    file.east() | file.west()
}

/// The middle of the three files near a king: its own, or the next one at the edge.
#[inline]
pub(super) fn middle_file(king: Square) -> usize {
    king.file().index().clamp(1, 6)
}

/// The king ring: nine squares around a king, shifted from the edge so that there are always nine.
#[inline]
pub(super) fn ring(king: Square) -> Bitboard {
    let rank = king.rank().index().clamp(1, 6);
    let center = Square::from_index(rank * 8 + middle_file(king));
    chess::king_attacks(center) | Bitboard::of(center)
}

/// The files of the king's wing.
#[inline]
pub(super) fn wing(king: Square) -> Bitboard {
    match king.file() {
        File::A | File::B | File::C => QUEEN_WING,
        File::D | File::E => CENTER_FILES,
        File::F | File::G | File::H => KING_WING,
    }
}

/// The files a to d.
pub(super) const QUEEN_WING: Bitboard = Bitboard(0x0F0F_0F0F_0F0F_0F0F);
/// The files e to h.
pub(super) const KING_WING: Bitboard = Bitboard(0xF0F0_F0F0_F0F0_F0F0);
/// The files c to f.
pub(super) const CENTER_FILES: Bitboard = Bitboard(0x3C3C_3C3C_3C3C_3C3C);
/// d4, e4, d5 and e5.
pub(super) const CENTER: Bitboard = Bitboard(0x0000_0018_1800_0000);
