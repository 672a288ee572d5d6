//! A PostgreSQL database, by URL.

use std::sync::Arc;
use std::time::Duration;

use sqlx::any::AnyPoolOptions;
use sqlx::{AnyConnection, Connection, Executor};

use crate::database::Database;
use crate::dialect::Dialect;
use crate::error::Result;
use crate::migrations;

/// Number of write connections. They are separate from the read connections, so that a move never
/// waits for a search. By default a PostgreSQL server accepts a hundred connections in all.
const WRITERS: u32 = 4;

/// Number of read connections.
const READERS: u32 = 12;

/// A PostgreSQL server may be configured to acknowledge commits before they are on disk, but
/// acknowledged moves must survive. Stricter settings are kept.
const DURABLE: &str = "SELECT set_config('synchronous_commit', 'on', false) \
    WHERE current_setting('synchronous_commit') = 'off'";

/// Opens an existing database and migrates its schema.
pub(crate) async fn open(url: &str) -> Result<Arc<Database>> {
    // A pool retries until its timeout; connecting once first reports a wrong URL immediately.
    AnyConnection::connect(url).await?.close().await?;
    let options = AnyPoolOptions::new().acquire_timeout(Duration::from_secs(20)).after_connect(
        |connection, _| {
            Box::pin(async move {
                connection.execute(sqlx::raw_sql(DURABLE)).await?;
                Ok(())
            })
        },
    );
    let writer = options.clone().max_connections(WRITERS).connect(url).await?;
    migrations::run(Dialect::Postgres, &writer).await?;
    let readers = options.max_connections(READERS).connect(url).await?;
    Ok(Database::new(Dialect::Postgres, writer, readers))
}
