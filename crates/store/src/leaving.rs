//! Deleting games. A game belongs to its owner and its players; each of them can delete it for
//! themselves, and with the last of them it is gone.

use chess::Color;
use game::Visibility;

use crate::database::{Database, query};
use crate::error::{Result, StoreError};
use crate::stored_game::game_columns;
use crate::transaction::TimedConnection;
use crate::{GameId, Player, Rated, StoredGame, UserId, Version, digest, games, positions};

/// Someone who deletes a game for themselves.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Leaver {
    /// The user, if signed in.
    pub user: Option<UserId>,
    /// The sides whose seats they hold. The secrets of these seats are forgotten.
    pub seats: Vec<Color>,
}

/// Which of the users of a game have deleted it for themselves.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Left {
    /// The owner.
    pub owner: bool,
    /// The white player.
    pub white: bool,
    /// The black player.
    pub black: bool,
}

impl Left {
    /// Whether the player of a side has.
    pub const fn player(self, color: Color) -> bool {
        match color {
            Color::White => self.white,
            Color::Black => self.black,
        }
    }
}

impl StoredGame {
    /// Whether somebody still has the game after someone has deleted it for themselves.
    pub fn outlives(&self, leaver: &Leaver) -> bool {
        self.clone().without(leaver).is_kept()
    }

    /// The game as the others have it. What the owner deletes isn't shown to spectators any more.
    fn without(mut self, leaver: &Leaver) -> Self {
        let is_theirs = |user: Option<UserId>| user.is_some() && user == leaver.user;
        if is_theirs(self.owner) {
            self.left.owner = true;
            self.visibility = Visibility::Private;
        }
        self.left.white |= is_theirs(self.white.user());
        self.left.black |= is_theirs(self.black.user());
        if self.left.white || leaver.seats.contains(&Color::White) {
            self.seats.white = None;
        }
        if self.left.black || leaver.seats.contains(&Color::Black) {
            self.seats.black = None;
        }
        self
    }

    /// Whether somebody has the game: its owner, a user who plays it, or a guest with a seat. An
    /// invitation that nobody has accepted doesn't count.
    fn is_kept(&self) -> bool {
        let plays = |color: Color| match self.player(color) {
            Player::User { .. } => !self.left.player(color),
            Player::Guest { .. } => {
                let seat = match color {
                    Color::White => &self.seats.white,
                    Color::Black => &self.seats.black,
                };
                seat.is_some() && self.seats.open != Some(color)
            }
            Player::Engine { .. } => false,
        };
        self.owner.is_some() && !self.left.owner || Color::ALL.into_iter().any(plays)
    }
}

pub(crate) async fn leave(
    database: &Database,
    id: &GameId,
    version: Version,
    leaver: &Leaver,
) -> Result<()> {
    let mut transaction = database.begin().await?;
    let game = games::load(database, &mut transaction, id).await?;
    if game.version != version {
        return Err(StoreError::Stale { found: game.version.0 });
    }
    take_out(database, &mut transaction, game, leaver).await?;
    Ok(transaction.commit().await?)
}

/// Deletes the games that nobody else has, before a user is deleted.
pub(crate) async fn leave_all(
    database: &Database,
    connection: &mut TimedConnection,
    user: UserId,
) -> Result<()> {
    let leaver = Leaver { user: Some(user), seats: Vec::new() };
    let rows = query(LEFT_BY_OTHERS).bind(user.0).fetch_all(&mut *connection).await?;
    for row in &rows {
        let game = StoredGame::from_row(row)?;
        if !game.outlives(&leaver) {
            take_out(database, connection, game, &leaver).await?;
        }
    }
    Ok(())
}

/// A user's games that somebody else has deleted for themselves.
const LEFT_BY_OTHERS: &str = concat!(
    "SELECT ",
    game_columns!(),
    " FROM games g WHERE (g.owner = $1 OR g.white_user = $1 OR g.black_user = $1) \
     AND g.owner_left + g.white_left + g.black_left > 0"
);

async fn take_out(
    database: &Database,
    connection: &mut TimedConnection,
    game: StoredGame,
    leaver: &Leaver,
) -> Result<()> {
    let game = game.without(leaver);
    if game.is_kept() {
        if let Some(user) = leaver.user {
            digest::forget(connection, game.number, user).await?;
        }
        return write(connection, game).await;
    }
    if game.end.is_some() && game.rated == Rated::Due {
        return Err(StoreError::Unrated);
    }
    positions::remove(database, connection, &game).await?;
    let id = game.id.to_string();
    query("DELETE FROM jobs WHERE game = $1").bind(id).execute(&mut *connection).await?;
    query("DELETE FROM games WHERE number = $1").bind(game.number).execute(connection).await?;
    Ok(())
}

async fn write(connection: &mut TimedConnection, game: StoredGame) -> Result<()> {
    query(
        "UPDATE games SET owner_left = $1, white_left = $2, black_left = $3, white_seat = $4, \
         black_seat = $5, visibility = $6 WHERE number = $7",
    )
    .bind(i64::from(game.left.owner))
    .bind(i64::from(game.left.white))
    .bind(i64::from(game.left.black))
    .bind(game.seats.white.map(|hash| hash.0))
    .bind(game.seats.black.map(|hash| hash.0))
    .bind(game.visibility.as_str())
    .bind(game.number)
    .execute(connection)
    .await?;
    Ok(())
}
