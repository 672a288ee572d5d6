//! Writing whole games: one that begins, or a file of them.

use game::{Openings, Source};
use sha2::{Digest, Sha256};
use sqlx::{AnyConnection, Row};

use crate::database::{Database, query};
use crate::dialect::Dialect;
use crate::ending::{self, EndColumns};
use crate::error::{Result, StoreError};
use crate::new_game::Origin;
use crate::packing::{pack_clocks, pack_moves};
use crate::player::folded;
use crate::positions::{self, Stand};
use crate::statement::Statement;
use crate::stored_game::write_tags;
use crate::{GameId, NewGame, Player, Rated, Seats, Timestamp, Version};

/// How many games of an import are written in one transaction. Their positions are spread all over
/// the index, so that each transaction writes most of its pages: with 2,000 games at a time an import
/// of 100,000 takes two and a half times as long as with 10,000. But whoever plays meanwhile waits.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Pace {
    /// All that the database can take: nobody plays, or they can wait for some seconds.
    Fast,
    /// In small steps, between which moves are played.
    Gentle,
}

impl Pace {
    const fn batch(self) -> usize {
        match self {
            Self::Fast => 10_000,
            Self::Gentle => 500,
        }
    }
}

/// Games after which the database should look anew at what it holds.
const MANY: u64 = 1000;

/// What became of the games of an import.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Imported {
    /// Games that are kept now.
    pub kept: u64,
    /// Games that their owner had already.
    pub doubled: u64,
    /// Games that can't be kept, such as one of more than [`MOST_PLIES`](crate::MOST_PLIES).
    pub refused: u64,
}

/// A game made ready for its row.
struct Ready {
    id: GameId,
    game: NewGame,
    start: Option<String>,
    moves: Vec<u8>,
    plies: i64,
    opening: Option<game::Opening>,
    content: Option<Vec<u8>>,
    /// Where its positions stand, if it is over.
    stands: Vec<Stand>,
}

/// The columns of a row, in the order in which `bind_game` binds them.
const INSERT: &str = "INSERT INTO games (id, version, source, status, visibility, rules, start, \
    owner, white_user, white_name, white_folded, white_level, white_elo, black_user, black_name, \
    black_folded, black_level, black_elo, time_control, speed, created, updated, played_at, \
    clock_running_since, result, outcome, eco, opening, opening_folded, plies, content, moves, clocks, \
    white_seat, black_seat, open_seat, rated, tags, annotated) VALUES ";
const INSERTED: usize = 39;

/// Keeps one game.
pub(crate) async fn create(database: &Database, game: NewGame) -> Result<GameId> {
    let ready = Ready::new(game, &database.openings)?;
    let mut transaction = database.begin().await?;
    let id = insert_one(database, &mut transaction, ready).await?;
    transaction.commit().await?;
    Ok(id)
}

/// Keeps the rematch of a game, unless it has one: then that one is returned.
pub(crate) async fn create_rematch(
    database: &Database,
    over: &GameId,
    game: NewGame,
) -> Result<GameId> {
    let ready = Ready::new(game, &database.openings)?;
    let mut transaction = database.begin().await?;
    // The claim comes first: whoever else claims waits for it, and then finds it noted.
    let claim = query("UPDATE games SET rematch = $1 WHERE id = $2 AND rematch IS NULL");
    let claim = claim.bind(ready.id.to_string()).bind(over.to_string());
    if claim.execute(&mut *transaction).await?.rows_affected() == 0 {
        let known = query("SELECT rematch FROM games WHERE id = $1").bind(over.to_string());
        let known = known.fetch_optional(&mut *transaction).await?;
        let known: String = known.ok_or(StoreError::NotFound("game"))?.try_get(0)?;
        return known.parse().map_err(|_| StoreError::damaged(format!("a rematch is `{known}`")));
    }
    let id = insert_one(database, &mut transaction, ready).await?;
    transaction.commit().await?;
    Ok(id)
}

/// Keeps many games.
pub(crate) async fn import(
    database: &Database,
    games: &mut (dyn Iterator<Item = NewGame> + Send),
    pace: Pace,
) -> Result<Imported> {
    let mut done = Imported::default();
    loop {
        let mut asked = 0;
        let mut batch = Vec::new();
        for game in games.take(pace.batch()) {
            asked += 1;
            match Ready::new(game, &database.openings) {
                Ok(ready) => batch.push(ready),
                Err(StoreError::Refused { .. }) => done.refused += 1,
                Err(error) => return Err(error),
            }
        }
        if asked == 0 {
            break;
        }
        let mut transaction = database.begin().await?;
        let kept = insert(database, &mut transaction, &batch, Timestamp::now()).await?;
        transaction.commit().await?;
        done.kept += kept;
        done.doubled += batch.len() as u64 - kept;
    }
    if let Some(sql) = database.dialect.after_import()
        && done.kept >= MANY
    {
        query(sql).execute(&database.writer).await?;
    }
    Ok(done)
}

async fn insert_one(
    database: &Database,
    connection: &mut AnyConnection,
    game: Ready,
) -> Result<GameId> {
    let game = [game];
    if insert(database, connection, &game, Timestamp::now()).await? == 0 {
        return Err(StoreError::Refused { what: "game", why: "is there already" });
    }
    let [game] = game;
    Ok(game.id)
}

/// Writes the rows of games and their positions, and says how many of them are new.
async fn insert(
    database: &Database,
    connection: &mut AnyConnection,
    games: &[Ready],
    now: Timestamp,
) -> Result<u64> {
    let mut stands = Vec::new();
    let mut kept = 0;
    let most = Dialect::MOST_VALUES / INSERTED;
    for games in games.chunks(most) {
        let mut statement = database.statement(INSERT);
        statement.rows(games, |statement, ready| bind_game(statement, ready, now));
        statement.push(" ON CONFLICT DO NOTHING RETURNING id, number");
        let rows = statement.bulk(games.len() == most).fetch_all(&mut *connection).await;
        let rows = rows.map_err(|error| StoreError::or_missing(error, "user"))?;
        kept += rows.len() as u64;
        let mut numbers = rows
            .iter()
            .map(|row| Ok((row.try_get("id")?, row.try_get("number")?)))
            .collect::<Result<Vec<(&str, i64)>>>()?;
        numbers.sort_unstable();
        for ready in games {
            if let Ok(at) = numbers.binary_search_by_key(&ready.id.as_str(), |(id, _)| id) {
                let number = numbers[at].1;
                stands.extend(ready.stands.iter().map(|&stand| (number, stand)));
            }
        }
    }
    positions::insert(database, connection, stands).await?;
    Ok(kept)
}

impl Ready {
    fn new(mut game: NewGame, openings: &Openings) -> Result<Self> {
        game.check()?;
        // Thousands are held at a time, and a line holds a position for each of its moves.
        let line = std::mem::take(&mut game.line);
        let start = line.start();
        let standard = *start == chess::Position::default();
        let mut ready = Self {
            id: GameId::random(),
            start: (!standard).then(|| start.to_string()),
            moves: pack_moves(line.moves()),
            plies: line.len() as i64,
            opening: openings.find(&line),
            content: None,
            stands: if game.end.is_none() { Vec::new() } else { positions::stands(&line) },
            game,
        };
        if let Origin::Imported { tags, .. } = &ready.game.origin {
            ready.content = Some(ready.content(tags.get("Date").unwrap_or_default()));
        }
        Ok(ready)
    }

    /// What makes two games the same: players, date, result, start and moves.
    fn content(&self, date: &str) -> Vec<u8> {
        let mut hash = Sha256::new();
        for text in [
            &*self.game.white.name(),
            &*self.game.black.name(),
            date,
            ending::result(self.game.end).as_str(),
            self.start.as_deref().unwrap_or_default(),
        ] {
            hash.update((text.len() as u64).to_le_bytes());
            hash.update(text);
        }
        hash.update(&self.moves);
        hash.finalize()[..16].to_vec()
    }
}

fn bind_game(statement: &mut Statement, ready: &Ready, now: Timestamp) {
    let game = &ready.game;
    let source = match game.origin {
        Origin::Played => Source::Played,
        Origin::Imported { .. } => Source::Imported,
    };
    let speed = game.time_control.as_ref().map(game::TimeControl::speed);
    statement.bind(ready.id.as_str()).and(Version::FIRST.0).and(source.as_str());
    let EndColumns { status, result, outcome } = game.end.into();
    statement.and(status).and(game.visibility.as_str()).and(game.variant.as_str());
    statement.and(ready.start.as_deref()).and(game.owner.map(|owner| owner.0));
    bind_player(statement, &game.white);
    bind_player(statement, &game.black);
    statement
        .and(game.time_control.as_ref().map(ToString::to_string))
        .and(speed.map(game::Speed::as_str));
    statement.and(now.0).and(now.0).and(game.played_at.unwrap_or(now).0);
    statement.and(game.clock_running_since.map(|since| since.0));
    statement.and(result).and(outcome);
    statement.and(ready.opening.map(|opening| opening.eco));
    statement.and(ready.opening.map(|opening| opening.name));
    statement.and(ready.opening.map(|opening| folded(opening.name)));
    statement.and(ready.plies).and(ready.content.as_deref()).and(&ready.moves[..]);
    statement.and(pack_clocks(&game.clocks));
    let Seats { white, black, open } = &game.seats;
    for seat in [white, black] {
        statement.and(seat.as_ref().map(|hash| hash.0.clone()));
    }
    let rated = if game.rated { Rated::Due } else { Rated::No };
    statement.and(open.map(chess::Color::as_str)).and(rated.as_str());
    match &game.origin {
        Origin::Played => statement.and(None::<String>).and(None::<String>),
        Origin::Imported { tags, annotated } => {
            statement.and(write_tags(tags)).and(annotated.as_deref())
        }
    };
}

fn bind_player(statement: &mut Statement, player: &Player) {
    let name = player.name().trim().to_owned();
    let (level, elo) = match player {
        Player::Engine { level, rating } => {
            (Some(i64::from(level.number())), Some(i64::from(*rating)))
        }
        _ => (None, None),
    };
    statement.and(player.user().map(|user| user.0));
    statement.and(&*name).and(folded(&name)).and(level).and(elo);
}
