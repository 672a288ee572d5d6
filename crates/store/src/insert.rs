//! Writes whole games.

use chess::Color;
use game::{Openings, Source, Tags};
use sha2::{Digest, Sha256};
use sqlx::Row;

use crate::database::{Database, query};
use crate::dialect::Dialect;
use crate::ending::{self, EndColumns};
use crate::error::{Result, StoreError};
use crate::new_game::Origin;
use crate::packing::{pack_clocks, pack_moves};
use crate::player::folded;
use crate::positions::{self, Stand};
use crate::statement::{Row as _, row};
use crate::stored_game::write_tags;
use crate::transaction::TimedConnection;
use crate::{GameId, NewGame, Player, Rated, Timestamp, Version};

/// A game prepared for insertion.
pub(crate) struct Ready {
    pub id: GameId,
    pub game: NewGame,
    start: Option<String>,
    pub moves: Vec<u8>,
    plies: i64,
    opening: Option<game::Opening>,
    content: Option<Vec<u8>>,
    /// Its positions, if it is over.
    stands: Vec<Stand>,
}

row! {
    /// The row of a new game.
    new NewGameRow<'a> {
        id: &'a str,
        version: i64,
        source: &'static str,
        status: &'static str,
        visibility: &'static str,
        rules: &'static str,
        start: Option<&'a str>,
        owner: Option<i64>,
        white_user: Option<i64>,
        white_name: String,
        white_folded: String,
        white_level: Option<i64>,
        white_elo: Option<i64>,
        black_user: Option<i64>,
        black_name: String,
        black_folded: String,
        black_level: Option<i64>,
        black_elo: Option<i64>,
        time_control: Option<String>,
        speed: Option<&'static str>,
        created: i64,
        updated: i64,
        played_at: i64,
        clock_running_since: Option<i64>,
        result: &'static str,
        outcome: Option<&'static str>,
        eco: Option<&'static str>,
        opening: Option<&'static str>,
        opening_folded: Option<String>,
        plies: i64,
        content: Option<&'a [u8]>,
        moves: &'a [u8],
        clocks: Vec<u8>,
        white_seat: Option<&'a [u8]>,
        black_seat: Option<&'a [u8]>,
        open_seat: Option<&'static str>,
        rated: &'static str,
        tags: Option<String>,
        annotated: Option<&'a str>,
    }
}

/// Inserts one game.
pub(crate) async fn create(database: &Database, game: NewGame) -> Result<GameId> {
    let ready = Ready::new(game, &database.openings)?;
    let mut transaction = database.begin().await?;
    let id = insert_one(database, &mut transaction, ready).await?;
    transaction.commit().await?;
    Ok(id)
}

/// Inserts the rematch of a game, unless it has one: then returns that one.
pub(crate) async fn create_rematch(
    database: &Database,
    over: &GameId,
    game: NewGame,
) -> Result<GameId> {
    let ready = Ready::new(game, &database.openings)?;
    let mut transaction = database.begin().await?;
    // Claim the rematch first: concurrent calls wait for this row and then find it set.
    let claim = query("UPDATE games SET rematch = $1 WHERE id = $2 AND rematch IS NULL");
    let claim = claim.bind(ready.id.to_string()).bind(over.to_string());
    if claim.execute(&mut *transaction).await?.rows_affected() == 0 {
        let known = query("SELECT rematch FROM games WHERE id = $1").bind(over.to_string());
        let known = known.fetch_optional(&mut *transaction).await?;
        let known: String = known.ok_or(StoreError::NotFound("game"))?.try_get(0)?;
        return known
            .parse()
            .map_err(|_| StoreError::damaged(format!("invalid rematch id `{known}`")));
    }
    let id = insert_one(database, &mut transaction, ready).await?;
    transaction.commit().await?;
    Ok(id)
}

async fn insert_one(
    database: &Database,
    connection: &mut TimedConnection,
    game: Ready,
) -> Result<GameId> {
    let game = [game];
    if insert(database, connection, &game, Timestamp::now()).await? == 0 {
        return Err(StoreError::Refused { what: "game", why: "already exists" });
    }
    let [game] = game;
    Ok(game.id)
}

/// Inserts games and their positions, and returns the number of new ones.
pub(crate) async fn insert(
    database: &Database,
    connection: &mut TimedConnection,
    games: &[Ready],
    now: Timestamp,
) -> Result<u64> {
    let mut stands = Vec::new();
    let mut kept = 0;
    let most = Dialect::MOST_VALUES / NewGameRow::COLUMNS.len();
    for games in games.chunks(most) {
        let mut statement = database.statement("INSERT INTO games");
        statement.values(games.iter().map(|ready| ready.row(now)));
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
    pub fn new(mut game: NewGame, openings: &Openings) -> Result<Self> {
        game.check()?;
        // Drop the line early: thousands of games are held at a time, and a line holds a position
        // for each move.
        let line = std::mem::take(&mut game.line);
        let start = line.start();
        let standard = *start == chess::Position::default();
        let mut ready = Self {
            id: game.id.take().unwrap_or_else(GameId::random),
            start: (!standard).then(|| start.to_string()),
            moves: pack_moves(line.moves()),
            plies: line.len() as i64,
            opening: openings.find(&line),
            content: None,
            stands: if game.end.is_none() { Vec::new() } else { positions::stands(&line) },
            game,
        };
        if let Origin::Imported { tags, annotated } = &ready.game.origin {
            ready.content = Some(ready.content(tags, annotated.as_deref().unwrap_or_default()));
        }
        Ok(ready)
    }

    /// What identifies duplicates: players, event, round, date, result, start, and moves with their
    /// annotations.
    fn content(&self, tags: &Tags, annotated: &str) -> Vec<u8> {
        let tag = |name| tags.get(name).unwrap_or_default();
        let mut hash = Sha256::new();
        for text in [
            &*self.game.white.name(),
            &*self.game.black.name(),
            tag("Event"),
            tag("Round"),
            tag("Date"),
            ending::result(self.game.end).as_str(),
            self.start.as_deref().unwrap_or_default(),
            annotated,
        ] {
            hash.update((text.len() as u64).to_le_bytes());
            hash.update(text);
        }
        hash.update(&self.moves);
        hash.finalize()[..16].to_vec()
    }

    /// Its row, with the current time.
    fn row(&self, now: Timestamp) -> NewGameRow<'_> {
        let game = &self.game;
        let EndColumns { status, result, outcome } = game.end.into();
        let (source, tags, annotated) = match &game.origin {
            Origin::Played { tags } => {
                let some = tags.iter().next().is_some();
                (Source::Played, some.then(|| write_tags(tags)), None)
            }
            Origin::Imported { tags, annotated } => {
                (Source::Imported, Some(write_tags(tags)), annotated.as_deref())
            }
        };
        let (mut white, mut black) =
            (PlayerColumns::new(&game.white), PlayerColumns::new(&game.black));
        if let Origin::Imported { tags, .. } = &game.origin {
            white.elo = rating(tags.get("WhiteElo"));
            black.elo = rating(tags.get("BlackElo"));
        }
        let rated = if game.rated { Rated::Due } else { Rated::No };
        NewGameRow {
            id: self.id.as_str(),
            version: Version::FIRST.0,
            source: source.as_str(),
            status,
            visibility: game.visibility.as_str(),
            rules: game.variant.as_str(),
            start: self.start.as_deref(),
            owner: game.owner.map(|owner| owner.0),
            white_user: white.user,
            white_name: white.name,
            white_folded: white.folded,
            white_level: white.level,
            white_elo: white.elo,
            black_user: black.user,
            black_name: black.name,
            black_folded: black.folded,
            black_level: black.level,
            black_elo: black.elo,
            time_control: game.time_control.as_ref().map(ToString::to_string),
            speed: game.time_control.as_ref().map(|control| control.speed().as_str()),
            created: now.0,
            updated: now.0,
            played_at: game.played_at.unwrap_or(now).0,
            clock_running_since: game.clock_running_since.map(|since| since.0),
            result,
            outcome,
            eco: self.opening.map(|opening| opening.eco),
            opening: self.opening.map(|opening| opening.name),
            opening_folded: self.opening.map(|opening| folded(opening.name)),
            plies: self.plies,
            content: self.content.as_deref(),
            moves: &self.moves,
            clocks: pack_clocks(&game.clocks),
            white_seat: game.seats.white.as_ref().map(|hash| &*hash.0),
            black_seat: game.seats.black.as_ref().map(|hash| &*hash.0),
            open_seat: game.seats.open.map(Color::as_str),
            rated: rated.as_str(),
            tags,
            annotated,
        }
    }
}

/// The rating in a tag.
fn rating(tag: Option<&str>) -> Option<i64> {
    tag?.trim().parse().ok().filter(|rating| (1..10_000).contains(rating))
}

/// The columns of one player.
struct PlayerColumns {
    user: Option<i64>,
    name: String,
    folded: String,
    level: Option<i64>,
    elo: Option<i64>,
}

impl PlayerColumns {
    fn new(player: &Player) -> Self {
        let name = player.name().trim().to_owned();
        let (level, elo) = match player {
            Player::Engine { level, rating } => (Some(level.number()), Some(*rating)),
            _ => (None, None),
        };
        Self {
            user: player.user().map(|user| user.0),
            folded: folded(&name),
            name,
            level: level.map(i64::from),
            elo: elo.map(i64::from),
        }
    }
}
