//! The player of one side of a game.

use std::borrow::Cow;

use game::Level;

use crate::UserId;
use crate::error::{self, Result};

/// Maximum length of the name of a player without an account, in characters.
pub(crate) const LONGEST_NAME: usize = 100;

/// The player of one side of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Player {
    /// A user; the name is the user's.
    User {
        /// The user id.
        id: UserId,
        /// The user's name when the game was read.
        name: String,
    },
    /// The engine.
    Engine {
        /// The level.
        level: Level,
        /// The rating of the level when the game was created.
        rating: u32,
    },
    /// A player without an account, or a deleted user.
    Guest {
        /// The name.
        name: String,
    },
}

impl Player {
    /// The engine at a level, with the level's current rating.
    pub const fn engine(level: Level) -> Self {
        Self::Engine { level, rating: level.rating() }
    }

    /// The name to display.
    pub fn name(&self) -> Cow<'_, str> {
        match self {
            Self::User { name, .. } | Self::Guest { name } => name.into(),
            Self::Engine { level, .. } => level.player_name().into(),
        }
    }

    /// The user id, if it is a user.
    pub const fn user(&self) -> Option<UserId> {
        match self {
            Self::User { id, .. } => Some(*id),
            _ => None,
        }
    }

    /// A player from a PGN tag, with the name adjusted to fit.
    pub(crate) fn from_tag(name: Option<&str>) -> Self {
        let clean: String = name.unwrap_or("?").chars().filter(|c| !c.is_control()).collect();
        let name = clean.trim().chars().take(LONGEST_NAME).collect::<String>();
        Self::Guest { name: if name.trim().is_empty() { "?".to_owned() } else { name } }
    }

    pub(crate) fn check(&self) -> Result<()> {
        error::name("player's name", &self.name(), LONGEST_NAME).map(drop)
    }
}

/// A case-folded name, for comparing and searching.
pub(crate) fn folded(name: &str) -> String {
    name.trim().to_lowercase()
}
