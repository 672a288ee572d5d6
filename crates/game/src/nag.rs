//! Numeric annotation glyphs: `$1` is `!`, and so on.

use std::fmt;

/// A numeric annotation glyph of PGN.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct Nag(pub u8);

/// The glyphs that have a sign, by number. The first sign of a number is the one shown.
const SIGNS: [(u8, &str); 17] = [
    (1, "!"),
    (2, "?"),
    (3, "!!"),
    (4, "??"),
    (5, "!?"),
    (6, "?!"),
    (10, "="),
    (13, "~"),
    (14, "+="),
    (14, "+/="),
    (15, "=+"),
    (15, "=/+"),
    (16, "+/-"),
    (17, "-/+"),
    (18, "+-"),
    (19, "-+"),
    (146, "N"),
];

impl Nag {
    /// The sign people write for it, if there is one.
    pub fn sign(self) -> Option<&'static str> {
        SIGNS.iter().find(|&&(number, _)| number == self.0).map(|&(_, sign)| sign)
    }

    /// The glyph of a sign such as `!?` or `+-`.
    pub fn from_sign(text: &[u8]) -> Option<Self> {
        SIGNS.iter().find(|(_, sign)| sign.as_bytes() == text).map(|&(number, _)| Self(number))
    }
}

impl fmt::Display for Nag {
    /// The form of PGN: `$1`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "${}", self.0)
    }
}
