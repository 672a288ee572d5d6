//! A game as it was read from the database: its row, with words and bytes made types again.

use std::time::Duration;

use chess::{Move, Position};
use game::live::{End, Offer};
use game::{Level, Source, Tags, TimeControl, Variant, Visibility};
use sqlx::Row;
use sqlx::any::AnyRow;

use crate::ending::read_end;
use crate::error::{Result, StoreError};
use crate::packing::{unpack_clocks, unpack_moves};
use crate::random::base62;
use crate::{Player, Rated, Seats, Timestamp, UserId};

/// The public name of a game: letters and digits that nobody can guess.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GameId(String);

impl GameId {
    /// 14 digits are 83 bits.
    const LEN: usize = 14;

    pub(crate) fn random() -> Self {
        Self(base62(Self::LEN))
    }

    /// As text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Display for GameId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// The text can't be the name of a game.
#[derive(Copy, Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not the name of a game")]
pub struct ParseGameIdError;

impl std::str::FromStr for GameId {
    type Err = ParseGameIdError;

    fn from_str(text: &str) -> std::result::Result<Self, ParseGameIdError> {
        let fits = text.len() == Self::LEN && text.bytes().all(|c| c.is_ascii_alphanumeric());
        if fits { Ok(Self(text.to_owned())) } else { Err(ParseGameIdError) }
    }
}

/// How often a game has been written; each write names the one it was meant for.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version(pub i64);

impl Version {
    /// That of a game that has just been created.
    pub const FIRST: Self = Self(1);
}

/// A named opening.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct OpeningName {
    /// The code of the Encyclopaedia of Chess Openings.
    pub eco: String,
    /// The name.
    pub name: String,
}

/// A game as it is kept. Its moves are not played yet: [`to_game`](Self::to_game) does it.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredGame {
    pub(crate) number: i64,
    /// Its public name.
    pub id: GameId,
    /// How often it has been written.
    pub version: Version,
    /// Where it comes from.
    pub source: Source,
    /// The end, if it is over.
    pub end: Option<End>,
    /// Who may see it.
    pub visibility: Visibility,
    /// The variant.
    pub variant: Variant,
    /// The position before the first move.
    pub start: Position,
    /// Whose game it is, besides the players'.
    pub owner: Option<UserId>,
    /// Who plays White.
    pub white: Player,
    /// Who plays Black.
    pub black: Player,
    /// The time control, if there are clocks.
    pub time_control: Option<TimeControl>,
    /// When it was written first.
    pub created: Timestamp,
    /// When it was written last.
    pub updated: Timestamp,
    /// When it was played.
    pub played_at: Timestamp,
    /// Since when the clock of the side to move runs.
    pub clock_running_since: Option<Timestamp>,
    /// How long the side to move had thought when the game ended by something else than a move.
    pub last_thought: Option<Duration>,
    /// The opening, once the game is over.
    pub opening: Option<OpeningName>,
    /// What has been offered.
    pub offer: Option<Offer>,
    /// Who may move besides the users who play.
    pub seats: Seats,
    /// Whether it counts for the ratings of its players.
    pub rated: Rated,
    /// The game that was begun as its rematch.
    pub rematch: Option<GameId>,
    /// The moves.
    pub moves: Vec<Move>,
    /// Milliseconds that the mover had left after each move; empty without clocks.
    pub clocks: Vec<u32>,
    /// The tags of an imported game.
    pub tags: Option<Tags>,
    /// The moves of an imported game as PGN, if something is said about them.
    pub annotated: Option<String>,
}

/// What a row of `games g` must be asked for.
pub(crate) const COLUMNS: &str = "g.number, g.id, g.version, g.source, g.status, g.visibility, \
    g.rules, g.start, g.owner, g.white_user, g.white_name, g.white_level, g.white_elo, \
    g.black_user, g.black_name, g.black_level, g.black_elo, g.time_control, g.created, \
    g.updated, g.played_at, g.clock_running_since, g.last_thought, g.result, g.outcome, g.eco, \
    g.opening, g.offer, g.white_seat, g.black_seat, g.open_seat, g.rated, g.rematch, g.moves, g.clocks, g.tags, g.annotated";

impl StoredGame {
    pub(crate) fn from_row(row: &AnyRow) -> Result<Self> {
        let id = GameId(row.try_get("id")?);
        Self::read(row, id.clone()).map_err(|error| match error {
            StoreError::Damaged { what } => StoreError::damaged(format!("game {id}: {what}")),
            other => other,
        })
    }

    fn read(row: &AnyRow, id: GameId) -> Result<Self> {
        let start: Option<String> = row.try_get("start")?;
        let control: Option<String> = row.try_get("time_control")?;
        let tags: Option<String> = row.try_get("tags")?;
        let offer: Option<String> = row.try_get("offer")?;
        Ok(Self {
            number: row.try_get("number")?,
            id,
            version: Version(row.try_get("version")?),
            source: row.try_get::<&str, _>("source")?.parse()?,
            end: read_row_end(row)?,
            visibility: row.try_get::<&str, _>("visibility")?.parse()?,
            variant: row.try_get::<&str, _>("rules")?.parse()?,
            start: match start {
                None => Position::default(),
                Some(fen) => {
                    fen.parse().map_err(|error| StoreError::damaged(format!("{fen}: {error}")))?
                }
            },
            owner: read_id(row, "owner")?,
            white: read_player(row, ["white_user", "white_name", "white_level", "white_elo"])?,
            black: read_player(row, ["black_user", "black_name", "black_level", "black_elo"])?,
            time_control: control
                .map(|text| text.parse())
                .transpose()
                .map_err(|error| StoreError::damaged(format!("{error}")))?,
            created: Timestamp(row.try_get("created")?),
            updated: Timestamp(row.try_get("updated")?),
            played_at: Timestamp(row.try_get("played_at")?),
            clock_running_since: row
                .try_get::<Option<i64>, _>("clock_running_since")?
                .map(Timestamp),
            last_thought: row
                .try_get::<Option<i64>, _>("last_thought")?
                .map(|milliseconds| Duration::from_millis(milliseconds.unsigned_abs())),
            opening: read_opening(row)?,
            offer: offer.as_deref().map(str::parse).transpose()?,
            seats: Seats::read(row)?,
            rated: row.try_get::<&str, _>("rated")?.parse()?,
            rematch: row.try_get::<Option<String>, _>("rematch")?.map(GameId),
            moves: unpack_moves(row.try_get("moves")?)?,
            clocks: unpack_clocks(row.try_get("clocks")?)?,
            tags: tags.as_deref().map(read_tags).transpose()?,
            annotated: row.try_get("annotated")?,
        })
    }
}

pub(crate) fn read_row_end(row: &AnyRow) -> Result<Option<End>> {
    let reason: Option<String> = row.try_get("outcome")?;
    read_end(row.try_get("status")?, row.try_get("result")?, reason.as_deref())
}

pub(crate) fn read_id(row: &AnyRow, column: &str) -> Result<Option<UserId>> {
    Ok(row.try_get::<Option<i64>, _>(column)?.map(UserId))
}

pub(crate) fn read_opening(row: &AnyRow) -> Result<Option<OpeningName>> {
    let eco: Option<String> = row.try_get("eco")?;
    let name: Option<String> = row.try_get("opening")?;
    Ok(eco.zip(name).map(|(eco, name)| OpeningName { eco, name }))
}

pub(crate) fn read_player(row: &AnyRow, columns: [&str; 4]) -> Result<Player> {
    let [user, name, level, elo] = columns;
    let name: String = row.try_get(name)?;
    let level: Option<i64> = row.try_get(level)?;
    Ok(match (read_id(row, user)?, level) {
        (Some(id), _) => Player::User { id, name },
        (None, None) => Player::Guest { name },
        (None, Some(level)) => {
            let level = read_level(level)?;
            let rating = row.try_get::<Option<i64>, _>(elo)?.unwrap_or_default() as u32;
            Player::Engine { level, rating }
        }
    })
}

pub(crate) fn read_level(number: i64) -> Result<Level> {
    let level = u8::try_from(number).ok().and_then(Level::new);
    level.ok_or_else(|| StoreError::damaged(format!("there is no level {number}")))
}

fn read_tags(json: &str) -> Result<Tags> {
    let pairs: Vec<(String, String)> = serde_json::from_str(json)
        .map_err(|error| StoreError::damaged(format!("the tags: {error}")))?;
    let mut tags = Tags::default();
    for (name, value) in &pairs {
        tags.set(name, value);
    }
    Ok(tags)
}

/// Tags as JSON, in their order.
pub(crate) fn write_tags(tags: &Tags) -> String {
    let pairs: Vec<(&str, &str)> = tags.iter().collect();
    serde_json::to_string(&pairs).expect("texts can be written as JSON")
}
