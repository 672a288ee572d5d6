//! All that can be stored, behind one door.

use std::sync::Arc;

use async_trait::async_trait;

use crate::database::{Database, query};
use crate::error::Result;
use crate::{
    Desk, Games, Jobs, Positions, Pulse, Ratings, Reviews, Search, Sessions, UserStatistics, Users,
    postgres, sqlite,
};

/// A place where users, games and what belongs to them are kept.
#[async_trait]
pub trait Store:
    Users
    + Sessions
    + Games
    + Search
    + Positions
    + Reviews
    + Ratings
    + UserStatistics
    + Jobs
    + Pulse
    + Send
    + Sync
{
    /// The desk where workers get jobs.
    fn desk(self: Arc<Self>) -> Arc<dyn Desk>;

    /// Fails if nothing can be read.
    async fn check(&self) -> Result<()>;

    /// Ends all connections, when their work is done. Who doesn't wait for it loses nothing.
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

/// Opens a database: PostgreSQL by an address such as `postgres://user@host/name`, SQLite by the
/// path of its file. The file and its folder are made if there are none, and the schema is
/// brought up to date.
pub async fn open(place: &str) -> Result<Arc<dyn Store>> {
    sqlx::any::install_default_drivers();
    let database = if place.starts_with("postgres://") || place.starts_with("postgresql://") {
        postgres::open(place).await?
    } else {
        sqlite::open(place.strip_prefix("sqlite:").unwrap_or(place)).await?
    };
    Ok(database)
}
