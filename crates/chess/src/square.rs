//! Files, ranks and squares.

use std::fmt;
use std::str::FromStr;

use crate::Color;

/// A file, from a to h.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
#[expect(missing_docs, reason = "self-explanatory")]
pub enum File {
    A,
    B,
    C,
    D,
    E,
    F,
    G,
    H,
}

impl File {
    /// All files, a first.
    pub const ALL: [Self; 8] =
        [Self::A, Self::B, Self::C, Self::D, Self::E, Self::F, Self::G, Self::H];

    /// 0 for a to 7 for h.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The lower-case letter.
    pub const fn letter(self) -> char {
        (b'a' + self as u8) as char
    }

    /// The file with a letter in either case.
    pub const fn from_letter(letter: char) -> Option<Self> {
        match letter.to_ascii_lowercase() {
            letter @ 'a'..='h' => Some(Self::ALL[(letter as u8 - b'a') as usize]),
            _ => None,
        }
    }
}

/// A rank from White's point of view, first to eighth.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
#[expect(missing_docs, reason = "self-explanatory")]
pub enum Rank {
    First,
    Second,
    Third,
    Fourth,
    Fifth,
    Sixth,
    Seventh,
    Eighth,
}

impl Rank {
    /// All ranks, first to eighth.
    pub const ALL: [Self; 8] = [
        Self::First,
        Self::Second,
        Self::Third,
        Self::Fourth,
        Self::Fifth,
        Self::Sixth,
        Self::Seventh,
        Self::Eighth,
    ];

    /// 0 for the first to 7 for the eighth.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The digit, `1` to `8`.
    pub const fn digit(self) -> char {
        (b'1' + self as u8) as char
    }

    /// The rank with a digit.
    pub const fn from_digit(digit: char) -> Option<Self> {
        match digit {
            '1'..='8' => Some(Self::ALL[(digit as u8 - b'1') as usize]),
            _ => None,
        }
    }

    /// The rank from `color`'s point of view: the same for White, mirrored for Black.
    pub const fn relative_to(self, color: Color) -> Self {
        match color {
            Color::White => self,
            Color::Black => Self::ALL[7 - self as usize],
        }
    }
}

/// One of the 64 squares: a1 is 0, b1 is 1, h8 is 63.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

#[rustfmt::skip]
#[expect(missing_docs, reason = "self-explanatory")]
impl Square {
    pub const A1: Self = Self(0); pub const B1: Self = Self(1); pub const C1: Self = Self(2); pub const D1: Self = Self(3); pub const E1: Self = Self(4); pub const F1: Self = Self(5); pub const G1: Self = Self(6); pub const H1: Self = Self(7);
    pub const A2: Self = Self(8); pub const B2: Self = Self(9); pub const C2: Self = Self(10); pub const D2: Self = Self(11); pub const E2: Self = Self(12); pub const F2: Self = Self(13); pub const G2: Self = Self(14); pub const H2: Self = Self(15);
    pub const A3: Self = Self(16); pub const B3: Self = Self(17); pub const C3: Self = Self(18); pub const D3: Self = Self(19); pub const E3: Self = Self(20); pub const F3: Self = Self(21); pub const G3: Self = Self(22); pub const H3: Self = Self(23);
    pub const A4: Self = Self(24); pub const B4: Self = Self(25); pub const C4: Self = Self(26); pub const D4: Self = Self(27); pub const E4: Self = Self(28); pub const F4: Self = Self(29); pub const G4: Self = Self(30); pub const H4: Self = Self(31);
    pub const A5: Self = Self(32); pub const B5: Self = Self(33); pub const C5: Self = Self(34); pub const D5: Self = Self(35); pub const E5: Self = Self(36); pub const F5: Self = Self(37); pub const G5: Self = Self(38); pub const H5: Self = Self(39);
    pub const A6: Self = Self(40); pub const B6: Self = Self(41); pub const C6: Self = Self(42); pub const D6: Self = Self(43); pub const E6: Self = Self(44); pub const F6: Self = Self(45); pub const G6: Self = Self(46); pub const H6: Self = Self(47);
    pub const A7: Self = Self(48); pub const B7: Self = Self(49); pub const C7: Self = Self(50); pub const D7: Self = Self(51); pub const E7: Self = Self(52); pub const F7: Self = Self(53); pub const G7: Self = Self(54); pub const H7: Self = Self(55);
    pub const A8: Self = Self(56); pub const B8: Self = Self(57); pub const C8: Self = Self(58); pub const D8: Self = Self(59); pub const E8: Self = Self(60); pub const F8: Self = Self(61); pub const G8: Self = Self(62); pub const H8: Self = Self(63);
}

impl Square {
    /// The square on a file and a rank.
    #[inline]
    pub const fn new(file: File, rank: Rank) -> Self {
        Self(rank as u8 * 8 + file as u8)
    }

    /// The square with this number; only the low six bits count.
    #[inline]
    pub const fn from_index(index: usize) -> Self {
        Self((index & 63) as u8)
    }

    /// 0 to 63. The mask shows the compiler the bound, so that table lookups need no check.
    #[inline]
    pub const fn index(self) -> usize {
        (self.0 & 63) as usize
    }

    /// All squares from a1 to h8.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator {
        (0..64).map(Self)
    }

    /// Its file.
    #[inline]
    pub const fn file(self) -> File {
        File::ALL[(self.0 & 7) as usize]
    }

    /// Its rank.
    #[inline]
    pub const fn rank(self) -> Rank {
        Rank::ALL[(self.0 >> 3 & 7) as usize]
    }

    /// The square this many steps on in a1-h8 order, wrapping at the ends of the board.
    #[inline]
    pub(crate) const fn step(self, delta: i8) -> Self {
        Self(self.0.wrapping_add_signed(delta) & 63)
    }

    /// The square mirrored vertically: a1 and a8 swap.
    #[inline]
    pub const fn flip(self) -> Self {
        Self(self.0 ^ 0o70)
    }

    /// Whether the square is light. a1 is dark.
    pub const fn is_light(self) -> bool {
        (self.0 / 8 + self.0) % 2 == 1
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.file().letter(), self.rank().digit())
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The text is not a square such as `e4`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a square such as e4")]
pub struct ParseSquareError(pub String);

impl FromStr for Square {
    type Err = ParseSquareError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut chars = text.chars();
        if let (Some(file), Some(rank), None) = (chars.next(), chars.next(), chars.next())
            && let (Some(file), Some(rank)) = (File::from_letter(file), Rank::from_digit(rank))
        {
            return Ok(Self::new(file, rank));
        }
        Err(ParseSquareError(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_and_square_agree_both_ways() {
        for square in Square::all() {
            assert_eq!(square.to_string().parse(), Ok(square));
        }
        for text in ["", "e", "e9", "i4", "e44", "4e", "é4"] {
            assert!(text.parse::<Square>().is_err(), "{text}");
        }
    }

    #[test]
    fn a1_is_dark_and_h1_is_light() {
        assert!(!Square::A1.is_light());
        assert!(Square::H1.is_light());
        assert_eq!(Square::all().filter(|square| square.is_light()).count(), 32);
    }
}
