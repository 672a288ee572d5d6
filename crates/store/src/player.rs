//! Who plays a side of a game.

use std::borrow::Cow;

use game::Level;

use crate::UserId;
use crate::error::{self, Result};

/// The longest name of somebody who has no account, in characters.
pub(crate) const LONGEST_NAME: usize = 100;

/// Who plays a side of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Player {
    /// A user; the name is the user's.
    User {
        /// Which one.
        id: UserId,
        /// The name, as it was when the game was read.
        name: String,
    },
    /// The engine.
    Engine {
        /// How well it plays.
        level: Level,
        /// What the level was rated when the game began.
        rating: u32,
    },
    /// Somebody else, or a user who is gone.
    Guest {
        /// What they are called.
        name: String,
    },
}

impl Player {
    /// The engine at a level, as it is rated now.
    pub const fn engine(level: Level) -> Self {
        Self::Engine { level, rating: level.rating() }
    }

    /// What to write beside the board.
    pub fn name(&self) -> Cow<'_, str> {
        match self {
            Self::User { name, .. } | Self::Guest { name } => name.into(),
            Self::Engine { level, .. } => level.player_name().into(),
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
}

/// A name without regard to case, for comparing and searching.
pub(crate) fn folded(name: &str) -> String {
    name.trim().to_lowercase()
}
