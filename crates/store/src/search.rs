//! Game search.

use std::fmt;
use std::str::FromStr;

use async_trait::async_trait;
use game::live::End;
use game::{GameResult, Level, Source, Speed, Variant, Visibility};
use sqlx::Row;
use sqlx::any::AnyRow;

use crate::database::{Database, query};
use crate::dialect::Dialect;
use crate::ending::read_end;
use crate::error::{Result, StoreError, text};
use crate::player::folded;
use crate::statement::{Statement, row};
use crate::stored_game::{game_columns, read_player};
use crate::{GameId, OpeningName, Player, StoredGame, Timestamp, UserId};

/// Maximum number of games per page.
const LONGEST_PAGE: usize = 1000;

/// Positions with more games than this are checked for each game of the scan; a rarer one is looked
/// up first.
const COMMON: i64 = 4000;

/// A filter for games; all conditions must match.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameFilter {
    /// Games that a user owns or plays and hasn't deleted.
    pub user: Option<UserId>,
    /// Part of a player's name; case and accents don't matter.
    pub player: Option<String>,
    /// Prefix of the ECO code: `B`, `B9`, `B90`.
    pub eco: Option<String>,
    /// Part of the opening's name; case and accents don't matter.
    pub opening: Option<String>,
    /// The result.
    pub result: Option<GameResult>,
    /// Played at this time or later.
    pub from: Option<Timestamp>,
    /// Played before this time.
    pub until: Option<Timestamp>,
    /// The source.
    pub source: Option<Source>,
    /// The speed.
    pub speed: Option<Speed>,
    /// One of the players is the engine at this level.
    pub level: Option<Level>,
    /// Contains the position with this [key](chess::Position::key).
    pub position: Option<u64>,
    /// Only public games.
    pub public: bool,
    /// Finished (`true`) or unfinished (`false`).
    pub finished: Option<bool>,
    /// The order.
    pub order: GameOrder,
}

/// The order of games, by the time they were played.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum GameOrder {
    /// Newest first.
    #[default]
    Newest,
    /// Oldest first.
    Oldest,
}

/// A place between two games in their order, stable when games are added.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Cursor {
    played_at: i64,
    number: i64,
}

impl fmt::Display for Cursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}_{}", self.played_at, self.number)
    }
}

impl FromStr for Cursor {
    type Err = StoreError;

    fn from_str(text: &str) -> Result<Self> {
        let parts = text.split_once('_').and_then(|(played_at, number)| {
            Some(Self { played_at: played_at.parse().ok()?, number: number.parse().ok()? })
        });
        parts.ok_or(StoreError::Refused { what: "cursor", why: "is invalid" })
    }
}

/// A page of games.
#[derive(Clone, Debug, PartialEq)]
pub struct Page<T> {
    /// The games in order.
    pub games: Vec<T>,
    /// The cursor of the next page; none after the last.
    pub next: Option<Cursor>,
}

/// A game in a list.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the same as in `StoredGame`")]
pub struct GameSummary {
    pub id: GameId,
    pub source: Source,
    pub end: Option<End>,
    /// Whether a seat is open.
    pub waits: bool,
    pub visibility: Visibility,
    pub variant: Variant,
    pub owner: Option<UserId>,
    pub white: Player,
    pub black: Player,
    pub time_control: Option<String>,
    pub speed: Option<Speed>,
    pub played_at: Timestamp,
    pub opening: Option<OpeningName>,
    pub plies: u32,
    /// White's and Black's accuracy in the review that is shown, if there is one; a side that hasn't
    /// moved has none.
    pub accuracies: Option<[Option<f64>; 2]>,
}

/// Game search.
#[async_trait]
pub trait GameSearch {
    /// A page of at most `most` matching games, starting at a cursor.
    async fn search(
        &self,
        filter: &GameFilter,
        after: Option<Cursor>,
        most: usize,
    ) -> Result<Page<GameSummary>>;

    /// The same with all the data of each game; [`Export`](crate::Export) iterates over all pages.
    async fn games(
        &self,
        filter: &GameFilter,
        after: Option<Cursor>,
        most: usize,
    ) -> Result<Page<StoredGame>>;
}

#[async_trait]
impl GameSearch for Database {
    async fn search(
        &self,
        filter: &GameFilter,
        after: Option<Cursor>,
        most: usize,
    ) -> Result<Page<GameSummary>> {
        page(self, SUMMARY, filter, after, most, GameSummary::from_row).await
    }

    async fn games(
        &self,
        filter: &GameFilter,
        after: Option<Cursor>,
        most: usize,
    ) -> Result<Page<StoredGame>> {
        page(self, game_columns!(), filter, after, most, StoredGame::from_row).await
    }
}

/// The review that is shown of a game `g`: the newest, those of visitors after all others.
macro_rules! shown {
    () => {
        "FROM reviews r WHERE r.game = g.number ORDER BY \
         CASE WHEN r.fingerprint LIKE 'visitor: %' THEN 1 ELSE 0 END, \
         r.created DESC, r.fingerprint LIMIT 1"
    };
}

const SUMMARY: &str = concat!(
    "g.number, g.id, g.source, g.status, g.visibility, g.rules, g.owner, \
    g.white_user, g.white_name, g.white_level, g.white_elo, g.black_user, g.black_name, \
    g.black_level, g.black_elo, g.time_control, g.speed, g.played_at, g.result, g.outcome, \
    g.eco, g.opening, g.plies, g.open_seat, \
    (SELECT count(*) FROM reviews r WHERE r.game = g.number) AS reviews, \
    (SELECT r.white ",
    shown!(),
    ") AS white_accuracy, (SELECT r.black ",
    shown!(),
    ") AS black_accuracy"
);

row! {
    /// The columns of [`SUMMARY`] except the number.
    read SummaryRow {
        id: String,
        source: String,
        status: String,
        visibility: String,
        rules: String,
        owner: Option<i64>,
        white_user: Option<i64>,
        white_name: String,
        white_level: Option<i64>,
        white_elo: Option<i64>,
        black_user: Option<i64>,
        black_name: String,
        black_level: Option<i64>,
        black_elo: Option<i64>,
        time_control: Option<String>,
        speed: Option<String>,
        played_at: i64,
        result: String,
        outcome: Option<String>,
        eco: Option<String>,
        opening: Option<String>,
        plies: i64,
        open_seat: Option<String>,
        reviews: i64,
        white_accuracy: Option<f64>,
        black_accuracy: Option<f64>,
    }
}

impl GameSummary {
    fn from_row(row: &AnyRow) -> Result<Self> {
        let row = SummaryRow::read(row)?;
        let damaged = |_| StoreError::damaged(format!("invalid game id {}", row.id));
        Ok(Self {
            id: row.id.parse().map_err(damaged)?,
            source: row.source.parse()?,
            end: read_end(&row.status, &row.result, row.outcome.as_deref())?,
            waits: row.open_seat.is_some(),
            visibility: row.visibility.parse()?,
            variant: row.rules.parse()?,
            owner: row.owner.map(UserId),
            white: read_player(row.white_user, row.white_name, row.white_level, row.white_elo)?,
            black: read_player(row.black_user, row.black_name, row.black_level, row.black_elo)?,
            time_control: row.time_control,
            speed: row.speed.as_deref().map(str::parse).transpose()?,
            played_at: Timestamp(row.played_at),
            opening: OpeningName::read(row.eco, row.opening),
            plies: row.plies as u32,
            accuracies: (row.reviews > 0).then_some([row.white_accuracy, row.black_accuracy]),
        })
    }
}

async fn page<T>(
    database: &Database,
    columns: &'static str,
    filter: &GameFilter,
    after: Option<Cursor>,
    most: usize,
    from_row: impl Fn(&AnyRow) -> Result<T>,
) -> Result<Page<T>> {
    for (what, part) in
        [("player", &filter.player), ("code", &filter.eco), ("opening", &filter.opening)]
    {
        text(what, part.as_deref().unwrap_or_default())?;
    }
    let most = most.clamp(1, LONGEST_PAGE);
    let rare = match filter.position {
        Some(key) => is_rare(database, key).await?,
        None => false,
    };
    // Fetching one more shows whether there are more.
    let walk = Walk { filter, after, limit: most as i64 + 1, rare, dialect: database.dialect };
    let rows = walk.statement(database, columns).query().fetch_all(&database.readers).await?;
    let place = |row: &AnyRow| -> Result<Cursor> {
        Ok(Cursor { played_at: row.try_get("played_at")?, number: row.try_get("number")? })
    };
    let next = if rows.len() > most { Some(place(&rows[most - 1])?) } else { None };
    let games = rows.iter().take(most).map(from_row).collect::<Result<_>>()?;
    Ok(Page { games, next })
}

async fn is_rare(database: &Database, key: u64) -> Result<bool> {
    let count =
        query("SELECT count(*) FROM (SELECT 1 FROM positions WHERE key = $1 LIMIT $2) AS counted");
    let count = count.bind(key.cast_signed()).bind(COMMON + 1);
    let count: i64 = count.fetch_one(&database.readers).await?.try_get(0)?;
    Ok(count <= COMMON)
}

/// A scan of the games in order that stops when the page is full.
struct Walk<'a> {
    filter: &'a GameFilter,
    after: Option<Cursor>,
    limit: i64,
    /// Whether the filter's position is rare: then its games are looked up and sorted.
    rare: bool,
    dialect: Dialect,
}

impl Walk<'_> {
    /// The inner query finds game numbers from an index alone, the outer one reads their rows.
    fn statement(&self, database: &Database, columns: &'static str) -> Statement {
        let mut statement = database.statement("SELECT ");
        statement.push(columns).push(" FROM (");
        match self.filter.user {
            None => {
                statement.push("SELECT number FROM (SELECT g.number FROM games g WHERE TRUE");
                self.end_leg(&mut statement);
            }
            Some(UserId(user)) => {
                // Three scans, each along its own index; `UNION` removes duplicates.
                statement
                    .push("SELECT number FROM (SELECT g.number FROM games g ")
                    .push("WHERE g.owner = ? AND g.owner_left = 0")
                    .bind(user);
                self.end_leg(&mut statement);
                statement
                    .push(" UNION SELECT number FROM (")
                    .push(
                        "SELECT g.number FROM games g WHERE g.white_user = ? AND g.white_left = 0",
                    )
                    .bind(user);
                self.end_leg(&mut statement);
                statement
                    .push(" UNION SELECT number FROM (")
                    .push(
                        "SELECT g.number FROM games g WHERE g.black_user = ? AND g.black_left = 0",
                    )
                    .bind(user);
                self.end_leg(&mut statement);
            }
        }
        statement.push(") AS found JOIN games g ON g.number = found.number");
        statement.push(match self.filter.order {
            GameOrder::Newest => " ORDER BY g.played_at DESC, g.number DESC LIMIT ?",
            GameOrder::Oldest => " ORDER BY g.played_at, g.number LIMIT ?",
        });
        statement.bind(self.limit);
        statement
    }

    /// The conditions and the order of a scan.
    fn end_leg(&self, statement: &mut Statement) {
        self.conditions(statement);
        // The unary plus keeps the database from scanning along the order when a better index
        // exists.
        statement.push(match (self.filter.order, self.rare) {
            (GameOrder::Newest, false) => {
                " ORDER BY g.played_at DESC, g.number DESC LIMIT ?) AS leg"
            }
            (GameOrder::Oldest, false) => " ORDER BY g.played_at, g.number LIMIT ?) AS leg",
            (GameOrder::Newest, true) => {
                " ORDER BY +g.played_at DESC, +g.number DESC LIMIT ?) AS leg"
            }
            (GameOrder::Oldest, true) => " ORDER BY +g.played_at, +g.number LIMIT ?) AS leg",
        });
        statement.bind(self.limit);
    }

    fn conditions(&self, statement: &mut Statement) {
        let filter = self.filter;
        if let Some(Cursor { played_at, number }) = self.after {
            statement.push(match filter.order {
                GameOrder::Newest => " AND (g.played_at, g.number) < (?, ?)",
                GameOrder::Oldest => " AND (g.played_at, g.number) > (?, ?)",
            });
            statement.bind(played_at).bind(number);
        }
        if filter.public {
            statement.push(" AND g.visibility = 'public'");
        }
        if let Some(from) = filter.from {
            statement.push(" AND g.played_at >= ?").bind(from.0);
        }
        if let Some(until) = filter.until {
            statement.push(" AND g.played_at < ?").bind(until.0);
        }
        if let Some(finished) = filter.finished {
            statement.push(" AND g.status = ?").bind(if finished { "finished" } else { "live" });
        }
        if let Some(source) = filter.source {
            statement.push(" AND g.source = ?").bind(source.as_str());
        }
        if let Some(result) = filter.result {
            statement.push(" AND g.result = ?").bind(result.as_str());
        }
        if let Some(speed) = filter.speed {
            statement.push(" AND g.speed = ?").bind(speed.as_str());
        }
        if let Some(level) = filter.level {
            let level = i64::from(level.number());
            statement.push(" AND (g.white_level = ? OR g.black_level = ?)").bind(level).bind(level);
        }
        if let Some(eco) = &filter.eco {
            let start = escaped(&eco.to_uppercase()) + "%";
            statement.push(" AND g.eco LIKE ? ESCAPE '\\'").bind(start);
        }
        if let Some(opening) = &filter.opening {
            statement.push(" AND g.opening_folded").push(self.dialect.matches());
            statement.bind(self.dialect.part(&folded(opening)));
        }
        if let Some(player) = &filter.player {
            let part = self.dialect.part(&folded(player));
            statement.push(" AND (g.white_folded").push(self.dialect.matches()).bind(part.clone());
            statement.push(" OR g.black_folded").push(self.dialect.matches()).bind(part).push(")");
        }
        if let Some(key) = filter.position {
            statement.push(if self.rare {
                " AND g.number IN (SELECT p.game FROM positions p WHERE p.key = ?)"
            } else {
                " AND EXISTS (SELECT 1 FROM positions p WHERE p.key = ? AND p.game = +g.number)"
            });
            statement.bind(key.cast_signed());
        }
    }
}

/// Escapes wildcards.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        if matches!(c, '%' | '_' | '\\') {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}
