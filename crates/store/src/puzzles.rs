//! Puzzles from users' games, and how well they are known.

use async_trait::async_trait;
use sqlx::Row;
use sqlx::any::AnyRow;

use crate::database::{Database, query};
use crate::error::{Result, StoreError, text};
use crate::statement::row;
use crate::{GameId, Timestamp, UserId};

/// The number of a puzzle.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PuzzleId(pub i64);

/// A puzzle from a game of its user.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredPuzzle {
    /// Its number.
    pub id: PuzzleId,
    /// The game it is from.
    pub game: GameId,
    /// The variant, by its name.
    pub rules: String,
    /// The name of the white player.
    pub white: String,
    /// The name of the black player.
    pub black: String,
    /// When the game was played.
    pub played_at: Timestamp,
    /// The number of plies before it.
    pub ply: u32,
    /// Whether it was a mistake or a missed chance.
    pub kind: String,
    /// The phase of the game.
    pub phase: String,
    /// What it is about.
    pub themes: Vec<String>,
    /// The position, as FEN.
    pub fen: String,
    /// The opponent's move before it, in UCI notation.
    pub before: Option<String>,
    /// The move that was played, in SAN.
    pub played: String,
    /// The solution and the replies, in UCI notation.
    pub solution: Vec<String>,
    /// Points of expected score that the move played lost.
    pub lost: f64,
    /// When it is due.
    pub due: Timestamp,
    /// How often it was tried.
    pub tries: u32,
    /// How often it was solved.
    pub solved: u32,
    /// What is known about the user's memory of it; none before the first try.
    pub memory: Option<Recall>,
}

/// What is known about a user's memory of a puzzle.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Recall {
    /// When it was last tried.
    pub tried: Timestamp,
    /// Days until the chance to know it falls to nine in ten.
    pub stability: f64,
    /// How hard it is for this user, from 1 to 10.
    pub difficulty: f64,
}

/// The result of a try.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct NewTry {
    /// The number of tries before it.
    pub number: u32,
    /// Whether it was solved.
    pub solved: bool,
    /// What is known about the user's memory now.
    pub memory: Recall,
    /// When it is due again.
    pub due: Timestamp,
}

/// Which puzzles to list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PuzzleFilter {
    /// Those that are due at a time.
    pub due: Option<Timestamp>,
    /// Those of a theme, a phase or a kind.
    pub theme: Option<String>,
}

/// Numbers of puzzles.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PuzzleCount {
    /// Those that are due.
    pub due: u64,
    /// All of them.
    pub all: u64,
}

/// The puzzles of users. Nobody else's are found.
#[async_trait]
pub trait Puzzles {
    /// A page of a user's puzzles, the one that is due first first.
    async fn puzzles(
        &self,
        user: UserId,
        filter: &PuzzleFilter,
        skip: u32,
        most: u32,
    ) -> Result<Vec<StoredPuzzle>>;

    /// A puzzle of a user.
    async fn puzzle(&self, user: UserId, id: PuzzleId) -> Result<StoredPuzzle>;

    /// The number of a user's puzzles, and of those for each theme, phase and kind.
    async fn count_puzzles(
        &self,
        user: UserId,
        now: Timestamp,
    ) -> Result<(PuzzleCount, Vec<(String, PuzzleCount)>)>;

    /// Keeps the result of a try. Fails if another one came first.
    async fn keep_try(&self, user: UserId, id: PuzzleId, new: &NewTry) -> Result<()>;

    /// Deletes a puzzle for good: no later review of its game brings it back.
    async fn drop_puzzle(&self, user: UserId, id: PuzzleId) -> Result<()>;
}

#[async_trait]
impl Puzzles for Database {
    async fn puzzles(
        &self,
        user: UserId,
        filter: &PuzzleFilter,
        skip: u32,
        most: u32,
    ) -> Result<Vec<StoredPuzzle>> {
        let mut select = self.statement(PUZZLES);
        select.bind(user.0);
        if let Some(now) = filter.due {
            select.push(" AND p.due <= ?").bind(now.0);
        }
        if let Some(theme) = &filter.theme {
            let theme = text("theme", theme)?;
            select.push(" AND p.themes LIKE ?").bind(format!("% {theme} %"));
        }
        select.push(" ORDER BY p.due, p.id LIMIT ? OFFSET ?");
        select.bind(i64::from(most)).bind(i64::from(skip));
        let rows = select.query().fetch_all(&self.readers).await?;
        rows.iter().map(read).collect()
    }

    async fn puzzle(&self, user: UserId, id: PuzzleId) -> Result<StoredPuzzle> {
        let mut select = self.statement(PUZZLES);
        select.bind(user.0).push(" AND p.id = ?").bind(id.0);
        let row = select.query().fetch_optional(&self.readers).await?;
        read(&row.ok_or(StoreError::NotFound("puzzle"))?)
    }

    async fn count_puzzles(
        &self,
        user: UserId,
        now: Timestamp,
    ) -> Result<(PuzzleCount, Vec<(String, PuzzleCount)>)> {
        let select = query(
            "SELECT themes, count(*) AS all_of_them, count(CASE WHEN due <= $1 THEN 1 END) AS due \
             FROM puzzles WHERE user_id = $2 AND dropped = 0 GROUP BY themes",
        );
        let rows = select.bind(now.0).bind(user.0).fetch_all(&self.readers).await?;
        let mut total = PuzzleCount::default();
        let mut themes: Vec<(String, PuzzleCount)> = Vec::new();
        for row in &rows {
            let names: String = row.try_get("themes")?;
            let all = row.try_get::<i64, _>("all_of_them")?.unsigned_abs();
            let due = row.try_get::<i64, _>("due")?.unsigned_abs();
            let add = |count: &mut PuzzleCount| {
                count.all += all;
                count.due += due;
            };
            add(&mut total);
            for name in names.split_whitespace() {
                match themes.iter_mut().find(|(known, _)| known == name) {
                    Some((_, count)) => add(count),
                    None => themes.push((name.to_owned(), PuzzleCount { due, all })),
                }
            }
        }
        themes.sort_by(|(a, of_a), (b, of_b)| of_b.all.cmp(&of_a.all).then_with(|| a.cmp(b)));
        Ok((total, themes))
    }

    async fn keep_try(&self, user: UserId, id: PuzzleId, new: &NewTry) -> Result<()> {
        let update = query(
            "UPDATE puzzles SET tries = tries + 1, solved = solved + $1, tried = $2, \
             stability = $3, difficulty = $4, due = $5 \
             WHERE id = $6 AND user_id = $7 AND tries = $8 AND dropped = 0",
        )
        .bind(i64::from(new.solved))
        .bind(new.memory.tried.0)
        .bind(new.memory.stability)
        .bind(new.memory.difficulty)
        .bind(new.due.0)
        .bind(id.0)
        .bind(user.0)
        .bind(i64::from(new.number));
        if update.execute(&self.writer).await?.rows_affected() > 0 {
            return Ok(());
        }
        let found = self.puzzle(user, id).await?.tries;
        Err(StoreError::Stale { found: found.into() })
    }

    async fn drop_puzzle(&self, user: UserId, id: PuzzleId) -> Result<()> {
        let update =
            query("UPDATE puzzles SET dropped = 1 WHERE id = $1 AND user_id = $2 AND dropped = 0");
        let update = update.bind(id.0).bind(user.0);
        match update.execute(&self.writer).await?.rows_affected() {
            0 => Err(StoreError::NotFound("puzzle")),
            _ => Ok(()),
        }
    }
}

const PUZZLES: &str = "SELECT p.id, g.id AS game, g.rules, g.white_name, g.black_name, \
    g.played_at, p.ply, p.kind, p.phase, p.themes, p.fen, p.before, p.played, p.solution, p.lost, \
    p.due, p.tries, p.solved, p.tried, p.stability, p.difficulty \
    FROM puzzles p JOIN games g ON g.number = p.game WHERE p.dropped = 0 AND p.user_id = ?";

row! {
    read PuzzleRow {
        id: i64,
        game: String,
        rules: String,
        white_name: String,
        black_name: String,
        played_at: i64,
        ply: i64,
        kind: String,
        phase: String,
        themes: String,
        fen: String,
        before: Option<String>,
        played: String,
        solution: String,
        lost: f64,
        due: i64,
        tries: i64,
        solved: i64,
        tried: Option<i64>,
        stability: Option<f64>,
        difficulty: Option<f64>,
    }
}

fn read(row: &AnyRow) -> Result<StoredPuzzle> {
    let row = PuzzleRow::read(row)?;
    let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let damaged = |_| StoreError::damaged(format!("invalid game id {}", row.game));
    let mut themes = words(&row.themes);
    themes.retain(|theme| *theme != row.phase && *theme != row.kind);
    let memory = match (row.tried, row.stability, row.difficulty) {
        (Some(tried), Some(stability), Some(difficulty)) => {
            Some(Recall { tried: Timestamp(tried), stability, difficulty })
        }
        _ => None,
    };
    Ok(StoredPuzzle {
        id: PuzzleId(row.id),
        game: row.game.parse().map_err(damaged)?,
        rules: row.rules,
        white: row.white_name,
        black: row.black_name,
        played_at: Timestamp(row.played_at),
        ply: row.ply as u32,
        kind: row.kind,
        phase: row.phase,
        themes,
        fen: row.fen,
        before: row.before,
        played: row.played,
        solution: words(&row.solution),
        lost: row.lost,
        due: Timestamp(row.due),
        tries: row.tries as u32,
        solved: row.solved as u32,
        memory,
    })
}
