//! The position index: which games reached a position, and what was played there.

use async_trait::async_trait;
use chess::{Line, Move};
use game::{GameResult, Ratings, Source};
use sqlx::any::AnyArguments;
use sqlx::query::Query;
use sqlx::{Any, Row};

use crate::database::{Database, query};
use crate::dialect::Dialect;
use crate::error::Result;
use crate::games;
use crate::packing::unpack_moves;
use crate::player::folded;
use crate::statement::{Row as _, row};
use crate::transaction::TimedConnection;
use crate::{GameId, StoredGame, Timestamp, UserId};

/// Maximum number of games to evaluate for a position.
const MOST_GAMES: i64 = 10_000;

/// Number of newest games of a position among which a user's games are looked for. If there are
/// more, and too few of them are the user's, the user's games are scanned instead.
const CANDIDATES: i64 = 20_000;

/// A move played in a position, and the results of those games.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Continuation {
    /// The move; `None` counts the games that ended here.
    pub m: Option<Move>,
    /// Number of games, including those without a result.
    pub games: u64,
    /// White wins.
    pub white_wins: u64,
    /// Draws.
    pub draws: u64,
    /// Black wins.
    pub black_wins: u64,
    /// The known ratings of the players.
    pub ratings: Ratings,
    /// When the last of the games was played.
    pub last: Timestamp,
}

/// The position index of finished games.
#[async_trait]
pub trait Positions {
    /// The moves played in a position with this [key](chess::Position::key), the most frequent
    /// first, in the newest ten thousand games: all, or those of a user, of a source, or of both.
    async fn continuations(
        &self,
        key: u64,
        user: Option<UserId>,
        source: Option<Source>,
    ) -> Result<Vec<Continuation>>;

    /// Indexes the positions and the opening of a finished game again.
    async fn index_game(&self, id: &GameId) -> Result<()>;
}

#[async_trait]
impl Positions for Database {
    async fn continuations(
        &self,
        key: u64,
        user: Option<UserId>,
        source: Option<Source>,
    ) -> Result<Vec<Continuation>> {
        let position = key.cast_signed();
        let source = source.map_or("", Source::as_str);
        let Some(user) = user else {
            return tally(self, query(THROUGH).bind(position).bind(MOST_GAMES).bind(source)).await;
        };
        let older = older_than_candidates(self, key).await?;
        let own = query(OWN_AMONG_NEWEST).bind(position).bind(older.unwrap_or(0)).bind(user.0);
        let found = tally(self, own.bind(MOST_GAMES).bind(source)).await?;
        let games: u64 = found.iter().map(|known| known.games).sum();
        if older.is_none() || games >= MOST_GAMES.unsigned_abs() {
            return Ok(found);
        }
        let newest = query(NEWEST_OF_OWN).bind(user.0).bind(position).bind(MOST_GAMES);
        tally(self, newest.bind(source)).await
    }

    async fn index_game(&self, id: &GameId) -> Result<()> {
        let mut transaction = self.begin().await?;
        let game = games::load(self, &mut transaction, id).await?;
        if game.end.is_some() {
            index(self, &mut transaction, &game).await?;
        }
        Ok(transaction.commit().await?)
    }
}

/// Counts moves and results in the games of a clause that begins with `FROM`; `p` is its position in each, `g` the game.
macro_rules! counts {
    ($games:literal) => {
        concat!(
            "SELECT bits, result, count(*) AS games, \
            max(played_at) AS last, CAST(sum(elos) AS BIGINT) AS elos, \
            CAST(sum(rated) AS BIGINT) AS rated FROM (\
            SELECT substr(g.moves, CAST(p.ply * 2 + 1 AS INTEGER), 2) AS bits, g.result AS result, \
            g.played_at AS played_at, COALESCE(g.white_elo, 0) + COALESCE(g.black_elo, 0) AS elos, \
            CASE WHEN g.white_elo IS NULL THEN 0 ELSE 1 END \
            + CASE WHEN g.black_elo IS NULL THEN 0 ELSE 1 END AS rated ",
            $games,
            ") AS newest GROUP BY bits, result"
        )
    };
}

/// Moves and results in the newest games with a position. An empty source stands for
/// all: PostgreSQL can't tell the type of a null.
const THROUGH: &str = counts!(
    "FROM positions p JOIN games g ON g.number = p.game WHERE p.key = $1 \
    AND ($3 = '' OR g.source = $3) ORDER BY p.game DESC LIMIT $2"
);

/// The same for a user's games, among those with the position that are newer than a given game.
const OWN_AMONG_NEWEST: &str = counts!(
    "FROM positions p JOIN games g ON g.number = p.game WHERE p.key = $1 AND p.game > $2 \
    AND (g.owner = $3 AND g.owner_left = 0 OR g.white_user = $3 AND g.white_left = 0 \
    OR g.black_user = $3 AND g.black_left = 0) AND ($5 = '' OR g.source = $5) \
    ORDER BY p.game DESC LIMIT $4"
);

/// The same for a user's newest games with a position. It scans three times, each time along its
/// own index; `UNION` removes duplicates. `CROSS` and the unary plus keep SQLite from scanning all
/// games with the position.
const NEWEST_OF_OWN: &str = counts!(
    "FROM (\
    SELECT game, ply, played_at FROM (SELECT g.number AS game, p.ply, g.played_at \
    FROM games g CROSS JOIN positions p WHERE g.owner = $1 AND g.owner_left = 0 \
    AND p.key = $2 AND p.game = +g.number AND ($4 = '' OR g.source = $4) \
    ORDER BY g.played_at DESC, g.number DESC LIMIT $3) AS owned \
    UNION SELECT game, ply, played_at FROM (SELECT g.number AS game, p.ply, g.played_at \
    FROM games g CROSS JOIN positions p WHERE g.white_user = $1 AND g.white_left = 0 \
    AND p.key = $2 AND p.game = +g.number AND ($4 = '' OR g.source = $4) \
    ORDER BY g.played_at DESC, g.number DESC LIMIT $3) AS with_white \
    UNION SELECT game, ply, played_at FROM (SELECT g.number AS game, p.ply, g.played_at \
    FROM games g CROSS JOIN positions p WHERE g.black_user = $1 AND g.black_left = 0 \
    AND p.key = $2 AND p.game = +g.number AND ($4 = '' OR g.source = $4) \
    ORDER BY g.played_at DESC, g.number DESC LIMIT $3) AS with_black\
    ) AS p JOIN games g ON g.number = p.game ORDER BY p.played_at DESC, p.game DESC LIMIT $3"
);

row! {
    read CountRow {
        /// After the last move, SQLite returns null and PostgreSQL an empty blob.
        bits: Option<Vec<u8>>,
        result: String,
        games: i64,
        last: i64,
        /// The sum of the known ratings, and their number.
        elos: i64,
        rated: i64,
    }
}

impl Continuation {
    /// A move that no game has counted for yet.
    const fn new(m: Option<Move>) -> Self {
        let last = Timestamp(i64::MIN);
        let ratings = Ratings { sum: 0, count: 0 };
        Self { m, games: 0, white_wins: 0, draws: 0, black_wins: 0, ratings, last }
    }
}

/// The newest game with a position that is not among the candidates; none if all are.
async fn older_than_candidates(database: &Database, key: u64) -> Result<Option<i64>> {
    let select =
        query("SELECT game FROM positions WHERE key = $1 ORDER BY game DESC LIMIT 1 OFFSET $2");
    let select = select.bind(key.cast_signed()).bind(CANDIDATES);
    let row = select.fetch_optional(&database.readers).await?;
    Ok(row.map(|row| row.try_get(0)).transpose()?)
}

/// Sums up the counts by move and result.
async fn tally(
    database: &Database,
    counted: Query<'_, Any, AnyArguments>,
) -> Result<Vec<Continuation>> {
    let rows = counted.fetch_all(&database.readers).await?;
    let mut found: Vec<Continuation> = Vec::new();
    for row in &rows {
        let CountRow { bits, result, games, last, elos, rated } = CountRow::read(row)?;
        let m = unpack_moves(&bits.unwrap_or_default())?.first().copied();
        let games = games.unsigned_abs();
        let at = found.iter().position(|known| known.m == m).unwrap_or_else(|| {
            found.push(Continuation::new(m));
            found.len() - 1
        });
        let known = &mut found[at];
        known.games += games;
        known.last = known.last.max(Timestamp(last));
        known.ratings += Ratings { sum: elos.unsigned_abs(), count: rated.unsigned_abs() };
        match result.parse()? {
            GameResult::WhiteWins => known.white_wins += games,
            GameResult::Draw => known.draws += games,
            GameResult::BlackWins => known.black_wins += games,
            GameResult::Unknown => {}
        }
    }
    found.sort_by_key(|known| (std::cmp::Reverse(known.games), known.m));
    Ok(found)
}

/// A position and its first occurrence in a game.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Stand {
    pub key: i64,
    pub ply: i64,
}

/// The distinct positions of a game.
pub(crate) fn stands(line: &Line) -> Vec<Stand> {
    let keys = line.positions().map(|position| position.key().cast_signed());
    let mut stands: Vec<Stand> = keys.zip(0..).map(|(key, ply)| Stand { key, ply }).collect();
    stands.sort_by_key(|stand| (stand.key, stand.ply));
    stands.dedup_by_key(|stand| stand.key);
    stands
}

row! {
    new PositionRow {
        key: i64,
        game: i64,
        ply: i64,
    }
}

/// Indexes positions of games, given by number.
pub(crate) async fn insert(
    database: &Database,
    connection: &mut TimedConnection,
    mut stands: Vec<(i64, Stand)>,
) -> Result<()> {
    // In the order of the table, so that each of its pages is written once.
    stands.sort_unstable_by_key(|(game, stand)| (stand.key, *game));
    let most = Dialect::MOST_VALUES / PositionRow::COLUMNS.len();
    for stands in stands.chunks(most) {
        let mut statement = database.statement("INSERT INTO positions");
        let row = |&(game, Stand { key, ply }): &(i64, Stand)| PositionRow { key, game, ply };
        statement.values(stands.iter().map(row));
        statement.push(" ON CONFLICT DO NOTHING");
        statement.bulk(stands.len() == most).execute(&mut *connection).await?;
    }
    Ok(())
}

/// Indexes the positions and the opening of a game.
pub(crate) async fn index(
    database: &Database,
    connection: &mut TimedConnection,
    game: &StoredGame,
) -> Result<()> {
    let line = game.to_line()?;
    let opening = database.openings.find(&line);
    query("UPDATE games SET eco = $1, opening = $2, opening_folded = $3 WHERE number = $4")
        .bind(opening.map(|opening| opening.eco))
        .bind(opening.map(|opening| opening.name))
        .bind(opening.map(|opening| folded(opening.name)))
        .bind(game.number)
        .execute(&mut *connection)
        .await?;
    let stands = stands(&line).into_iter().map(|stand| (game.number, stand)).collect();
    insert(database, connection, stands).await
}

/// Removes the positions of a game that will be deleted.
pub(crate) async fn remove(
    database: &Database,
    connection: &mut TimedConnection,
    game: &StoredGame,
) -> Result<()> {
    let Ok(line) = game.to_line() else {
        // The moves are damaged, so the keys are unknown: scan the whole table.
        let delete = query("DELETE FROM positions WHERE game = $1").bind(game.number);
        delete.execute(connection).await?;
        return Ok(());
    };
    for stands in stands(&line).chunks(Dialect::MOST_VALUES / 2) {
        let mut statement = database.statement("DELETE FROM positions WHERE game = ? AND key IN ");
        statement.bind(game.number).list(stands.iter().map(|stand| stand.key));
        statement.query().execute(&mut *connection).await?;
    }
    Ok(())
}
