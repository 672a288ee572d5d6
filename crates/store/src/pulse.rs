//! The server's heartbeat, which shows after a crash how long it was down.

use std::sync::atomic::Ordering;

use async_trait::async_trait;
use sqlx::Row;

use crate::Timestamp;
use crate::database::{Database, query};
use crate::error::Result;
use crate::transaction::TimedConnection;

/// The server's heartbeat. Players don't lose time while the server is down.
#[async_trait]
pub trait Pulse {
    /// Writes a heartbeat: several times a second while any clock is running.
    async fn beat(&self, now: Timestamp) -> Result<()>;

    /// Shifts the start times of all running clocks by the downtime since the last heartbeat, and
    /// writes one; the first thing a server does. Clocks that were started after that heartbeat
    /// restart now. If the system time is before that heartbeat, the start times are shifted back.
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
        // Negative if the system clock was set back: then the start times are shifted back by as
        // much, or they would stand still until the system clock has caught up.
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

/// Records that the server is alive, and returns the latest such time.
pub(crate) fn alive(database: &Database, now: Timestamp) -> i64 {
    database.alive.fetch_max(now.0, Ordering::Relaxed).max(now.0)
}

/// Writes a heartbeat along with other writes: when many moves wait for the disk, a separate one
/// would wait, too.
pub(crate) async fn beat_along(
    database: &Database,
    connection: &mut TimedConnection,
) -> Result<()> {
    let last = database.alive.load(Ordering::Relaxed);
    if last > i64::MIN {
        query(BEAT).bind(last).execute(connection).await?;
    }
    Ok(())
}

const BEAT: &str = "INSERT INTO pulse (id, time) VALUES (1, $1) \
    ON CONFLICT (id) DO UPDATE SET time = excluded.time";
