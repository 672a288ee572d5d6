//! A PostgreSQL database, by URL.

use std::sync::Arc;
use std::time::Duration;

use sqlx::any::AnyPoolOptions;
use sqlx::{AnyConnection, AssertSqlSafe, Connection, Executor};
use tokio::time::timeout;

use crate::database::Database;
use crate::dialect::Dialect;
use crate::error::Result;
use crate::hold::Hold;
use crate::lock::SessionLock;
use crate::{Options, migrations};

/// Number of read connections, unless another is asked for. By default a PostgreSQL server accepts a
/// hundred connections in all.
const READERS: u32 = 12;

/// A PostgreSQL server may be configured to acknowledge commits before they are on disk, but
/// acknowledged moves must survive. Stricter settings are kept.
const DURABLE: &str = "SELECT set_config('synchronous_commit', 'on', false) \
    WHERE current_setting('synchronous_commit') = 'off'";

/// Opens an existing database and migrates its schema.
pub(crate) async fn open(url: &str, options: &Options) -> Result<Arc<Database>> {
    // A pool retries until its timeout; connecting once first reports a wrong URL immediately.
    AnyConnection::connect(url).await?.close().await?;
    let lock = if options.serves { Some(SessionLock::acquire(url).await?) } else { None };
    // A migration may take its time.
    let migrating = AnyPoolOptions::new().max_connections(1).connect(url).await?;
    migrations::run(Dialect::Postgres, &migrating).await?;
    migrating.close().await;
    let pool = pool_options(options.patience);
    let writer = pool.clone().max_connections(options.writers.max(1)).connect(url).await?;
    let readers =
        pool.max_connections(options.readers.unwrap_or(READERS).max(1)).connect(url).await?;
    Ok(Database::new(Dialect::Postgres, writer, readers, Hold::Session(lock), options))
}

fn pool_options(patience: Duration) -> AnyPoolOptions {
    AnyPoolOptions::new()
        .acquire_timeout(patience)
        .after_connect(move |connection, _| {
            let limits = limits(patience);
            Box::pin(async move {
                connection.execute(sqlx::raw_sql(DURABLE)).await?;
                connection.execute(sqlx::raw_sql(AssertSqlSafe(limits))).await?;
                Ok(())
            })
        })
        // The connection of a statement that was not answered in time is closed, unless the
        // database answers after all.
        .after_release(move |connection, _| {
            Box::pin(async move {
                let answer = timeout(patience, connection.ping()).await;
                answer.unwrap_or(Err(sqlx::Error::PoolTimedOut)).map(|()| true)
            })
        })
}

/// The server gives up a statement when we have given up waiting for it, and a transaction when its
/// client has vanished in the middle of it: it may hold locks.
fn limits(patience: Duration) -> String {
    let milliseconds = patience.as_millis();
    format!(
        "SET statement_timeout = {milliseconds}; \
         SET idle_in_transaction_session_timeout = {}",
        5 * milliseconds
    )
}
