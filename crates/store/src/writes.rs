//! Batches changes of live games into transactions: all changes that arrive while the disk is busy
//! share one commit. Each change is guarded by the expected version.

use std::sync::Weak;

use sqlx::Row;
use tokio::sync::{mpsc, oneshot};

use crate::database::{Database, query};
use crate::error::{Result, StoreError};
use crate::statement::Statement;
use crate::transaction::TimedConnection;
use crate::{GameId, Version, games, positions, pulse};

/// Maximum number of changes per transaction.
const MOST: usize = 256;

/// A change of a live game.
pub(crate) struct Change {
    pub id: GameId,
    pub version: Version,
    /// The whole `UPDATE`, which matches no row if the version is another.
    pub update: Statement,
    /// Whether it ends the game, so that its positions must be indexed.
    pub ends: bool,
    /// The value to refuse if no row matches although the version is right.
    pub what: &'static str,
}

type Answer = oneshot::Sender<Result<Version>>;

/// A handle to the writer task.
pub(crate) struct Writes(mpsc::UnboundedSender<(Change, Answer)>);

impl Writes {
    /// Starts the task; it ends when the database is dropped.
    pub fn new(database: Weak<Database>) -> Self {
        let (sender, receiver) = mpsc::unbounded_channel();
        tokio::spawn(write_all(database, receiver));
        Self(sender)
    }

    /// Makes a change. It is on disk when this returns.
    pub async fn make(&self, change: Change) -> Result<Version> {
        let (answer, answered) = oneshot::channel();
        let gone = |()| StoreError::from(sqlx::Error::PoolClosed);
        self.0.send((change, answer)).map_err(|_| gone(()))?;
        answered.await.map_err(|_| gone(()))?
    }
}

async fn write_all(
    database: Weak<Database>,
    mut waiting: mpsc::UnboundedReceiver<(Change, Answer)>,
) {
    let mut batch = Vec::new();
    while waiting.recv_many(&mut batch, MOST).await > 0 {
        let Some(database) = database.upgrade() else { return };
        let (changes, answers): (Vec<Change>, Vec<Answer>) = batch.drain(..).unzip();
        match together(&database, changes).await {
            Ok(done) => {
                for (answer, done) in answers.into_iter().zip(done) {
                    // The caller may be gone by now.
                    let _ = answer.send(done);
                }
            }
            Err(error) => {
                let mut answers = answers;
                if error.is_outage() {
                    // They came while the database did not answer. Trying them one after the other
                    // would take too long, and their callers would not know what has been done.
                    while let Ok((_, answer)) = waiting.try_recv() {
                        answers.push(answer);
                    }
                }
                for answer in answers {
                    let _ = answer.send(Err(error.again()));
                }
            }
        }
    }
}

/// Makes changes in one transaction. If it fails, none is made.
async fn together(database: &Database, changes: Vec<Change>) -> Result<Vec<Result<Version>>> {
    let mut transaction = database.begin().await?;
    pulse::beat_along(database, &mut transaction).await?;
    let mut done = Vec::with_capacity(changes.len());
    for change in changes {
        let ends = change.ends;
        if ends {
            // A game that can't be replayed must not block the others.
            query("SAVEPOINT one").execute(&mut *transaction).await?;
        }
        let made = match make(database, &mut transaction, change).await {
            // The transaction is lost. SQLite ends it when the disk is full, and PostgreSQL would
            // silently roll it back on commit.
            Err(error) if error.is_outage() => return Err(error),
            Err(StoreError::Database(error)) if !ends => return Err(error.into()),
            made => made,
        };
        if ends {
            if made.is_err() {
                query("ROLLBACK TO SAVEPOINT one").execute(&mut *transaction).await?;
            }
            query("RELEASE SAVEPOINT one").execute(&mut *transaction).await?;
        }
        done.push(made);
    }
    transaction.commit().await?;
    Ok(done)
}

async fn make(
    database: &Database,
    connection: &mut TimedConnection,
    change: Change,
) -> Result<Version> {
    let Change { id, version, update, ends, what } = change;
    if update.query().execute(&mut *connection).await?.rows_affected() == 0 {
        return Err(why_not(connection, &id, version, what).await?);
    }
    if ends {
        let game = games::load(database, connection, &id).await?;
        positions::index(database, connection, &game).await?;
    }
    Ok(Version(version.0 + 1))
}

/// Why a guarded write matched no row.
async fn why_not(
    connection: &mut TimedConnection,
    id: &GameId,
    version: Version,
    what: &'static str,
) -> Result<StoreError> {
    let row = query("SELECT version, status FROM games WHERE id = $1").bind(id.to_string());
    let Some(row) = row.fetch_optional(connection).await? else {
        return Ok(StoreError::NotFound("game"));
    };
    let found = row.try_get("version")?;
    Ok(if found != version.0 {
        StoreError::Stale { found }
    } else if row.try_get::<&str, _>("status")? == "live" {
        StoreError::Refused { what, why: "doesn't fit the game" }
    } else {
        StoreError::Over
    })
}
