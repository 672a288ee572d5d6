//! ECO codes as numbers.

use std::fmt;
use std::str::FromStr;

/// An ECO code, A00 to E99, or none.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Eco(pub(crate) u16);

impl Eco {
    /// No code is given.
    pub const NONE: Self = Self(0);

    /// The code of a tag; none if it is anything but a letter and two digits.
    pub(crate) fn from_tag(tag: &str) -> Self {
        match *tag.as_bytes() {
            [letter @ b'A'..=b'E', tens @ b'0'..=b'9', ones @ b'0'..=b'9'] => {
                let digit = |c: u8, zero: u8| u16::from(c - zero);
                Self(1 + digit(letter, b'A') * 100 + digit(tens, b'0') * 10 + digit(ones, b'0'))
            }
            _ => Self::NONE,
        }
    }
}

impl fmt::Display for Eco {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(number) = self.0.checked_sub(1) else { return f.write_str("?") };
        write!(f, "{}{:02}", char::from(b'A' + (number / 100) as u8), number % 100)
    }
}

/// The text is not an ECO code.
#[derive(Copy, Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not an ECO code, A00 to E99")]
pub struct ParseEcoError;

impl FromStr for Eco {
    type Err = ParseEcoError;

    fn from_str(text: &str) -> Result<Self, ParseEcoError> {
        match Self::from_tag(text) {
            Self::NONE => Err(ParseEcoError),
            eco => Ok(eco),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_come_back() {
        for text in ["A00", "B90", "E99"] {
            assert_eq!(text.parse::<Eco>().map(|eco| eco.to_string()), Ok(text.to_owned()));
        }
        for text in ["", "?", "F00", "B9", "B90f", "b90"] {
            assert_eq!(text.parse::<Eco>(), Err(ParseEcoError), "{text}");
        }
    }
}
