//! Who may move the men of a game, and whether it counts.

use chess::Color;

use crate::{Secret, SecretHash};

/// Who may move a side by showing a secret, besides the user who plays it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Seats {
    /// The hash of White's secret.
    pub white: Option<SecretHash>,
    /// The hash of Black's secret.
    pub black: Option<SecretHash>,
    /// The side for which somebody is still awaited.
    pub open: Option<Color>,
}

impl Seats {
    /// Whether a secret is that of a side.
    pub fn opens(&self, secret: &Secret, color: Color) -> bool {
        let kept = match color {
            Color::White => &self.white,
            Color::Black => &self.black,
        };
        kept.as_ref() == Some(&secret.hash())
    }

    /// The same people with sides changed.
    pub fn swapped(&self) -> Self {
        Self {
            white: self.black.clone(),
            black: self.white.clone(),
            open: self.open.map(|color| !color),
        }
    }
}

/// Whether a game counts for the ratings of its players.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum Rated {
    /// It doesn't.
    #[default]
    No,
    /// It will, when it is over.
    Due,
    /// It has.
    Done,
}

chess::names! { Rated { No = "no", Due = "due", Done = "done" } }
