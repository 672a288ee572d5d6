//! Games, live and finished. Every write to a live game is one `UPDATE` guarded by the expected
//! version.

use std::time::Duration;

use async_trait::async_trait;
use chess::{Color, Move, Outcome};
use game::live::{self, End, Offer};
use game::{Game, Visibility};

use crate::changes::Target;
use crate::database::{Database, query};
use crate::error::{Result, StoreError};
use crate::stored_game::game_columns;
use crate::transaction::TimedConnection;
use crate::{
    GameId, Imported, Leaver, NewGame, Pace, Player, SecretHash, StoredGame, Timestamp, Version,
    import, insert, leaving, pulse,
};

/// A played move and the state of the game after it.
#[derive(Clone, Debug, PartialEq)]
pub struct Played {
    /// The move, legal in the position before.
    pub m: Move,
    /// The mover's time left in milliseconds, in a timed game.
    pub clock: Option<u32>,
    /// When the other side's clock started.
    pub clock_running_since: Option<Timestamp>,
    /// The pending offer.
    pub offer: Option<Offer>,
    /// The outcome, if the move ends the game.
    pub outcome: Option<Outcome>,
}

impl Played {
    /// A move that doesn't end an untimed game.
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

/// Games, live and finished.
///
/// A write that expects another version is refused as [`Stale`](crate::StoreError::Stale), one to a
/// finished game as [`Over`](crate::StoreError::Over). A write that has returned a version is on
/// disk; a call that was dropped before it returned may or may not have been carried out, which the
/// version shows.
#[async_trait]
pub trait Games: Sync {
    /// Stores a new game, at [`Version::FIRST`].
    async fn create_game(&self, game: NewGame) -> Result<GameId>;

    /// A game.
    async fn game(&self, id: &GameId) -> Result<StoredGame>;

    /// All unfinished games, oldest first, which a server resumes when it starts. A damaged game
    /// doesn't prevent loading the others.
    async fn live_games(&self) -> Result<Vec<Result<StoredGame>>>;

    /// Writes an event of a live game. Events that aren't stored keep the version, and so does an
    /// agreed rematch, which [`create_rematch`](Self::create_rematch) writes.
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
            | live::Event::RematchDeclined
            | live::Event::RematchAgreed => Ok(version),
        }
    }

    /// Plays a move.
    async fn append(&self, id: &GameId, version: Version, played: &Played) -> Result<Version>;

    /// Takes moves back. `clock_running_since` is the start of the clock of the side then to move.
    async fn take_back(
        &self,
        id: &GameId,
        version: Version,
        plies: u16,
        clock_running_since: Option<Timestamp>,
    ) -> Result<Version>;

    /// Sets when the running clock of a live game started, if the game is still at this version.
    async fn set_clock_start(&self, id: &GameId, version: Version, since: Timestamp) -> Result<()>;

    /// Ends a game; without an outcome it is aborted. `thought` is how long the side to move had
    /// thought by then.
    async fn finish(
        &self,
        id: &GameId,
        version: Version,
        outcome: Option<Outcome>,
        thought: Option<Duration>,
    ) -> Result<Version>;

    /// Sets or clears the pending offer.
    async fn offer(&self, id: &GameId, version: Version, offer: Option<Offer>) -> Result<Version>;

    /// Assigns the open seat. The secret that opened it is replaced by the new player's, or by
    /// none: the inviter knows the old one and must not be able to play for them.
    async fn sit(
        &self,
        id: &GameId,
        version: Version,
        color: Color,
        player: &Player,
        secret: Option<&SecretHash>,
    ) -> Result<Version>;

    /// Stores a new game as the rematch of a finished one. If there already is a rematch, returns
    /// that one and doesn't store the new game.
    async fn create_rematch(&self, over: &GameId, game: NewGame) -> Result<GameId>;

    /// Sets who may see a game, live or finished.
    async fn set_visibility(&self, id: &GameId, visibility: Visibility) -> Result<()>;

    /// Replaces the comments, glyphs, drawings and variations of a finished game by those of the
    /// given one, which must have the same moves. Tags and result stay as they are.
    async fn annotate_game(&self, id: &GameId, annotated: &Game) -> Result<()>;

    /// Deletes a game for someone, live or finished, if it is still at this version. When nobody
    /// has it any more, it is gone, with its reviews; a finished game must have been rated by then.
    async fn leave_game(&self, id: &GameId, version: Version, leaver: &Leaver) -> Result<()>;

    /// Deletes abandoned games and returns their number: live games without any user in which a
    /// seat is open or no move was played, last written before the given time.
    async fn purge_games(&self, before: Timestamp) -> Result<u64>;

    /// Imports games, many per transaction. Duplicates are counted and skipped: games with the same
    /// owner, players, date, result and moves, and exports of games that the owner has played here.
    /// Games that can't be stored, such as those that are too long, are skipped, too.
    ///
    /// The iterator runs on the thread that polls this call. If it reads a file, use a thread that
    /// may block.
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
        let row = query(GAME).bind(id.to_string()).fetch_optional(&self.readers).await?;
        StoredGame::from_row(&row.ok_or(StoreError::NotFound("game"))?)
    }

    async fn live_games(&self) -> Result<Vec<Result<StoredGame>>> {
        let rows = query(LIVE_GAMES).fetch_all(&self.readers).await?;
        Ok(rows.iter().map(StoredGame::from_row).collect())
    }

    async fn append(&self, id: &GameId, version: Version, played: &Played) -> Result<Version> {
        if let Some(since) = played.clock_running_since {
            pulse::alive(self, since);
        }
        Target { database: self, id, version }.append(played).await
    }

    async fn take_back(
        &self,
        id: &GameId,
        version: Version,
        plies: u16,
        clock_running_since: Option<Timestamp>,
    ) -> Result<Version> {
        let target = Target { database: self, id, version };
        target.take_back(i64::from(plies), clock_running_since).await
    }

    async fn set_clock_start(&self, id: &GameId, version: Version, since: Timestamp) -> Result<()> {
        let update = query(
            "UPDATE games SET clock_running_since = $1 WHERE id = $2 AND version = $3 \
             AND status = 'live' AND clock_running_since IS NOT NULL",
        );
        let update = update.bind(since.0).bind(id.to_string()).bind(version.0);
        update.execute(&self.writer).await?;
        Ok(())
    }

    async fn finish(
        &self,
        id: &GameId,
        version: Version,
        outcome: Option<Outcome>,
        thought: Option<Duration>,
    ) -> Result<Version> {
        let end = outcome.map_or(End::ABORTED, End::Over);
        Target { database: self, id, version }.finish(end, thought).await
    }

    async fn offer(&self, id: &GameId, version: Version, offer: Option<Offer>) -> Result<Version> {
        Target { database: self, id, version }.offer(offer).await
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
        Target { database: self, id, version }.sit(color, player, secret).await
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

    async fn annotate_game(&self, id: &GameId, annotated: &Game) -> Result<()> {
        let game = self.game(id).await?;
        let movetext = game.annotations_from(annotated)?;
        query("UPDATE games SET annotated = $1 WHERE id = $2")
            .bind(movetext)
            .bind(id.to_string())
            .execute(&self.writer)
            .await?;
        Ok(())
    }

    async fn leave_game(&self, id: &GameId, version: Version, leaver: &Leaver) -> Result<()> {
        leaving::leave(self, id, version, leaver).await
    }

    async fn purge_games(&self, before: Timestamp) -> Result<u64> {
        // Live games have no indexed positions to remove. A game that is locked by another write
        // isn't abandoned.
        let mut purge = self.statement(
            "DELETE FROM games WHERE number IN (SELECT number FROM games WHERE status = 'live' \
             AND owner IS NULL AND white_user IS NULL AND black_user IS NULL \
             AND (open_seat IS NOT NULL OR plies = 0) AND updated < ?",
        );
        purge.bind(before.0).push(self.dialect.skip_locked()).push(")");
        Ok(purge.query().execute(&self.writer).await?.rows_affected())
    }

    async fn import(
        &self,
        games: &mut (dyn Iterator<Item = NewGame> + Send),
        pace: Pace,
    ) -> Result<Imported> {
        import::import(self, games, pace).await
    }
}

const GAME: &str = concat!("SELECT ", game_columns!(), " FROM games g WHERE g.id = $1");

const LIVE_GAMES: &str =
    concat!("SELECT ", game_columns!(), " FROM games g WHERE g.status = 'live' ORDER BY g.number");

/// Loads a game within a transaction, locking it until the end.
pub(crate) async fn load(
    database: &Database,
    connection: &mut TimedConnection,
    id: &GameId,
) -> Result<StoredGame> {
    const GAME: &str = concat!("SELECT ", game_columns!(), " FROM games g WHERE g.id = ?");
    let mut select = database.statement(GAME);
    select.bind(id.as_str()).push(database.dialect.for_update());
    let row = select.query().fetch_optional(connection).await?;
    StoredGame::from_row(&row.ok_or(StoreError::NotFound("game"))?)
}
