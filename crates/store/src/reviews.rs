//! Reviews of games: what an engine had to say, and which engine.

use async_trait::async_trait;
use sqlx::Row;
use sqlx::any::AnyRow;

use crate::database::{Database, query};
use crate::error::{Result, StoreError, text};
use crate::{GameId, Timestamp};

/// What an engine had to say about a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Review {
    /// Which engine, network and plan: the same fingerprint gives the same report.
    pub fingerprint: String,
    /// The report, as JSON.
    pub report: String,
    /// When it was written.
    pub created: Timestamp,
}

/// Reviews of games, one for each fingerprint.
#[async_trait]
pub trait Reviews {
    /// Keeps a report, in place of an older one of the same fingerprint.
    async fn put_review(&self, game: &GameId, fingerprint: &str, report: &str) -> Result<()>;

    /// A review.
    async fn review(&self, game: &GameId, fingerprint: &str) -> Result<Review>;

    /// All reviews of a game, the newest first.
    async fn reviews(&self, game: &GameId) -> Result<Vec<Review>>;

    /// Removes a review.
    async fn delete_review(&self, game: &GameId, fingerprint: &str) -> Result<()>;
}

#[async_trait]
impl Reviews for Database {
    async fn put_review(&self, game: &GameId, fingerprint: &str, report: &str) -> Result<()> {
        let insert = query(
            "INSERT INTO reviews (game, fingerprint, report, created) \
             SELECT number, $1, $2, $3 FROM games WHERE id = $4 \
             ON CONFLICT (game, fingerprint) \
             DO UPDATE SET report = excluded.report, created = excluded.created",
        )
        .bind(text("fingerprint", fingerprint)?.to_owned())
        .bind(text("report", report)?.to_owned())
        .bind(Timestamp::now().0)
        .bind(game.to_string());
        match insert.execute(&self.writer).await?.rows_affected() {
            0 => Err(StoreError::NotFound("game")),
            _ => Ok(()),
        }
    }

    async fn review(&self, game: &GameId, fingerprint: &str) -> Result<Review> {
        let select = query(
            "SELECT r.fingerprint, r.report, r.created FROM reviews r \
             JOIN games g ON g.number = r.game WHERE g.id = $1 AND r.fingerprint = $2",
        );
        let fingerprint = text("fingerprint", fingerprint)?.to_owned();
        let select = select.bind(game.to_string()).bind(fingerprint);
        let row = select.fetch_optional(&self.readers).await?;
        read(&row.ok_or(StoreError::NotFound("review"))?)
    }

    async fn reviews(&self, game: &GameId) -> Result<Vec<Review>> {
        let select = query(
            "SELECT r.fingerprint, r.report, r.created FROM reviews r \
             JOIN games g ON g.number = r.game WHERE g.id = $1 \
             ORDER BY r.created DESC, r.fingerprint",
        );
        let rows = select.bind(game.to_string()).fetch_all(&self.readers).await?;
        rows.iter().map(read).collect()
    }

    async fn delete_review(&self, game: &GameId, fingerprint: &str) -> Result<()> {
        let delete = query(
            "DELETE FROM reviews WHERE fingerprint = $1 \
             AND game = (SELECT number FROM games WHERE id = $2)",
        );
        let fingerprint = text("fingerprint", fingerprint)?.to_owned();
        let delete = delete.bind(fingerprint).bind(game.to_string());
        match delete.execute(&self.writer).await?.rows_affected() {
            0 => Err(StoreError::NotFound("review")),
            _ => Ok(()),
        }
    }
}

fn read(row: &AnyRow) -> Result<Review> {
    Ok(Review {
        fingerprint: row.try_get("fingerprint")?,
        report: row.try_get("report")?,
        created: Timestamp(row.try_get("created")?),
    })
}
