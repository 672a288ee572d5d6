//! Rating histories of users.

use async_trait::async_trait;
use game::Glicko;
use sqlx::Row;
use sqlx::any::AnyRow;

use crate::database::{Database, query};
use crate::error::{Result, StoreError};
use crate::statement::row;
use crate::stored_game::game_columns;
use crate::{GameId, StoredGame, Timestamp, UserId};

/// A user's rating after a game.
#[derive(Clone, Debug, PartialEq)]
pub struct RatedGame {
    /// When.
    pub time: Timestamp,
    /// The game, if it still exists.
    pub game: Option<GameId>,
    /// The rating after it.
    pub after: Glicko,
}

/// How a game changed a user's rating.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct RatingChange {
    /// The user.
    pub user: UserId,
    /// The rating before; none if it was the user's first rated game.
    pub before: Option<f64>,
    /// The rating after.
    pub after: f64,
}

/// Rating histories of users.
#[async_trait]
pub trait Ratings {
    /// The finished games that haven't been rated yet, oldest first. A damaged game doesn't prevent
    /// loading the others.
    async fn games_to_rate(&self) -> Result<Vec<Result<StoredGame>>>;

    /// Stores the ratings of users (possibly none) after a game, atomically. A game is rated once:
    /// a second call is ignored.
    async fn rate(&self, game: &GameId, after: &[(UserId, Glicko)]) -> Result<()>;

    /// The latest rating.
    async fn latest_rating(&self, user: UserId) -> Result<Option<RatedGame>>;

    /// All ratings, oldest first.
    async fn rating_history(&self, user: UserId) -> Result<Vec<RatedGame>>;

    /// How a game changed the ratings of its players; nothing before it has been rated.
    async fn rating_changes(&self, game: &GameId) -> Result<Vec<RatingChange>>;
}

#[async_trait]
impl Ratings for Database {
    async fn games_to_rate(&self) -> Result<Vec<Result<StoredGame>>> {
        let rows = query(TO_RATE).fetch_all(&self.readers).await?;
        Ok(rows.iter().map(StoredGame::from_row).collect())
    }

    async fn rate(&self, game: &GameId, after: &[(UserId, Glicko)]) -> Result<()> {
        let mut transaction = self.begin().await?;
        let update = query(
            "UPDATE games SET rated = 'done' WHERE id = $1 AND status = 'finished' \
             AND rated = 'due' RETURNING number",
        );
        let row = update.bind(game.to_string()).fetch_optional(&mut *transaction).await?;
        let Some(row) = row else { return Ok(()) };
        let number: i64 = row.try_get(0)?;
        for (user, after) in after {
            query(
                "INSERT INTO ratings (user_id, game, time, rating, deviation, volatility) \
                 VALUES ($1, $2, $3, $4, $5, $6)",
            )
            .bind(user.0)
            .bind(number)
            .bind(Timestamp::now().0)
            .bind(after.rating)
            .bind(after.deviation)
            .bind(after.volatility)
            .execute(&mut *transaction)
            .await
            .map_err(|error| StoreError::or_missing(error, "user"))?;
        }
        Ok(transaction.commit().await?)
    }

    async fn latest_rating(&self, user: UserId) -> Result<Option<RatedGame>> {
        let row = query(LATEST).bind(user.0).fetch_optional(&self.readers).await?;
        row.as_ref().map(read).transpose()
    }

    async fn rating_history(&self, user: UserId) -> Result<Vec<RatedGame>> {
        let rows = query(HISTORY).bind(user.0).fetch_all(&self.readers).await?;
        rows.iter().map(read).collect()
    }

    async fn rating_changes(&self, game: &GameId) -> Result<Vec<RatingChange>> {
        let rows = query(CHANGES).bind(game.to_string()).fetch_all(&self.readers).await?;
        let change = |row: &AnyRow| {
            let ChangeRow { user_id, before, after } = ChangeRow::read(row)?;
            Ok(RatingChange { user: UserId(user_id), before, after })
        };
        rows.iter().map(change).collect()
    }
}

const TO_RATE: &str = concat!(
    "SELECT ",
    game_columns!(),
    " FROM games g WHERE g.status = 'finished' AND g.rated = 'due' ORDER BY g.number"
);

const LATEST: &str = "SELECT r.time, r.rating, r.deviation, r.volatility, g.id AS game \
    FROM ratings r LEFT JOIN games g ON g.number = r.game \
    WHERE r.user_id = $1 ORDER BY r.number DESC LIMIT 1";

const HISTORY: &str = "SELECT r.time, r.rating, r.deviation, r.volatility, g.id AS game \
    FROM ratings r LEFT JOIN games g ON g.number = r.game \
    WHERE r.user_id = $1 ORDER BY r.number";

const CHANGES: &str = "SELECT r.user_id, r.rating AS after, \
    (SELECT b.rating FROM ratings b WHERE b.user_id = r.user_id AND b.number < r.number \
    ORDER BY b.number DESC LIMIT 1) AS before \
    FROM ratings r JOIN games g ON g.number = r.game WHERE g.id = $1";

row! {
    read ChangeRow {
        user_id: i64,
        before: Option<f64>,
        after: f64,
    }
}

row! {
    read RatingRow {
        time: i64,
        rating: f64,
        deviation: f64,
        volatility: f64,
        game: Option<String>,
    }
}

fn read(row: &AnyRow) -> Result<RatedGame> {
    let RatingRow { time, rating, deviation, volatility, game } = RatingRow::read(row)?;
    Ok(RatedGame {
        time: Timestamp(time),
        game: game.and_then(|id| id.parse().ok()),
        after: Glicko { rating, deviation, volatility },
    })
}
