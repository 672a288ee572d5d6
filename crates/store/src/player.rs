//! Who sits at a board, and what they offer each other.

use std::borrow::Cow;

use chess::Color;

use crate::error::{self, Result};
use crate::words::Word;
use crate::{Offer, UserId};

/// The longest name of somebody who has no account, in characters.
pub(crate) const LONGEST_NAME: usize = 100;

/// Who sits at a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Player {
    /// A user; the name is the user's.
    User {
        /// Which one.
        id: UserId,
        /// The name, as it was when the game was read.
        name: String,
    },
    /// The engine at a level.
    Level {
        /// The level's number.
        number: u8,
        /// What the level was rated when the game began.
        elo: i32,
    },
    /// Somebody else, or a user who is gone.
    Guest {
        /// What they are called.
        name: String,
    },
}

impl Player {
    /// What to write beside the board.
    pub fn name(&self) -> Cow<'_, str> {
        match self {
            Self::User { name, .. } | Self::Guest { name } => name.into(),
            Self::Level { number, .. } => format!("Riga, level {number}").into(),
        }
    }

    /// The user, if it is one.
    pub const fn user(&self) -> Option<UserId> {
        match self {
            Self::User { id, .. } => Some(*id),
            _ => None,
        }
    }

    /// Somebody from a file: the name is made fit to be kept.
    pub(crate) fn from_tag(name: Option<&str>) -> Self {
        let clean: String = name.unwrap_or("?").chars().filter(|c| !c.is_control()).collect();
        let name = clean.trim().chars().take(LONGEST_NAME).collect::<String>();
        Self::Guest { name: if name.trim().is_empty() { "?".to_owned() } else { name } }
    }

    pub(crate) fn check(&self) -> Result<()> {
        error::name("player's name", &self.name(), LONGEST_NAME).map(drop)
    }

    pub(crate) const fn level(&self) -> (Option<i64>, Option<i64>) {
        match self {
            Self::Level { number, elo } => (Some(*number as i64), Some(*elo as i64)),
            _ => (None, None),
        }
    }
}

/// A name without regard to case, for comparing and searching.
pub(crate) fn folded(name: &str) -> String {
    name.trim().to_lowercase()
}

impl Word for Offer {
    const ALL: &'static [Self] = &[
        Self::Draw(Color::White),
        Self::Draw(Color::Black),
        Self::TakeBack(Color::White),
        Self::TakeBack(Color::Black),
    ];

    fn word(self) -> &'static str {
        match self {
            Self::Draw(Color::White) => "draw by white",
            Self::Draw(Color::Black) => "draw by black",
            Self::TakeBack(Color::White) => "takeback by white",
            Self::TakeBack(Color::Black) => "takeback by black",
        }
    }
}
