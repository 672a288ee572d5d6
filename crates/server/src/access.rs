//! What a visitor may do with a game.

use chess::Color;
use game::Visibility;
use store::{Secret, UserId};

use crate::config::Mode;
use crate::problem::{Failure, Kind, Result};
use crate::room::Head;

/// Who looks at a game: a user, somebody who knows the secret of a seat, both, or anybody.
#[derive(Clone, Debug, Default)]
pub(crate) struct Who {
    pub user: Option<UserId>,
    pub secret: Option<Secret>,
}

/// What somebody may do with a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Access {
    /// The sides that they play.
    pub sides: Vec<Color>,
    /// Whether they own it.
    owns: bool,
    /// Whether they may look.
    watches: bool,
}

impl Access {
    /// A user plays the sides that are theirs, and whoever shows the secret of a seat plays that one.
    /// On a local server who has no profile sees everything, and what nobody owns is everybody's.
    pub fn new(game: &Head, who: &Who, mode: &Mode) -> Self {
        let (user, local) = (who.user, matches!(mode, Mode::Local));
        let plays = |color: Color| {
            let by_name = user.is_some() && game.player(color).user() == user;
            by_name || who.secret.as_ref().is_some_and(|secret| game.seats.opens(secret, color))
        };
        let mut sides: Vec<Color> = Color::ALL.into_iter().filter(|&color| plays(color)).collect();
        // Two who share a board have one secret.
        if game.seats.white.is_some() && game.seats.white == game.seats.black && !sides.is_empty() {
            sides = Color::ALL.to_vec();
        }
        let owns = game.owner == user && (user.is_some() || local);
        let watches = game.visibility != Visibility::Private
            || owns
            || !sides.is_empty()
            || local && (user.is_none() || game.owner.is_none());
        Self { sides, owns, watches }
    }

    /// Who may not look is not told that there is something.
    pub fn watch(&self) -> Result<()> {
        if self.watches { Ok(()) } else { Err(Failure::not_found("game")) }
    }

    /// Whether they may change what is not a move: who may watch, or that the game is there at all.
    pub fn change(&self) -> Result<()> {
        self.watch()?;
        if self.owns || !self.sides.is_empty() {
            return Ok(());
        }
        Err(Failure::new(Kind::Forbidden, "only its players and its owner can do that"))
    }
}
