//! Access rights of a visitor to a game.

use chess::Color;
use game::Visibility;
use store::{Secret, UserId};

use crate::config::Mode;
use crate::problem::{Failure, Kind, Result};
use crate::room::Head;

/// Identifies a visitor to a game by account, by the secret of a seat, by both or by neither.
#[derive(Clone, Debug, Default)]
pub(crate) struct Who {
    pub user: Option<UserId>,
    pub secret: Option<Secret>,
}

/// Access rights to a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Access {
    /// The sides the visitor plays.
    pub sides: Vec<Color>,
    /// Whether the visitor owns the game.
    owns: bool,
    /// Whether the visitor may watch.
    watches: bool,
}

impl Access {
    /// Users play their own sides, and the secret of a seat grants that seat; whoever has deleted a
    /// game for themselves is a stranger to it. On a local server, visitors without a profile see
    /// every game, and games without an owner belong to everyone.
    pub fn new(game: &Head, who: &Who, mode: &Mode) -> Self {
        let (user, local) = (who.user, matches!(mode, Mode::Local));
        let plays = |color: Color| {
            let by_name =
                user.is_some() && game.player(color).user() == user && !game.left.player(color);
            by_name || who.secret.as_ref().is_some_and(|secret| game.seats.opens(secret, color))
        };
        let mut sides: Vec<Color> = Color::ALL.into_iter().filter(|&color| plays(color)).collect();
        // Both players of a shared board have the same secret.
        if game.seats.white.is_some() && game.seats.white == game.seats.black && !sides.is_empty() {
            sides = Color::ALL.to_vec();
        }
        let owns = game.owner == user
            && match user {
                Some(_) => !game.left.owner,
                None => local,
            };
        let watches = game.visibility != Visibility::Private
            || owns
            || !sides.is_empty()
            || local && (user.is_none() || game.owner.is_none());
        Self { sides, owns, watches }
    }

    /// Fails with "not found", so that the existence of a private game isn't revealed.
    pub fn watch(&self) -> Result<()> {
        if self.watches { Ok(()) } else { Err(Failure::not_found("game")) }
    }

    /// Whether the visitor may decide who watches.
    pub fn share(&self) -> Result<()> {
        self.watch()?;
        if self.owns {
            return Ok(());
        }
        Err(Failure::new(Kind::Forbidden, "only the owner of the game can do that"))
    }

    /// Whether the visitor has the game, and so can delete it for themselves.
    pub fn leave(&self) -> Result<()> {
        self.watch()?;
        if self.owns || !self.sides.is_empty() {
            return Ok(());
        }
        Err(Failure::new(Kind::Forbidden, "only the players and the owner of the game can do that"))
    }
}
