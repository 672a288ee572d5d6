//! The store: all of its parts behind one trait.

use std::sync::Arc;

use async_trait::async_trait;

use crate::database::{Database, query};
use crate::error::Result;
use crate::{
    Accounts, Desk, GameSearch, Games, Jobs, Options, Positions, Pulse, Puzzles, Ratings,
    ReviewInsights, Reviews, Sessions, UserStatistics, Users, postgres, sqlite,
};

/// A database of users, games and the data that belongs to them.
#[async_trait]
pub trait Store:
    Users
    + Accounts
    + Sessions
    + Games
    + GameSearch
    + Positions
    + Reviews
    + ReviewInsights
    + Puzzles
    + Ratings
    + UserStatistics
    + Jobs
    + Pulse
    + Send
    + Sync
{
    /// The desk where workers claim jobs.
    fn desk(self: Arc<Self>) -> Arc<dyn Desk>;

    /// Fails if the database can't be read, or if the last write has failed and writing is still
    /// impossible.
    async fn check(&self) -> Result<()>;

    /// Fails if the disk was full or failing a moment ago. Smaller writes may succeed, so that this
    /// alone is no outage.
    fn check_disk(&self) -> Result<()>;

    /// Closes all connections when their work is done. Not waiting for it loses nothing.
    async fn close(&self);
}

#[async_trait]
impl Store for Database {
    fn desk(self: Arc<Self>) -> Arc<dyn Desk> {
        self
    }

    async fn check(&self) -> Result<()> {
        self.hold.check()?;
        query("SELECT count(*) FROM pulse").fetch_one(&self.readers).await?;
        if self.writer.has_failed() {
            query("UPDATE pulse SET time = time").execute(&self.writer).await?;
        }
        Ok(())
    }

    fn check_disk(&self) -> Result<()> {
        self.writer.check_disk()
    }

    async fn close(&self) {
        self.readers.close().await;
        self.writer.close().await;
        self.hold.release().await;
    }
}

/// Opens a database for a tool: PostgreSQL by a URL such as `postgres://user@host/name`, SQLite by
/// the path of its file. The file and its directory are created if they don't exist, and the schema
/// is migrated.
pub async fn open(place: &str) -> Result<Arc<dyn Store>> {
    open_with(place, &Options::TOOL).await
}

/// Opens a database as [`open`] does, with options.
pub async fn open_with(place: &str, options: &Options) -> Result<Arc<dyn Store>> {
    Ok(open_database(place, options).await?)
}

pub(crate) async fn open_database(place: &str, options: &Options) -> Result<Arc<Database>> {
    sqlx::any::install_default_drivers();
    if is_postgres(place) {
        postgres::open(place, options).await
    } else {
        sqlite::open(place, options).await
    }
}

/// Whether a place is the URL of a PostgreSQL database.
pub(crate) fn is_postgres(place: &str) -> bool {
    place.starts_with("postgres://") || place.starts_with("postgresql://")
}
