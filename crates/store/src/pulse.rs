//! The pulse of a server, by which it knows after a crash how long it was away.

use std::sync::atomic::Ordering;

use async_trait::async_trait;
use sqlx::{AnyConnection, Row};

use crate::Timestamp;
use crate::database::{Database, query};
use crate::error::Result;

/// The pulse of a server. Nobody loses on time what the server was away for.
#[async_trait]
pub trait Pulse {
    /// Notes that the server is alive: some times a second while any clock runs.
    async fn beat(&self, now: Timestamp) -> Result<()>;

    /// Sets the running clocks of all live games on by the time since the last beat, and beats: what
    /// a server does first of all. Clocks that were started after that beat start anew. If the wall
    /// shows less than at that beat, the clocks are set back.
    async fn wake(&self, now: Timestamp) -> Result<()>;
}

#[async_trait]
impl Pulse for Database {
    async fn beat(&self, now: Timestamp) -> Result<()> {
        let now = alive(self, now);
        query(BEAT).bind(now).execute(&self.writer).await?;
        Ok(())
    }

    async fn wake(&self, now: Timestamp) -> Result<()> {
        let mut transaction = self.begin().await?;
        let row = query("SELECT time FROM pulse").fetch_optional(&mut *transaction).await?;
        let last: i64 = row.map_or(Ok(i64::MIN), |row| row.try_get(0))?;
        // Less than nothing if somebody has set the clock on the wall back: then the running clocks
        // are set back by as much, or they would stand still until the wall has caught up.
        let away = now.0.saturating_sub(last);
        query(
            "UPDATE games SET clock_running_since = CASE WHEN clock_running_since > $1 \
             THEN $2 ELSE clock_running_since + $3 END \
             WHERE status = 'live' AND clock_running_since IS NOT NULL",
        )
        .bind(last)
        .bind(now.0)
        .bind(away)
        .execute(&mut *transaction)
        .await?;
        query(BEAT).bind(now.0).execute(&mut *transaction).await?;
        self.alive.store(now.0, Ordering::Relaxed);
        Ok(transaction.commit().await?)
    }
}

/// Notes that the server is alive, and says when it last was.
pub(crate) fn alive(database: &Database, now: Timestamp) -> i64 {
    database.alive.fetch_max(now.0, Ordering::Relaxed).max(now.0)
}

/// Beats along with other writes: when many moves wait for the disk, a beat of its own would wait, too.
pub(crate) async fn beat_along(database: &Database, connection: &mut AnyConnection) -> Result<()> {
    let last = database.alive.load(Ordering::Relaxed);
    if last > i64::MIN {
        query(BEAT).bind(last).execute(connection).await?;
    }
    Ok(())
}

const BEAT: &str = "INSERT INTO pulse (id, time) VALUES (1, $1) \
    ON CONFLICT (id) DO UPDATE SET time = excluded.time";
