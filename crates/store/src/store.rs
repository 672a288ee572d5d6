//! The store: all of its parts behind one trait.

use std::sync::Arc;

use async_trait::async_trait;

use crate::database::{Database, query};
use crate::error::Result;
use crate::{
    Accounts, Desk, GameSearch, Games, Jobs, Positions, Pulse, Ratings, Reviews, Sessions,
    UserStatistics, Users, postgres, sqlite,
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
    + Ratings
    + UserStatistics
    + Jobs
    + Pulse
    + Send
    + Sync
{
    /// The desk where workers claim jobs.
    fn desk(self: Arc<Self>) -> Arc<dyn Desk>;

    /// Fails if the database can't be read.
    async fn check(&self) -> Result<()>;

    /// Closes all connections when their work is done. Not waiting for it loses nothing.
    async fn close(&self);
}

#[async_trait]
impl Store for Database {
    fn desk(self: Arc<Self>) -> Arc<dyn Desk> {
        self
    }

    async fn check(&self) -> Result<()> {
        query("SELECT count(*) FROM pulse").fetch_one(&self.readers).await?;
        Ok(())
    }

    async fn close(&self) {
        self.readers.close().await;
        self.writer.close().await;
    }
}

/// Opens a database: PostgreSQL by a URL such as `postgres://user@host/name`, SQLite by the path of
/// its file. The file and its directory are created if they don't exist, and the schema is
/// migrated.
pub async fn open(place: &str) -> Result<Arc<dyn Store>> {
    sqlx::any::install_default_drivers();
    let database = if place.starts_with("postgres://") || place.starts_with("postgresql://") {
        postgres::open(place).await?
    } else {
        sqlite::open(place.strip_prefix("sqlite:").unwrap_or(place)).await?
    };
    Ok(database)
}
