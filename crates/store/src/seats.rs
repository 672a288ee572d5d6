//! Seats of a game, and whether it is rated.

use chess::Color;

use crate::{Secret, SecretHash};

/// The secrets that let someone move a side, besides the user who plays it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Seats {
    /// The hash of White's secret.
    pub white: Option<SecretHash>,
    /// The hash of Black's secret.
    pub black: Option<SecretHash>,
    /// The side whose seat is open.
    pub open: Option<Color>,
}

impl Seats {
    /// Whether a secret opens the seat of a side.
    pub fn opens(&self, secret: &Secret, color: Color) -> bool {
        let kept = match color {
            Color::White => &self.white,
            Color::Black => &self.black,
        };
        kept.as_ref() == Some(&secret.hash())
    }

    /// The same seats with sides swapped.
    pub fn swapped(&self) -> Self {
        Self {
            white: self.black.clone(),
            black: self.white.clone(),
            open: self.open.map(|color| !color),
        }
    }
}

/// Whether a game is rated.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum Rated {
    /// Unrated.
    #[default]
    No,
    /// To be rated when it is over.
    Due,
    /// Rated.
    Done,
}

chess::names! { Rated { No = "no", Due = "due", Done = "done" } }
