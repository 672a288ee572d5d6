//! What a user has won and lost.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt;
use std::ops::AddAssign;

use async_trait::async_trait;
use chess::Color;
use game::{GameResult, Level, Speed};

use crate::database::{Database, query};
use crate::error::Result;
use crate::statement::row;
use crate::stored_game::read_level;
use crate::{OpeningName, Timestamp, UserId};

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
        let rows = query(PLAYED).bind(user.0).fetch_all(&self.readers).await?;
        let mut tallies = Tallies::default();
        for row in &rows {
            tallies.add(PlayedRow::read(row)?)?;
        }
        Ok(tallies.into_statistics(most))
    }
}

/// What a user has played to its end, from the user's side of the board.
const PLAYED: &str = "SELECT 'white' AS color, black_level AS level, speed, time_control, eco, \
    opening, played_at, result FROM games \
    WHERE status = 'finished' AND result <> '*' AND white_user = $1 \
    UNION ALL SELECT 'black' AS color, white_level AS level, speed, time_control, eco, \
    opening, played_at, result FROM games \
    WHERE status = 'finished' AND result <> '*' AND black_user = $1";

row! {
    read PlayedRow {
        color: String,
        level: Option<i64>,
        speed: Option<String>,
        time_control: Option<String>,
        eco: Option<String>,
        opening: Option<String>,
        played_at: i64,
        result: String,
    }
}

/// Scores by whatever was at hand, each in the order of its key.
#[derive(Default)]
struct Tallies {
    all: Score,
    levels: BTreeMap<Level, Score>,
    colors: BTreeMap<Color, Score>,
    speeds: BTreeMap<Option<Speed>, Score>,
    time_controls: BTreeMap<Option<String>, Score>,
    openings: BTreeMap<OpeningName, Score>,
    months: BTreeMap<Month, Score>,
}

impl Tallies {
    fn add(&mut self, row: PlayedRow) -> Result<()> {
        let color: Color = row.color.parse()?;
        let result: GameResult = row.result.parse()?;
        let game = Score::of_game(result.winner().map(|winner| winner == color));
        let speed = row.speed.as_deref().map(str::parse).transpose()?;
        self.all += game;
        if let Some(level) = row.level {
            *self.levels.entry(read_level(level)?).or_default() += game;
        }
        *self.colors.entry(color).or_default() += game;
        *self.speeds.entry(speed).or_default() += game;
        *self.time_controls.entry(row.time_control).or_default() += game;
        if let Some(opening) = OpeningName::read(row.eco, row.opening) {
            *self.openings.entry(opening).or_default() += game;
        }
        *self.months.entry(Month::of(Timestamp(row.played_at))).or_default() += game;
        Ok(())
    }

    fn into_statistics(self, most: usize) -> Statistics {
        let mut by_time_control = most_played(self.time_controls);
        let mut by_opening = most_played(self.openings);
        by_time_control.truncate(most);
        by_opening.truncate(most);
        Statistics {
            all: self.all,
            by_level: self.levels.into_iter().collect(),
            by_color: most_played(self.colors),
            by_speed: self.speeds.into_iter().collect(),
            by_time_control,
            by_opening,
            by_month: self.months.into_iter().collect(),
        }
    }
}

/// The most played first.
fn most_played<T>(scores: BTreeMap<T, Score>) -> Vec<(T, Score)> {
    let mut scores: Vec<(T, Score)> = scores.into_iter().collect();
    scores.sort_by_key(|(_, score)| Reverse(score.played));
    scores
}

impl Score {
    /// One game that was won, lost, or drawn.
    const fn of_game(won: Option<bool>) -> Self {
        let none = Self { played: 1, won: 0, drawn: 0, lost: 0 };
        match won {
            Some(true) => Self { won: 1, ..none },
            None => Self { drawn: 1, ..none },
            Some(false) => Self { lost: 1, ..none },
        }
    }
}

impl AddAssign for Score {
    fn add_assign(&mut self, other: Self) {
        self.played += other.played;
        self.won += other.won;
        self.drawn += other.drawn;
        self.lost += other.lost;
    }
}

impl Month {
    fn of(time: Timestamp) -> Self {
        let (year, month, _) = time.date();
        Self { year: year as i32, month: month as u8 }
    }
}
