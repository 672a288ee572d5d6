//! A PostgreSQL database, by its address.

use std::sync::Arc;
use std::time::Duration;

use sqlx::any::AnyPoolOptions;
use sqlx::{AnyConnection, Connection, Executor};

use crate::database::Database;
use crate::dialect::Dialect;
use crate::error::Result;
use crate::migrations;

/// Connections that write at the same time. They are apart from those that read: a move must not
/// wait until somebody's search is done. A server lends a hundred to all its guests.
const WRITERS: u32 = 4;

/// Connections that read at the same time.
const READERS: u32 = 12;

/// A server may be told to answer before the disk has it. Not for us: a move that was acknowledged
/// must survive. Stricter settings stay as they are.
const DURABLE: &str = "SELECT set_config('synchronous_commit', 'on', false) \
    WHERE current_setting('synchronous_commit') = 'off'";

/// Opens a database that is there; tables are made if they are not.
pub(crate) async fn open(url: &str) -> Result<Arc<Database>> {
    // A pool tries for its whole patience; whoever mistyped the address wants to know at once.
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
