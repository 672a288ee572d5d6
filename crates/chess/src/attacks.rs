//! Attacks that don't depend on the board, and the squares between two squares.

use crate::sliders::{BISHOP_STEPS, ROOK_STEPS, bishop_attacks, queen_attacks, rook_attacks, walk};
use crate::{Bitboard, Color, Role, Square};

/// Squares a knight on `square` attacks.
#[inline]
pub fn knight_attacks(square: Square) -> Bitboard {
    KNIGHT[square.index()]
}

/// Squares a king on `square` attacks.
#[inline]
pub fn king_attacks(square: Square) -> Bitboard {
    KING[square.index()]
}

/// Squares a pawn of `color` on `square` attacks.
#[inline]
pub fn pawn_attacks(color: Color, square: Square) -> Bitboard {
    PAWN[color.index()][square.index()]
}

/// Squares a rook on `square` would attack on an empty board.
#[inline]
pub fn rook_rays(square: Square) -> Bitboard {
    ROOK_RAYS[square.index()]
}

/// Squares a bishop on `square` would attack on an empty board.
#[inline]
pub fn bishop_rays(square: Square) -> Bitboard {
    BISHOP_RAYS[square.index()]
}

/// Squares that a piece other than a pawn attacks, given the occupied squares.
#[inline]
pub fn officer_attacks(role: Role, square: Square, occupied: Bitboard) -> Bitboard {
    match role {
        Role::Pawn => Bitboard::EMPTY,
        Role::Knight => knight_attacks(square),
        Role::Bishop => bishop_attacks(square, occupied),
        Role::Rook => rook_attacks(square, occupied),
        Role::Queen => queen_attacks(square, occupied),
        Role::King => king_attacks(square),
    }
}

/// Squares strictly between two squares on a rank, file or diagonal; empty if they share none.
#[inline]
pub fn between(a: Square, b: Square) -> Bitboard {
    BETWEEN[a.index()][b.index()]
}

static KNIGHT: [Bitboard; 64] =
    leaps(&[(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]);
static KING: [Bitboard; 64] =
    leaps(&[(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)]);
static PAWN: [[Bitboard; 64]; 2] = [leaps(&[(1, 1), (-1, 1)]), leaps(&[(1, -1), (-1, -1)])];
static ROOK_RAYS: [Bitboard; 64] = rays(&ROOK_STEPS);
static BISHOP_RAYS: [Bitboard; 64] = rays(&BISHOP_STEPS);
static BETWEEN: [[Bitboard; 64]; 64] = betweens();

const _: () = assert!(KNIGHT[0].0 == 0x0002_0400); // a1 -> b3, c2

const fn rays(steps: &[(i8, i8)]) -> [Bitboard; 64] {
    walks(steps, 0)
}

/// A leap is a ray that every square blocks.
const fn leaps(steps: &[(i8, i8)]) -> [Bitboard; 64] {
    walks(steps, !0)
}

const fn walks(steps: &[(i8, i8)], occupied: u64) -> [Bitboard; 64] {
    let mut table = [Bitboard::EMPTY; 64];
    let mut square = 0;
    while square < 64 {
        table[square] = Bitboard(walk(square, steps, occupied, false));
        square += 1;
    }
    table
}

/// Two squares on a line see each other along one direction and its opposite; the squares that both
/// see are between them.
#[expect(clippy::large_stack_arrays, reason = "it is evaluated at compile time")]
const fn betweens() -> [[Bitboard; 64]; 64] {
    const STEPS: [(i8, i8); 4] = [(1, 0), (1, 1), (0, 1), (-1, 1)];
    let mut table = [[Bitboard::EMPTY; 64]; 64];
    let mut a = 0;
    while a < 64 {
        let mut i = 0;
        while i < 4 {
            let (east, north) = STEPS[i];
            let mut ahead = walk(a, &[(east, north)], 0, false);
            while ahead != 0 {
                let b = ahead.trailing_zeros() as usize;
                let there = walk(a, &[(east, north)], 1 << b, false);
                let back = walk(b, &[(-east, -north)], 1 << a, false);
                table[a][b] = Bitboard(there & back);
                table[b][a] = table[a][b];
                ahead &= ahead - 1;
            }
            i += 1;
        }
        a += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn between_is_open_at_both_ends() {
        assert_eq!(between(Square::A1, Square::D4), [Square::B2, Square::C3].into_iter().collect());
        assert_eq!(between(Square::H8, Square::H6), Square::H7.into());
        assert_eq!(between(Square::H8, Square::H7), Bitboard::EMPTY);
        assert_eq!(between(Square::A1, Square::B3), Bitboard::EMPTY);
    }

    #[test]
    fn attacks_are_mutual() {
        for a in Square::all() {
            for b in Square::all() {
                assert_eq!(knight_attacks(a).has(b), knight_attacks(b).has(a));
                assert_eq!(king_attacks(a).has(b), king_attacks(b).has(a));
                let white = pawn_attacks(Color::White, a).has(b);
                assert_eq!(white, pawn_attacks(Color::Black, b).has(a));
                assert_eq!(between(a, b), between(b, a));
            }
        }
    }
}
