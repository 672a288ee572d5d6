//! Numeric annotation glyphs: `$1` is `!`, and so on.

use std::fmt;

/// A numeric annotation glyph of PGN.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct Nag(pub u8);

/// Glyphs with a symbol, by number. The first symbol of a number is the one shown. Where each side
/// has a glyph of its own but both share a symbol, it maps to White's, as in other programs.
const SIGNS: [(u8, &str); 45] = [
    (1, "!"),
    (2, "?"),
    (3, "!!"),
    (3, "‼"),
    (4, "??"),
    (4, "⁇"),
    (5, "!?"),
    (5, "⁉"),
    (6, "?!"),
    (6, "⁈"),
    (7, "□"),
    (7, "▢"),
    (10, "="),
    (13, "~"),
    (13, "∞"),
    (14, "+="),
    (14, "+/="),
    (14, "⩲"),
    (15, "=+"),
    (15, "=/+"),
    (15, "⩱"),
    (16, "+/-"),
    (16, "±"),
    (17, "-/+"),
    (17, "∓"),
    (18, "+-"),
    (19, "-+"),
    (22, "⨀"),
    (22, "⊙"),
    (26, "○"),
    (32, "⟳"),
    (32, "↻"),
    (36, "↑"),
    (40, "→"),
    (44, "=∞"),
    (44, "⯹"),
    (132, "⇆"),
    (132, "⇄"),
    (138, "⊕"),
    (138, "⨁"),
    (140, "∆"),
    (140, "△"),
    (141, "∇"),
    (142, "⌓"),
    (146, "N"),
];

impl Nag {
    /// Its symbol, if there is one.
    pub fn sign(self) -> Option<&'static str> {
        SIGNS.iter().find(|&&(number, _)| number == self.0).map(|&(_, sign)| sign)
    }

    /// The glyph of a symbol such as `!?` or `+-`.
    pub fn from_sign(text: &[u8]) -> Option<Self> {
        SIGNS.iter().find(|(_, sign)| sign.as_bytes() == text).map(|&(number, _)| Self(number))
    }
}

impl fmt::Display for Nag {
    /// As in PGN: `$1`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "${}", self.0)
    }
}
