//! The rating of a user, game by game.

use async_trait::async_trait;
use game::Glicko;
use sqlx::Row;
use sqlx::any::AnyRow;

use crate::database::{Database, query};
use crate::error::{Result, StoreError};
use crate::stored_game::COLUMNS;
use crate::{GameId, StoredGame, Timestamp, UserId};

/// The rating of a user after a game.
#[derive(Clone, Debug, PartialEq)]
pub struct RatedGame {
    /// When.
    pub time: Timestamp,
    /// After which game, if it is still there.
    pub game: Option<GameId>,
    /// The rating then.
    pub after: Glicko,
}

/// The rating of a user, game by game.
#[async_trait]
pub trait Ratings {
    /// The games that are over and have not counted yet, oldest first. One that can't be read doesn't
    /// stand in the way of the others.
    async fn games_to_rate(&self) -> Result<Vec<Result<StoredGame>>>;

    /// Notes the ratings of users after a game, all or none, perhaps of nobody. A game counts once:
    /// a second note is ignored.
    async fn rate(&self, game: &GameId, after: &[(UserId, Glicko)]) -> Result<()>;

    /// The newest rating.
    async fn latest_rating(&self, user: UserId) -> Result<Option<RatedGame>>;

    /// All ratings, the oldest first.
    async fn rating_history(&self, user: UserId) -> Result<Vec<RatedGame>>;
}

#[async_trait]
impl Ratings for Database {
    async fn games_to_rate(&self) -> Result<Vec<Result<StoredGame>>> {
        let mut select = self.statement("SELECT ");
        select.push(COLUMNS).push(
            " FROM games g WHERE g.status = 'finished' AND g.rated = 'due' ORDER BY g.number",
        );
        let rows = select.query().fetch_all(&self.readers).await?;
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
        let mut select = self.statement(SELECT);
        select.bind(user.0).push(" ORDER BY r.number DESC LIMIT 1");
        let row = select.query().fetch_optional(&self.readers).await?;
        row.as_ref().map(read).transpose()
    }

    async fn rating_history(&self, user: UserId) -> Result<Vec<RatedGame>> {
        let mut select = self.statement(SELECT);
        select.bind(user.0).push(" ORDER BY r.number");
        select.query().fetch_all(&self.readers).await?.iter().map(read).collect()
    }
}

const SELECT: &str = "SELECT r.time, r.rating, r.deviation, r.volatility, g.id FROM ratings r \
    LEFT JOIN games g ON g.number = r.game WHERE r.user_id = ";

fn read(row: &AnyRow) -> Result<RatedGame> {
    let game: Option<String> = row.try_get("id")?;
    Ok(RatedGame {
        time: Timestamp(row.try_get("time")?),
        game: game.and_then(|id| id.parse().ok()),
        after: Glicko {
            rating: row.try_get("rating")?,
            deviation: row.try_get("deviation")?,
            volatility: row.try_get("volatility")?,
        },
    })
}
