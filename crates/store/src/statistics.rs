//! What a user has won and lost.

use std::fmt;

use async_trait::async_trait;
use chess::Color;
use game::{Level, Speed};
use sqlx::Row;
use sqlx::any::AnyRow;

use crate::database::Database;
use crate::error::{Result, StoreError};
use crate::{OpeningName, UserId, stored_game};

/// Games and how they ended, from one side's view.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Score {
    /// All.
    pub played: u64,
    /// Those won.
    pub won: u64,
    /// Those nobody won.
    pub drawn: u64,
    /// Those lost.
    pub lost: u64,
}

/// A month of a year.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Month {
    /// The year.
    pub year: i32,
    /// The month, from 1.
    pub month: u8,
}

impl fmt::Display for Month {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}", self.year, self.month)
    }
}

/// What a user has won and lost, in all and by what was at hand.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// All games.
    pub all: Score,
    /// Against each level of the engine, the lowest first.
    pub by_level: Vec<(Level, Score)>,
    /// With each color.
    pub by_color: Vec<(Color, Score)>,
    /// At each speed; `None` is without clocks.
    pub by_speed: Vec<(Option<Speed>, Score)>,
    /// With each time control as PGN writes it, the most played first; `None` is without clocks.
    pub by_time_control: Vec<(Option<String>, Score)>,
    /// In each opening, the most played first.
    pub by_opening: Vec<(OpeningName, Score)>,
    /// In each month, the oldest first.
    pub by_month: Vec<(Month, Score)>,
}

/// What a user has won and lost.
#[async_trait]
pub trait UserStatistics {
    /// The games that a user has played here to their end, with so many openings and time controls
    /// at most.
    async fn statistics(&self, user: UserId, most: usize) -> Result<Statistics>;
}

#[async_trait]
impl UserStatistics for Database {
    async fn statistics(&self, user: UserId, most: usize) -> Result<Statistics> {
        let by_color = grouped(self, user, ["color", "color"], read_color).await?;
        let by_level = grouped(self, user, ["level", "level"], read_level).await?;
        let mut by_speed = grouped(self, user, ["speed", "speed"], read_speed).await?;
        let mut by_time_control =
            grouped(self, user, ["time_control", "speed"], |row| Ok(row.try_get(0)?)).await?;
        let by_opening = grouped(self, user, ["eco", "opening"], read_opening).await?;
        let mut by_month = grouped(self, user, [self.dialect.month(), "''"], read_month).await?;
        let mut by_level = known(by_level);
        let mut by_opening = known(by_opening);
        by_level.sort_by_key(|(level, _)| *level);
        by_speed.sort_by_key(|(speed, _)| *speed);
        by_month.sort_by_key(|(month, _)| *month);
        by_time_control.truncate(most);
        by_opening.truncate(most);
        let all = by_color.iter().fold(Score::default(), |sum, (_, score)| sum + *score);
        Ok(Statistics { all, by_level, by_color, by_speed, by_time_control, by_opening, by_month })
    }
}

/// What a user has played to its end, from the user's side of the board.
const SEATS: &str = "SELECT 'white' AS color, black_level AS level, speed, time_control, eco, \
    opening, played_at, CASE result WHEN '1-0' THEN 2 WHEN '0-1' THEN 0 ELSE 1 END AS points \
    FROM games WHERE status = 'finished' AND result <> '*' AND white_user = ";
const OTHER_SEATS: &str = " UNION ALL SELECT 'black', white_level, speed, time_control, eco, \
    opening, played_at, CASE result WHEN '0-1' THEN 2 WHEN '1-0' THEN 0 ELSE 1 END \
    FROM games WHERE status = 'finished' AND result <> '*' AND black_user = ";

/// Scores by the values of two columns, the most played first.
async fn grouped<T>(
    database: &Database,
    user: UserId,
    [first, second]: [&'static str; 2],
    read: impl Fn(&AnyRow) -> Result<T>,
) -> Result<Vec<(T, Score)>> {
    let mut select = database.statement("SELECT ");
    select.push(first).push(", ").push(second);
    select.push(
        ", count(*) AS played, sum(CASE points WHEN 2 THEN 1 ELSE 0 END) AS won, \
         sum(CASE points WHEN 1 THEN 1 ELSE 0 END) AS drawn, \
         sum(CASE points WHEN 0 THEN 1 ELSE 0 END) AS lost FROM (",
    );
    select.push(SEATS).bind(user.0).push(OTHER_SEATS).bind(user.0);
    select.push(") AS seats GROUP BY 1, 2 ORDER BY played DESC, 1, 2");
    let rows = select.query().fetch_all(&database.readers).await?;
    rows.iter().map(|row| Ok((read(row)?, read_score(row)?))).collect()
}

fn known<T>(scores: Vec<(Option<T>, Score)>) -> Vec<(T, Score)> {
    scores.into_iter().filter_map(|(by, score)| Some((by?, score))).collect()
}

fn read_score(row: &AnyRow) -> Result<Score> {
    let count = |column| Ok::<_, StoreError>(row.try_get::<i64, _>(column)?.unsigned_abs());
    Ok(Score {
        played: count("played")?,
        won: count("won")?,
        drawn: count("drawn")?,
        lost: count("lost")?,
    })
}

fn read_color(row: &AnyRow) -> Result<Color> {
    Ok(row.try_get::<&str, _>(0)?.parse()?)
}

fn read_level(row: &AnyRow) -> Result<Option<Level>> {
    row.try_get::<Option<i64>, _>(0)?.map(stored_game::read_level).transpose()
}

fn read_speed(row: &AnyRow) -> Result<Option<Speed>> {
    Ok(row.try_get::<Option<&str>, _>(0)?.map(str::parse).transpose()?)
}

fn read_opening(row: &AnyRow) -> Result<Option<OpeningName>> {
    let eco: Option<String> = row.try_get(0)?;
    let name: Option<String> = row.try_get(1)?;
    Ok(eco.zip(name).map(|(eco, name)| OpeningName { eco, name }))
}

fn read_month(row: &AnyRow) -> Result<Month> {
    let text: &str = row.try_get(0)?;
    let month = text.rsplit_once('-').and_then(|(year, month)| {
        Some(Month { year: year.parse().ok()?, month: month.parse().ok()? })
    });
    month.ok_or_else(|| StoreError::damaged(format!("`{text}` is no month")))
}

impl std::ops::Add for Score {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            played: self.played + other.played,
            won: self.won + other.won,
            drawn: self.drawn + other.drawn,
            lost: self.lost + other.lost,
        }
    }
}
