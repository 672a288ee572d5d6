//! Games, from their first move to their last. Every write to a live game is one `UPDATE` guarded
//! by the version that it was meant for.

use std::time::Duration;

use async_trait::async_trait;
use chess::{Color, Move, Outcome};
use game::Visibility;
use game::live::{self, End, Offer};
use sqlx::AnyConnection;

use crate::database::{Database, query};
use crate::ending::EndColumns;
use crate::error::{Result, StoreError};
use crate::player::folded;
use crate::statement::Statement;
use crate::stored_game::COLUMNS;
use crate::writes::Change;
use crate::{
    GameId, Imported, NewGame, Pace, Player, SecretHash, StoredGame, Timestamp, Version, insert,
    positions, pulse,
};

/// A move that has been played, and how the game stands then.
#[derive(Clone, Debug, PartialEq)]
pub struct Played {
    /// The move, legal in the position before.
    pub m: Move,
    /// Milliseconds that the mover has left, in a game with clocks.
    pub clock: Option<u32>,
    /// Since when the other side's clock runs.
    pub clock_running_since: Option<Timestamp>,
    /// An offer that stays open.
    pub offer: Option<Offer>,
    /// The end of the game, if the move brought it about.
    pub outcome: Option<Outcome>,
}

impl Played {
    /// A move in a game without clocks that goes on.
    pub const fn new(m: Move) -> Self {
        Self { m, clock: None, clock_running_since: None, offer: None, outcome: None }
    }
}

impl From<&live::Played> for Played {
    fn from(played: &live::Played) -> Self {
        let milliseconds = |left: Duration| u32::try_from(left.as_millis()).unwrap_or(u32::MAX);
        Self {
            m: played.m,
            clock: played.left.map(milliseconds),
            clock_running_since: played.running_since.map(Timestamp::from),
            offer: played.offer,
            outcome: played.outcome,
        }
    }
}

/// Games, from their first move to their last.
///
/// A write that was meant for another version is refused as
/// [`Stale`](crate::StoreError::Stale), one to a game that has ended as
/// [`Over`](crate::StoreError::Over). What has been answered with a version is on disk; a call that
/// was dropped before its answer may have been done or not, and the version tells.
#[async_trait]
pub trait Games: Sync {
    /// Keeps a new game, at [`Version::FIRST`].
    async fn create_game(&self, game: NewGame) -> Result<GameId>;

    /// A game.
    async fn game(&self, id: &GameId) -> Result<StoredGame>;

    /// All games that are not over, oldest first: what a server takes up again when it starts. One
    /// that can't be read doesn't stand in the way of the others.
    async fn live_games(&self) -> Result<Vec<Result<StoredGame>>>;

    /// Writes an event of a live game. One that is not stored leaves the version, and so does an
    /// agreed rematch: [`create_rematch`](Self::create_rematch) writes that.
    async fn write_event(
        &self,
        id: &GameId,
        version: Version,
        event: &live::Event,
    ) -> Result<Version> {
        match event {
            live::Event::Played(played) => self.append(id, version, &Played::from(played)).await,
            live::Event::TookBack(back) => {
                let plies = u16::try_from(back.plies).unwrap_or(u16::MAX);
                let since = back.running_since.map(Timestamp::from);
                self.take_back(id, version, plies, since).await
            }
            live::Event::Offered(offer) => self.offer(id, version, *offer).await,
            live::Event::Ended(ended) => {
                self.finish(id, version, ended.end.outcome(), Some(ended.thought)).await
            }
            live::Event::Premoved { .. }
            | live::Event::PremoveFailed { .. }
            | live::Event::RematchOffered { .. }
            | live::Event::RematchAgreed => Ok(version),
        }
    }

    /// Plays a move.
    async fn append(&self, id: &GameId, version: Version, played: &Played) -> Result<Version>;

    /// Takes moves back; the clock of the side that is then to move may run since some time.
    async fn take_back(
        &self,
        id: &GameId,
        version: Version,
        plies: u16,
        clock_running_since: Option<Timestamp>,
    ) -> Result<Version>;

    /// Ends a game; without an outcome it is broken off. The side to move may have thought for some
    /// time by then.
    async fn finish(
        &self,
        id: &GameId,
        version: Version,
        outcome: Option<Outcome>,
        thought: Option<Duration>,
    ) -> Result<Version>;

    /// Sets the open offer, or removes it.
    async fn offer(&self, id: &GameId, version: Version, offer: Option<Offer>) -> Result<Version>;

    /// Lets somebody take the open seat. The secret that opened it is replaced by theirs, or by
    /// none: whoever invited them knows the old one, and must not be able to play for them.
    async fn sit(
        &self,
        id: &GameId,
        version: Version,
        color: Color,
        player: &Player,
        secret: Option<&SecretHash>,
    ) -> Result<Version>;

    /// Keeps a new game as the rematch of one that is over. If there is a rematch already, that one
    /// is returned and the new game is not kept.
    async fn create_rematch(&self, over: &GameId, game: NewGame) -> Result<GameId>;

    /// Sets who may see a game, live or not.
    async fn set_visibility(&self, id: &GameId, visibility: Visibility) -> Result<()>;

    /// Removes a game with its reviews, live or not, if it is still at this version.
    async fn delete_game(&self, id: &GameId, version: Version) -> Result<()>;

    /// Removes games that nobody has come to, and says how many: live games without any user in
    /// which a seat is open or no move was played, last written before some time.
    async fn purge_games(&self, before: Timestamp) -> Result<u64>;

    /// Keeps games from a file, some thousand in a transaction. A game that its owner has already
    /// (the same players, date, result and moves) is counted and left out, and so is one that can't
    /// be kept, such as one that is too long.
    ///
    /// The iterator is asked on the thread that drives this call. If it reads a file, let that be a
    /// thread that may block.
    async fn import(
        &self,
        games: &mut (dyn Iterator<Item = NewGame> + Send),
        pace: Pace,
    ) -> Result<Imported>;
}

#[async_trait]
impl Games for Database {
    async fn create_game(&self, game: NewGame) -> Result<GameId> {
        insert::create(self, game).await
    }

    async fn game(&self, id: &GameId) -> Result<StoredGame> {
        let row = select(self, id).query().fetch_optional(&self.readers).await?;
        StoredGame::from_row(&row.ok_or(StoreError::NotFound("game"))?)
    }

    async fn live_games(&self) -> Result<Vec<Result<StoredGame>>> {
        let mut statement = self.statement("SELECT ");
        statement.push(COLUMNS).push(" FROM games g WHERE g.status = 'live' ORDER BY g.number");
        let rows = statement.query().fetch_all(&self.readers).await?;
        Ok(rows.iter().map(StoredGame::from_row).collect())
    }

    async fn append(&self, id: &GameId, version: Version, played: &Played) -> Result<Version> {
        let (before, after) = self.dialect.append_bytes();
        let mut update = self.statement("UPDATE games SET moves = ");
        update.push(before).push("moves || ").bind(played.m.to_bits().to_le_bytes().to_vec());
        update.push(after).push(", clocks = ").push(before).push("clocks || ");
        update.bind(played.clock.map_or_else(Vec::new, |left| left.to_le_bytes().to_vec()));
        update.push(after).push(", plies = plies + 1, clock_running_since = ");
        update.bind(played.clock_running_since.map(|since| since.0));
        update.push(", offer = ").bind(played.offer.map(|offer| offer.to_string())).push(", ");
        if let Some(since) = played.clock_running_since {
            pulse::alive(self, since);
        }
        // A game has a clock for each move or for none.
        let each = if played.clock.is_some() { 4 } else { 0_i64 };
        let fits = |guard: &mut Statement| {
            guard.push(" AND length(clocks) = plies * ").bind(each);
        };
        let end = played.outcome.map(End::Over);
        write(self, id, version, update, end, fits, "clock").await
    }

    async fn take_back(
        &self,
        id: &GameId,
        version: Version,
        plies: u16,
        clock_running_since: Option<Timestamp>,
    ) -> Result<Version> {
        let plies = i64::from(plies);
        // SQLite's part of nothing is null, hence `coalesce`.
        let mut update = self.statement("UPDATE games SET moves = ");
        update.push("coalesce(substr(moves, 1, CAST(2 * (plies - ").bind(plies);
        update.push(") AS INTEGER)), ").bind(Vec::<u8>::new());
        update.push("), clocks = coalesce(substr(clocks, 1, CAST(4 * (plies - ").bind(plies);
        update.push(") AS INTEGER)), ").bind(Vec::<u8>::new());
        update.push("), plies = plies - ").bind(plies);
        update.push(", clock_running_since = ").bind(clock_running_since.map(|since| since.0));
        // A takeback makes the game unrated.
        update.push(", offer = NULL, rated = 'no', ");
        let fits = |guard: &mut Statement| {
            guard.push(" AND plies >= ").bind(plies).push(if plies > 0 {
                ""
            } else {
                " AND FALSE"
            });
        };
        write(self, id, version, update, None, fits, "number of moves to take back").await
    }

    async fn finish(
        &self,
        id: &GameId,
        version: Version,
        outcome: Option<Outcome>,
        thought: Option<Duration>,
    ) -> Result<Version> {
        let mut update =
            self.statement("UPDATE games SET clock_running_since = NULL, offer = NULL, ");
        let milliseconds =
            thought.map(|thought| i64::try_from(thought.as_millis()).unwrap_or(i64::MAX));
        update.push("last_thought = ").bind(milliseconds).push(", ");
        let end = Some(outcome.map_or(End::ABORTED, End::Over));
        write(self, id, version, update, end, |_| {}, "end").await
    }

    async fn offer(&self, id: &GameId, version: Version, offer: Option<Offer>) -> Result<Version> {
        let mut update = self.statement("UPDATE games SET offer = ");
        update.bind(offer.map(|offer| offer.to_string())).push(", ");
        write(self, id, version, update, None, |_| {}, "offer").await
    }

    async fn sit(
        &self,
        id: &GameId,
        version: Version,
        color: Color,
        player: &Player,
        secret: Option<&SecretHash>,
    ) -> Result<Version> {
        player.check()?;
        let name = player.name().trim().to_owned();
        let mut update = self.statement("UPDATE games SET open_seat = NULL, ");
        let [seat, user, shown, plain] = match color {
            Color::White => {
                ["white_seat = ", ", white_user = ", ", white_name = ", ", white_folded = "]
            }
            Color::Black => {
                ["black_seat = ", ", black_user = ", ", black_name = ", ", black_folded = "]
            }
        };
        update.push(seat).bind(secret.map(|hash| hash.0.clone()));
        update.push(user).bind(player.user().map(|user| user.0));
        update.push(shown).bind(name.clone()).push(plain).bind(folded(&name)).push(", ");
        let fits = |guard: &mut Statement| {
            guard.push(" AND open_seat = ").bind(color.as_str());
        };
        write(self, id, version, update, None, fits, "seat").await
    }

    async fn create_rematch(&self, over: &GameId, game: NewGame) -> Result<GameId> {
        insert::create_rematch(self, over, game).await
    }

    async fn set_visibility(&self, id: &GameId, visibility: Visibility) -> Result<()> {
        let update = query("UPDATE games SET visibility = $1 WHERE id = $2");
        let update = update.bind(visibility.as_str()).bind(id.to_string());
        match update.execute(&self.writer).await?.rows_affected() {
            0 => Err(StoreError::NotFound("game")),
            _ => Ok(()),
        }
    }

    async fn delete_game(&self, id: &GameId, version: Version) -> Result<()> {
        let mut transaction = self.begin().await?;
        let game = load(self, &mut transaction, id).await?;
        if game.version != version {
            return Err(StoreError::Stale { found: game.version.0 });
        }
        positions::remove(self, &mut transaction, &game).await?;
        let delete = query("DELETE FROM games WHERE number = $1").bind(game.number);
        delete.execute(&mut *transaction).await?;
        Ok(transaction.commit().await?)
    }

    async fn purge_games(&self, before: Timestamp) -> Result<u64> {
        // Live games have no positions that would stay behind. What somebody else is about to
        // change is not old.
        let mut purge = self.statement(
            "DELETE FROM games WHERE number IN (SELECT number FROM games WHERE status = 'live' \
             AND owner IS NULL AND white_user IS NULL AND black_user IS NULL \
             AND (open_seat IS NOT NULL OR plies = 0) AND updated < ",
        );
        purge.bind(before.0).push(self.dialect.skip_locked()).push(")");
        Ok(purge.query().execute(&self.writer).await?.rows_affected())
    }

    async fn import(
        &self,
        games: &mut (dyn Iterator<Item = NewGame> + Send),
        pace: Pace,
    ) -> Result<Imported> {
        insert::import(self, games, pace).await
    }
}

fn select(database: &Database, id: &GameId) -> Statement {
    let mut statement = database.statement("SELECT ");
    statement.push(COLUMNS).push(" FROM games g WHERE g.id = ").bind(id.as_str());
    statement
}

/// A game, seen from within a transaction, until whose end nobody else can change it.
pub(crate) async fn load(
    database: &Database,
    connection: &mut AnyConnection,
    id: &GameId,
) -> Result<StoredGame> {
    let mut select = select(database, id);
    select.push(database.dialect.for_update());
    let row = select.query().fetch_optional(connection).await?;
    StoredGame::from_row(&row.ok_or(StoreError::NotFound("game"))?)
}

/// Completes an `UPDATE` of a live game, with its end if there is one, and runs it. `fits` adds
/// what must hold for `what` besides the version.
async fn write(
    database: &Database,
    id: &GameId,
    version: Version,
    mut update: Statement,
    end: Option<End>,
    fits: impl FnOnce(&mut Statement) + Send,
    what: &'static str,
) -> Result<Version> {
    if end.is_some() {
        let EndColumns { status, result, outcome } = end.into();
        update.push("status = ").bind(status).push(", result = ").bind(result);
        update.push(", outcome = ").bind(outcome).push(", ");
    }
    update.push("updated = ").bind(Timestamp::now().0).push(", version = version + 1 WHERE id = ");
    update.bind(id.as_str()).push(" AND version = ").bind(version.0);
    update.push(" AND status = 'live'");
    fits(&mut update);
    let change = Change { id: id.clone(), version, update, ends: end.is_some(), what };
    database.writes.make(change).await
}
