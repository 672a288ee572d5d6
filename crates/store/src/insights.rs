//! What the reviews of a user's games have in common: accuracy by category, and mistakes by claim.

use async_trait::async_trait;
use sqlx::Row;
use sqlx::any::AnyRow;

use crate::database::{Database, query};
use crate::error::{Result, StoreError};
use crate::statement::row;
use crate::{GameId, Timestamp, UserId};

/// What reviews say about a user's play.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Insights {
    /// Number of reviewed games.
    pub games: u64,
    /// The mean accuracy of the games, if there are any.
    pub accuracy: Option<f64>,
    /// The newest reviewed games, the oldest of them first.
    pub newest: Vec<ReviewedGame>,
    /// With White and with Black.
    pub by_color: Vec<(String, GameAccuracy)>,
    /// By opening: ECO code and name.
    pub by_opening: Vec<(String, GameAccuracy)>,
    /// By speed; `none` without clocks.
    pub by_speed: Vec<(String, GameAccuracy)>,
    /// By phase.
    pub by_phase: Vec<(String, MoveAccuracy)>,
    /// By the time left before a move.
    pub by_time_left: Vec<(String, MoveAccuracy)>,
    /// By the time spent on a move.
    pub by_time_spent: Vec<(String, MoveAccuracy)>,
    /// Mistakes by what they allowed or missed, the costliest first.
    pub mistakes: Vec<MistakeKind>,
}

/// A reviewed game, from the user's side.
#[derive(Clone, Debug, PartialEq)]
pub struct ReviewedGame {
    /// The game.
    pub game: GameId,
    /// When it was played.
    pub played_at: Timestamp,
    /// The user's accuracy.
    pub accuracy: f64,
}

/// The accuracy of games.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct GameAccuracy {
    /// Number of games.
    pub games: u64,
    /// Their mean accuracy.
    pub accuracy: f64,
}

/// The accuracy of moves.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct MoveAccuracy {
    /// Number of moves.
    pub moves: u64,
    /// Their mean accuracy.
    pub accuracy: f64,
    /// Points of expected score lost per move.
    pub lost: f64,
}

/// A kind of mistake.
#[derive(Clone, Debug, PartialEq)]
pub struct MistakeKind {
    /// What happened.
    pub motif: String,
    /// Whether it was allowed or missed.
    pub whose: String,
    /// How often.
    pub count: u64,
    /// Points of expected score lost by it.
    pub lost: f64,
    /// The costliest of them.
    pub examples: Vec<Mistake>,
}

/// A mistake in a game.
#[derive(Clone, Debug, PartialEq)]
pub struct Mistake {
    /// The game.
    pub game: GameId,
    /// The number of plies before it.
    pub ply: u32,
    /// The move, in SAN.
    pub played: String,
    /// Points lost.
    pub lost: f64,
}

/// Reviews in total.
#[async_trait]
pub trait ReviewInsights {
    /// What the reviews of a user's games say, with at most `most` games, openings and kinds of
    /// mistakes.
    async fn insights(&self, user: UserId, most: u32) -> Result<Insights>;
}

/// Examples of each kind of mistake.
const EXAMPLES: i64 = 4;

#[async_trait]
impl ReviewInsights for Database {
    async fn insights(&self, user: UserId, most: u32) -> Result<Insights> {
        let total = query("SELECT count(*), avg(accuracy) FROM review_sides WHERE user_id = $1");
        let total = total.bind(user.0).fetch_one(&self.readers).await?;
        let games = total.try_get::<i64, _>(0)?.unsigned_abs();
        if games == 0 {
            return Ok(Insights::default());
        }
        let mut openings = by_game(self, user, OPENINGS).await?;
        openings.truncate(most as usize);
        Ok(Insights {
            games,
            accuracy: total.try_get(1)?,
            newest: newest(self, user, most).await?,
            by_color: by_game(self, user, COLORS).await?,
            by_opening: openings,
            by_speed: by_game(self, user, SPEEDS).await?,
            by_phase: by_move(self, user, "phase").await?,
            by_time_left: by_move(self, user, "left").await?,
            by_time_spent: by_move(self, user, "spent").await?,
            mistakes: mistakes(self, user, most).await?,
        })
    }
}

const COLORS: &str = "SELECT s.color AS name, count(*) AS games, avg(s.accuracy) AS accuracy \
    FROM review_sides s WHERE s.user_id = $1 GROUP BY s.color ORDER BY s.color DESC";

const SPEEDS: &str = "SELECT coalesce(g.speed, 'none') AS name, count(*) AS games, \
    avg(s.accuracy) AS accuracy FROM review_sides s JOIN games g ON g.number = s.game \
    WHERE s.user_id = $1 GROUP BY coalesce(g.speed, 'none') ORDER BY games DESC, name";

const OPENINGS: &str = "SELECT g.eco || ' ' || g.opening AS name, count(*) AS games, \
    avg(s.accuracy) AS accuracy FROM review_sides s JOIN games g ON g.number = s.game \
    WHERE s.user_id = $1 AND g.eco IS NOT NULL AND g.opening IS NOT NULL \
    GROUP BY g.eco || ' ' || g.opening ORDER BY games DESC, name";

row! {
    read GamesRow {
        name: String,
        games: i64,
        accuracy: f64,
    }
}

async fn by_game(
    database: &Database,
    user: UserId,
    select: &'static str,
) -> Result<Vec<(String, GameAccuracy)>> {
    let rows = query(select).bind(user.0).fetch_all(&database.readers).await?;
    let accuracy = |row: &AnyRow| {
        let GamesRow { name, games, accuracy } = GamesRow::read(row)?;
        Ok((name, GameAccuracy { games: games.unsigned_abs(), accuracy }))
    };
    rows.iter().map(accuracy).collect()
}

row! {
    read PartsRow {
        name: String,
        moves: i64,
        accuracy: f64,
        lost: f64,
    }
}

async fn by_move(
    database: &Database,
    user: UserId,
    part: &'static str,
) -> Result<Vec<(String, MoveAccuracy)>> {
    let select = query(
        "SELECT name, CAST(sum(moves) AS BIGINT) AS moves, sum(accuracy) AS accuracy, \
         sum(lost) AS lost FROM review_parts WHERE user_id = $1 AND part = $2 GROUP BY name",
    );
    let rows = select.bind(user.0).bind(part).fetch_all(&database.readers).await?;
    let mut found = Vec::new();
    for row in &rows {
        let PartsRow { name, moves, accuracy, lost } = PartsRow::read(row)?;
        let of = moves.max(1) as f64;
        let moves = moves.unsigned_abs();
        found.push((name, MoveAccuracy { moves, accuracy: accuracy / of, lost: lost / of }));
    }
    Ok(found)
}

row! {
    read NewestRow {
        id: String,
        played_at: i64,
        accuracy: f64,
    }
}

async fn newest(database: &Database, user: UserId, most: u32) -> Result<Vec<ReviewedGame>> {
    let select = query(
        "SELECT g.id, g.played_at, s.accuracy FROM review_sides s \
         JOIN games g ON g.number = s.game WHERE s.user_id = $1 \
         ORDER BY g.played_at DESC, g.number DESC LIMIT $2",
    );
    let rows = select.bind(user.0).bind(i64::from(most)).fetch_all(&database.readers).await?;
    let game = |row: &AnyRow| {
        let NewestRow { id, played_at, accuracy } = NewestRow::read(row)?;
        Ok(ReviewedGame { game: game_id(&id)?, played_at: Timestamp(played_at), accuracy })
    };
    rows.iter().rev().map(game).collect()
}

row! {
    read KindRow {
        motif: String,
        whose: String,
        number: i64,
        lost: f64,
    }
}

row! {
    read ExampleRow {
        id: String,
        ply: i64,
        played: String,
        lost: f64,
    }
}

async fn mistakes(database: &Database, user: UserId, most: u32) -> Result<Vec<MistakeKind>> {
    let kinds = query(
        "SELECT motif, whose, count(*) AS number, sum(lost) AS lost FROM review_mistakes \
         WHERE user_id = $1 GROUP BY motif, whose ORDER BY lost DESC, motif, whose LIMIT $2",
    );
    let rows = kinds.bind(user.0).bind(i64::from(most)).fetch_all(&database.readers).await?;
    let mut found = Vec::new();
    for row in &rows {
        let KindRow { motif, whose, number, lost } = KindRow::read(row)?;
        let examples = query(
            "SELECT g.id, m.ply, m.played, m.lost FROM review_mistakes m \
             JOIN games g ON g.number = m.game \
             WHERE m.user_id = $1 AND m.motif = $2 AND m.whose = $3 \
             ORDER BY m.lost DESC, m.game, m.ply LIMIT $4",
        );
        let examples = examples.bind(user.0).bind(motif.clone()).bind(whose.clone()).bind(EXAMPLES);
        let examples = examples.fetch_all(&database.readers).await?;
        let examples = examples.iter().map(example).collect::<Result<_>>()?;
        found.push(MistakeKind { motif, whose, count: number.unsigned_abs(), lost, examples });
    }
    Ok(found)
}

fn example(row: &AnyRow) -> Result<Mistake> {
    let ExampleRow { id, ply, played, lost } = ExampleRow::read(row)?;
    Ok(Mistake { game: game_id(&id)?, ply: ply as u32, played, lost })
}

fn game_id(text: &str) -> Result<GameId> {
    text.parse().map_err(|_| StoreError::damaged(format!("invalid game id {text}")))
}
