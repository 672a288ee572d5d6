//! Engine reviews of games.

use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use sqlx::any::AnyRow;

use crate::database::{Database, query};
use crate::error::{Result, StoreError, text};
use crate::figures::Figures;
use crate::statement::row;
use crate::transaction::TimedConnection;
use crate::{GameId, Timestamp, digest};

/// An engine's review of a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = FinishedReview))]
pub struct NewReview {
    /// Identifies engine, network and settings: the same fingerprint gives the same report.
    pub fingerprint: String,
    /// The report.
    pub report: serde_json::Value,
}

impl NewReview {
    /// The beginning of the fingerprints of visitors' reviews.
    pub const BY_VISITOR: &str = "visitor: ";

    /// Whether a visitor has made it, in the browser.
    pub fn is_by_visitor(&self) -> bool {
        self.fingerprint.starts_with(Self::BY_VISITOR)
    }
}

/// A stored review.
#[derive(Clone, Debug, PartialEq)]
pub struct Review {
    /// The review.
    pub review: NewReview,
    /// When it was written.
    pub created: Timestamp,
}

/// Reviews of games, one per fingerprint.
#[async_trait]
pub trait Reviews {
    /// Stores a review, replacing an older one with the same fingerprint.
    async fn put_review(&self, game: &GameId, review: &NewReview) -> Result<()>;

    /// A review.
    async fn review(&self, game: &GameId, fingerprint: &str) -> Result<Review>;

    /// All reviews of a game, newest first.
    async fn reviews(&self, game: &GameId) -> Result<Vec<Review>>;
}

#[async_trait]
impl Reviews for Database {
    async fn put_review(&self, game: &GameId, review: &NewReview) -> Result<()> {
        let mut transaction = self.begin().await?;
        if !put(&mut transaction, game, review).await? {
            return Err(StoreError::NotFound("game"));
        }
        Ok(transaction.commit().await?)
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
}

/// Stores a review within a transaction, and returns whether the game exists. This is the only way
/// of a review into the store, whether the server, a worker or a browser has made it: what is
/// derived from a review is written here, too.
pub(crate) async fn put(
    connection: &mut TimedConnection,
    game: &GameId,
    review: &NewReview,
) -> Result<bool> {
    let report = review.report.to_string();
    let figures = Figures::read(&report);
    let insert = query(
        "INSERT INTO reviews (game, fingerprint, created, white, black, moves, report) \
         SELECT number, $1, $2, CAST($3 AS DOUBLE PRECISION), CAST($4 AS DOUBLE PRECISION), $5, $6 \
         FROM games WHERE id = $7 \
         ON CONFLICT (game, fingerprint) \
         DO UPDATE SET report = excluded.report, created = excluded.created, \
         white = excluded.white, black = excluded.black, moves = excluded.moves",
    )
    .bind(text("fingerprint", &review.fingerprint)?.to_owned())
    .bind(Timestamp::now().0)
    .bind(Figures::text(figures.white))
    .bind(Figures::text(figures.black))
    .bind(figures.moves)
    .bind(report)
    .bind(game.to_string());
    if insert.execute(&mut *connection).await?.rows_affected() == 0 {
        return Ok(false);
    }
    // A visitor's review is shown only if there is no other.
    if !review.is_by_visitor() || !has_other(connection, game).await? {
        digest::write(connection, game, &review.report).await?;
    }
    Ok(true)
}

/// Whether a game has a review that isn't a visitor's.
async fn has_other(connection: &mut TimedConnection, game: &GameId) -> Result<bool> {
    let select = query(
        "SELECT 1 FROM reviews r JOIN games g ON g.number = r.game \
         WHERE g.id = $1 AND r.fingerprint NOT LIKE $2 LIMIT 1",
    );
    let select = select.bind(game.to_string()).bind(format!("{}%", NewReview::BY_VISITOR));
    Ok(select.fetch_optional(connection).await?.is_some())
}

row! {
    read ReviewRow {
        fingerprint: String,
        report: String,
        created: i64,
    }
}

fn read(row: &AnyRow) -> Result<Review> {
    let ReviewRow { fingerprint, report, created } = ReviewRow::read(row)?;
    let report = serde_json::from_str(&report)
        .map_err(|error| StoreError::damaged(format!("invalid report {fingerprint}: {error}")))?;
    Ok(Review { review: NewReview { fingerprint, report }, created: Timestamp(created) })
}
