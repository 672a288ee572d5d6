//! A user's results.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt;
use std::ops::AddAssign;

use async_trait::async_trait;
use chess::Color;
use game::{Day, GameResult, Level, Speed};

use crate::database::{Database, query};
use crate::error::Result;
use crate::statement::row;
use crate::stored_game::read_level;
use crate::{OpeningName, Timestamp, UserId};

/// Numbers of games by result, from one side's point of view.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Games played.
    pub played: u64,
    /// Wins.
    pub won: u64,
    /// Draws.
    pub drawn: u64,
    /// Losses.
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

/// A user's results, in total and by category.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// All games.
    pub all: Tally,
    /// Against each level of the engine, lowest first.
    pub by_level: Vec<(Level, Tally)>,
    /// With each color.
    pub by_color: Vec<(Color, Tally)>,
    /// At each speed; `None` for untimed games.
    pub by_speed: Vec<(Option<Speed>, Tally)>,
    /// With each time control in PGN notation, the most played first; `None` for untimed games.
    pub by_time_control: Vec<(Option<String>, Tally)>,
    /// In each opening, the most played first.
    pub by_opening: Vec<(OpeningName, Tally)>,
    /// In each month, oldest first.
    pub by_month: Vec<(Month, Tally)>,
}

/// A user's results.
#[async_trait]
pub trait UserStatistics {
    /// The results of a user's finished games on this server, with at most `most` openings and time
    /// controls. Games of two people at one board don't count: nobody knows who moved.
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

/// A user's finished games, from the user's side of the board. Both seats of a shared board have the
/// same secret.
const PLAYED: &str = "SELECT 'white' AS color, black_level AS level, speed, time_control, eco, \
    opening, played_at, result FROM games \
    WHERE status = 'finished' AND result <> '*' AND white_user = $1 \
    AND (white_seat IS NULL OR black_seat IS NULL OR white_seat <> black_seat) \
    UNION ALL SELECT 'black' AS color, white_level AS level, speed, time_control, eco, \
    opening, played_at, result FROM games \
    WHERE status = 'finished' AND result <> '*' AND black_user = $1 \
    AND (white_seat IS NULL OR black_seat IS NULL OR white_seat <> black_seat)";

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

/// Tallies by category, each in the order of its key.
#[derive(Default)]
struct Tallies {
    all: Tally,
    levels: BTreeMap<Level, Tally>,
    colors: BTreeMap<Color, Tally>,
    speeds: BTreeMap<Option<Speed>, Tally>,
    time_controls: BTreeMap<Option<String>, Tally>,
    openings: BTreeMap<OpeningName, Tally>,
    months: BTreeMap<Month, Tally>,
}

impl Tallies {
    fn add(&mut self, row: PlayedRow) -> Result<()> {
        let color: Color = row.color.parse()?;
        let result: GameResult = row.result.parse()?;
        let game = Tally::of_game(result.winner().map(|winner| winner == color));
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

/// Sorts by number of games, the most played first.
fn most_played<T>(tallies: BTreeMap<T, Tally>) -> Vec<(T, Tally)> {
    let mut tallies: Vec<(T, Tally)> = tallies.into_iter().collect();
    tallies.sort_by_key(|(_, tally)| Reverse(tally.played));
    tallies
}

impl Tally {
    /// The tally of one game that was won, lost, or drawn.
    const fn of_game(won: Option<bool>) -> Self {
        let none = Self { played: 1, won: 0, drawn: 0, lost: 0 };
        match won {
            Some(true) => Self { won: 1, ..none },
            None => Self { drawn: 1, ..none },
            Some(false) => Self { lost: 1, ..none },
        }
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.played += other.played;
        self.won += other.won;
        self.drawn += other.drawn;
        self.lost += other.lost;
    }
}

impl Month {
    fn of(time: Timestamp) -> Self {
        let Day { year, month, .. } = time.day();
        Self { year: year as i32, month: month as u8 }
    }
}
