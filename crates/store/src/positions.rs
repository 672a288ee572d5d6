//! Which games have been through a position, and what was played there.

use async_trait::async_trait;
use chess::{Line, Move};
use game::GameResult;
use sqlx::{AnyConnection, Row};

use crate::database::{Database, query};
use crate::dialect::Dialect;
use crate::error::Result;
use crate::games;
use crate::packing::unpack_moves;
use crate::player::folded;
use crate::statement::Statement;
use crate::{GameId, StoredGame, UserId};

/// How many games are looked at for what was played in a position.
const MOST_GAMES: i64 = 10_000;

/// Among so many of the newest games through a position those of a user are looked for. If there
/// are more, and not enough of them are the user's, the user's games are gone through instead.
const CANDIDATES: i64 = 20_000;

/// A move from a position, and how the games went in which it was played.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Continuation {
    /// The move; `None` counts the games that ended there.
    pub m: Option<Move>,
    /// How many games, those without a result included.
    pub games: u64,
    /// How many White won.
    pub white_wins: u64,
    /// How many nobody won.
    pub draws: u64,
    /// How many Black won.
    pub black_wins: u64,
}

/// Which games have been through a position, and what was played there. Finished games count.
#[async_trait]
pub trait Positions {
    /// What was played in a position of this [key](chess::Position::key), the most frequent first,
    /// in the newest ten thousand games, or in those of a user.
    async fn continuations(&self, key: u64, user: Option<UserId>) -> Result<Vec<Continuation>>;

    /// Enters the positions and the opening of a finished game once more.
    async fn index_game(&self, id: &GameId) -> Result<()>;
}

#[async_trait]
impl Positions for Database {
    async fn continuations(&self, key: u64, user: Option<UserId>) -> Result<Vec<Continuation>> {
        let Some(user) = user else { return tally(self, through(self, key)).await };
        let older = older_than_candidates(self, key).await?;
        let found = tally(self, own_among_newest(self, key, user, older)).await?;
        let games: u64 = found.iter().map(|known| known.games).sum();
        if older.is_none() || games >= MOST_GAMES.unsigned_abs() {
            return Ok(found);
        }
        tally(self, newest_of_own(self, key, user)).await
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

/// Counts moves and results of `games g`, which go through a position at `p.ply`.
const COUNT: &str = "SELECT bits, result, count(*) AS games FROM (\
    SELECT substr(g.moves, CAST(p.ply * 2 + 1 AS INTEGER), 2) AS bits, g.result AS result FROM ";
const COUNTED: &str = ") AS newest GROUP BY bits, result";

/// The newest games through a position.
fn through(database: &Database, key: u64) -> Statement {
    let mut statement = database.statement(COUNT);
    statement.push("positions p JOIN games g ON g.number = p.game WHERE p.key = ");
    statement.bind(key.cast_signed());
    statement.push(" ORDER BY p.game DESC LIMIT ").bind(MOST_GAMES).push(COUNTED);
    statement
}

/// The newest game through a position that is not among the candidates; none if all are.
async fn older_than_candidates(database: &Database, key: u64) -> Result<Option<i64>> {
    let select =
        query("SELECT game FROM positions WHERE key = $1 ORDER BY game DESC LIMIT 1 OFFSET $2");
    let select = select.bind(key.cast_signed()).bind(CANDIDATES);
    let row = select.fetch_optional(&database.readers).await?;
    Ok(row.map(|row| row.try_get(0)).transpose()?)
}

/// The games of a user among those through a position that are newer than one of them.
fn own_among_newest(database: &Database, key: u64, user: UserId, older: Option<i64>) -> Statement {
    let mut statement = database.statement(COUNT);
    statement.push("positions p JOIN games g ON g.number = p.game WHERE p.key = ");
    statement.bind(key.cast_signed()).push(" AND p.game > ").bind(older.unwrap_or(0));
    statement.push(" AND (g.owner = ").bind(user.0);
    statement.push(" OR g.white_user = ").bind(user.0);
    statement.push(" OR g.black_user = ").bind(user.0);
    statement.push(") ORDER BY p.game DESC LIMIT ").bind(MOST_GAMES).push(COUNTED);
    statement
}

/// The newest games of a user that go through a position.
fn newest_of_own(database: &Database, key: u64, user: UserId) -> Statement {
    let mut statement = database.statement(COUNT);
    // Three walks, each along its own index; `UNION` takes what two of them find once.
    statement.push("(");
    for (i, whose) in ["g.owner = ", "g.white_user = ", "g.black_user = "].into_iter().enumerate() {
        statement.push(if i == 0 { "" } else { " UNION " });
        // `CROSS` and the sign keep SQLite from going through the games of the position.
        statement.push(
            "SELECT game, ply, played_at FROM (SELECT g.number AS game, p.ply, g.played_at \
             FROM games g CROSS JOIN positions p WHERE ",
        );
        statement.push(whose).bind(user.0).push(" AND p.key = ").bind(key.cast_signed());
        statement.push(" AND p.game = +g.number ORDER BY g.played_at DESC, g.number DESC LIMIT ");
        statement.bind(MOST_GAMES).push(") AS leg");
    }
    statement.push(") AS p JOIN games g ON g.number = p.game");
    statement.push(" ORDER BY p.played_at DESC, p.game DESC LIMIT ").bind(MOST_GAMES);
    statement.push(COUNTED);
    statement
}

/// Adds up what was counted by move and result.
async fn tally(database: &Database, counted: Statement) -> Result<Vec<Continuation>> {
    let rows = counted.query().fetch_all(&database.readers).await?;
    let mut found: Vec<Continuation> = Vec::new();
    for row in &rows {
        // After the last move SQLite finds null, PostgreSQL no bytes.
        let bits: Option<Vec<u8>> = row.try_get("bits")?;
        let m = unpack_moves(&bits.unwrap_or_default())?.first().copied();
        let games = row.try_get::<i64, _>("games")?.unsigned_abs();
        let at = found.iter().position(|known| known.m == m).unwrap_or_else(|| {
            found.push(Continuation { m, games: 0, white_wins: 0, draws: 0, black_wins: 0 });
            found.len() - 1
        });
        found[at].games += games;
        match row.try_get::<&str, _>("result")?.parse()? {
            GameResult::WhiteWins => found[at].white_wins += games,
            GameResult::Draw => found[at].draws += games,
            GameResult::BlackWins => found[at].black_wins += games,
            GameResult::Unknown => {}
        }
    }
    found.sort_by_key(|known| (std::cmp::Reverse(known.games), known.m));
    Ok(found)
}

/// A position and where it stands in its game for the first time.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Stand {
    pub key: i64,
    pub ply: i64,
}

/// The positions of a game, each once.
pub(crate) fn stands(line: &Line) -> Vec<Stand> {
    let keys = line.positions().map(|position| position.key().cast_signed());
    let mut stands: Vec<Stand> = keys.zip(0..).map(|(key, ply)| Stand { key, ply }).collect();
    stands.sort_by_key(|stand| (stand.key, stand.ply));
    stands.dedup_by_key(|stand| stand.key);
    stands
}

/// Enters positions of games, given by number.
pub(crate) async fn insert(
    database: &Database,
    connection: &mut AnyConnection,
    mut stands: Vec<(i64, Stand)>,
) -> Result<()> {
    // In the order of the table, so that each of its pages is written once.
    stands.sort_unstable_by_key(|(game, stand)| (stand.key, *game));
    let most = Dialect::MOST_VALUES / 3;
    for stands in stands.chunks(most) {
        let mut statement = database.statement("INSERT INTO positions (key, game, ply) VALUES ");
        statement.rows(stands, |statement, (game, stand)| {
            statement.bind(stand.key).and(*game).and(stand.ply);
        });
        statement.push(" ON CONFLICT DO NOTHING");
        statement.bulk(stands.len() == most).execute(&mut *connection).await?;
    }
    Ok(())
}

/// Enters the positions and the opening of a game.
pub(crate) async fn index(
    database: &Database,
    connection: &mut AnyConnection,
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

/// Removes the positions of a game that is going to be deleted.
pub(crate) async fn remove(
    database: &Database,
    connection: &mut AnyConnection,
    game: &StoredGame,
) -> Result<()> {
    let Ok(line) = game.to_line() else {
        // Nobody knows its keys: look through the whole table.
        let delete = query("DELETE FROM positions WHERE game = $1").bind(game.number);
        delete.execute(connection).await?;
        return Ok(());
    };
    for stands in stands(&line).chunks(Dialect::MOST_VALUES / 2) {
        let mut statement = database.statement("DELETE FROM positions WHERE game = ");
        statement.bind(game.number).push(" AND key IN (");
        for (i, stand) in stands.iter().enumerate() {
            statement.push(if i == 0 { "" } else { ", " }).bind(stand.key);
        }
        statement.push(")");
        statement.query().execute(&mut *connection).await?;
    }
    Ok(())
}
