//! Sets of squares in 64 bits.

use std::fmt;
use std::num::NonZeroU64;
use std::ops::{
    BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Shl, Shr, Sub, SubAssign,
};

use crate::{File, Rank, Square};

/// A set of squares; bit 0 is a1, bit 63 is h8.
///
/// ```
/// use chess::{Bitboard, Rank, Square};
///
/// let second = Bitboard::rank(Rank::Second);
/// assert_eq!(second.count(), 8);
/// assert!(second.has(Square::E2));
/// assert_eq!(second.into_iter().next(), Some(Square::A2));
/// ```
#[derive(Copy, Clone, Default, PartialEq, Eq, Hash)]
pub struct Bitboard(pub u64);

impl Bitboard {
    /// No square.
    pub const EMPTY: Self = Self(0);
    /// Every square.
    pub const FULL: Self = Self(!0);
    /// The 32 light squares; h1 is one.
    pub const LIGHT: Self = Self(0x55AA_55AA_55AA_55AA);

    /// The eight squares of a file.
    pub const fn file(file: File) -> Self {
        Self(0x0101_0101_0101_0101 << file as u8)
    }

    /// The eight squares of a rank.
    pub const fn rank(rank: Rank) -> Self {
        Self(0xFF << (rank as u8 * 8))
    }

    /// The set of one square.
    #[inline]
    pub const fn of(square: Square) -> Self {
        Self(1 << square.index())
    }

    /// Whether the square is in the set.
    #[inline]
    pub const fn has(self, square: Square) -> bool {
        self.0 >> square.index() & 1 != 0
    }

    /// Whether it is empty.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether it is not empty.
    #[inline]
    pub const fn any(self) -> bool {
        self.0 != 0
    }

    /// Whether it has at least two squares.
    #[inline]
    pub const fn many(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }

    /// Number of squares.
    #[inline]
    pub const fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// The square nearest to a1, if any.
    #[inline]
    pub const fn first(self) -> Option<Square> {
        // The non-zero form compiles to one instruction where plain `trailing_zeros` needs three.
        match NonZeroU64::new(self.0) {
            Some(bits) => Some(Square::from_index(bits.trailing_zeros() as usize)),
            None => None,
        }
    }

    /// The set moved one file towards h; squares fall off the edge.
    #[inline]
    pub const fn east(self) -> Self {
        Self(self.0 << 1 & !Self::file(File::A).0)
    }

    /// The set moved one file towards a; squares fall off the edge.
    #[inline]
    pub const fn west(self) -> Self {
        Self(self.0 >> 1 & !Self::file(File::H).0)
    }

    /// The set moved one rank up.
    #[inline]
    pub const fn north(self) -> Self {
        Self(self.0 << 8)
    }

    /// The set moved one rank down.
    #[inline]
    pub const fn south(self) -> Self {
        Self(self.0 >> 8)
    }

    /// The set mirrored vertically: a1 and a8 swap.
    #[inline]
    pub const fn flip(self) -> Self {
        Self(self.0.swap_bytes())
    }
}

impl From<Square> for Bitboard {
    #[inline]
    fn from(square: Square) -> Self {
        Self::of(square)
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Self {
        squares.into_iter().fold(Self::EMPTY, |set, square| set | Self::of(square))
    }
}

impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = Squares;

    #[inline]
    fn into_iter(self) -> Squares {
        Squares(self)
    }
}

/// The squares of a bitboard, from a1 to h8.
#[derive(Clone, Debug)]
pub struct Squares(Bitboard);

impl Iterator for Squares {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        let square = self.0.first()?;
        self.0.0 &= self.0.0 - 1;
        Some(square)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.0.count() as usize;
        (left, Some(left))
    }
}

impl ExactSizeIterator for Squares {}

macro_rules! bit_operator {
    ($($operator:ident $method:ident $assign:ident $assign_method:ident;)*) => {$(
        impl $operator for Bitboard {
            type Output = Self;

            #[inline]
            fn $method(self, other: Self) -> Self {
                Self(self.0.$method(other.0))
            }
        }

        impl $assign for Bitboard {
            #[inline]
            fn $assign_method(&mut self, other: Self) {
                *self = self.$method(other);
            }
        }
    )*};
}

bit_operator! {
    BitAnd bitand BitAndAssign bitand_assign;
    BitOr bitor BitOrAssign bitor_assign;
    BitXor bitxor BitXorAssign bitxor_assign;
}

/// The squares of the first set that are not in the second.
impl Sub for Bitboard {
    type Output = Self;

    #[inline]
    fn sub(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }
}

impl SubAssign for Bitboard {
    #[inline]
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl Not for Bitboard {
    type Output = Self;

    #[inline]
    fn not(self) -> Self {
        Self(!self.0)
    }
}

impl Shl<u32> for Bitboard {
    type Output = Self;

    #[inline]
    fn shl(self, by: u32) -> Self {
        Self(self.0 << by)
    }
}

impl Shr<u32> for Bitboard {
    type Output = Self;

    #[inline]
    fn shr(self, by: u32) -> Self {
        Self(self.0 >> by)
    }
}

impl fmt::Debug for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(*self).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shifts_fall_off_the_edge() {
        assert_eq!(Bitboard::of(Square::H4).east(), Bitboard::EMPTY);
        assert_eq!(Bitboard::of(Square::A4).west(), Bitboard::EMPTY);
        assert_eq!(Bitboard::of(Square::A8).north(), Bitboard::EMPTY);
        assert_eq!(Bitboard::of(Square::E4).north().east(), Bitboard::of(Square::F5));
    }

    #[test]
    fn light_squares_are_light() {
        assert!(Square::all().all(|square| Bitboard::LIGHT.has(square) == square.is_light()));
    }

    #[test]
    fn iteration_visits_each_square_once_in_order() {
        let set = Bitboard(0x8000_0000_1000_0201);
        assert_eq!(set.into_iter().len(), 4);
        assert_eq!(set.into_iter().collect::<Bitboard>(), set);
        assert_eq!(set.into_iter().next(), Some(Square::A1));
    }
}
