//! Two scores in one number: middlegame and endgame.

use std::fmt;
use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

/// A middlegame and an endgame score, added and multiplied by one instruction.
///
/// The middlegame half is in the low 16 bits, the endgame half in the high ones. A negative low
/// half borrows one from the high half, which [`Tapered::eg`] compensates.
#[derive(Copy, Clone, Default, PartialEq, Eq, Hash)]
pub struct Tapered(i32);

impl Tapered {
    /// Both halves zero.
    pub const ZERO: Self = Self(0);

    /// A pair of scores.
    #[inline]
    pub const fn new(mg: i32, eg: i32) -> Self {
        Self((eg << 16).wrapping_add(mg))
    }

    /// The middlegame half.
    #[inline]
    pub const fn mg(self) -> i32 {
        self.0 as i16 as i32
    }

    /// The endgame half.
    #[inline]
    pub const fn eg(self) -> i32 {
        (self.0.wrapping_add(0x8000) >> 16) as i16 as i32
    }
}

impl Add for Tapered {
    type Output = Self;

    #[inline]
    fn add(self, other: Self) -> Self {
        Self(self.0.wrapping_add(other.0))
    }
}

impl Sub for Tapered {
    type Output = Self;

    #[inline]
    fn sub(self, other: Self) -> Self {
        Self(self.0.wrapping_sub(other.0))
    }
}

impl Neg for Tapered {
    type Output = Self;

    #[inline]
    fn neg(self) -> Self {
        Self(self.0.wrapping_neg())
    }
}

impl Mul<i32> for Tapered {
    type Output = Self;

    #[inline]
    fn mul(self, times: i32) -> Self {
        Self(self.0.wrapping_mul(times))
    }
}

impl AddAssign for Tapered {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl SubAssign for Tapered {
    #[inline]
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl fmt::Debug for Tapered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "s({}, {})", self.mg(), self.eg())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_halves_do_not_disturb_each_other() {
        let halves = [-9000, -300, -1, 0, 1, 77, 9000];
        for mg in halves {
            for eg in halves {
                let pair = Tapered::new(mg, eg);
                assert_eq!((pair.mg(), pair.eg()), (mg, eg));
                let sum = pair + Tapered::new(-5, 7);
                assert_eq!((sum.mg(), sum.eg()), (mg - 5, eg + 7));
                let triple = pair * -3;
                assert_eq!((triple.mg(), triple.eg()), (mg * -3, eg * -3));
                assert_eq!(((-pair).mg(), (-pair).eg()), (-mg, -eg));
            }
        }
    }
}
