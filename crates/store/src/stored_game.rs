//! A game as read from the database: its row, with columns converted to types.

use std::time::Duration;

use chess::{FenError, Move, Position};
use game::live::{End, Offer};
use game::{Level, ParseTimeControlError, Source, Tags, TimeControl, Variant, Visibility};
use serde::{Deserialize, Serialize};
use sqlx::any::AnyRow;

use crate::ending::read_end;
use crate::error::{Result, StoreError};
use crate::packing::{unpack_clocks, unpack_moves};
use crate::random::base62;
use crate::statement::row;
use crate::{Left, Player, Rated, Seats, SecretHash, Timestamp, UserId};

/// The public id of a game: unguessable letters and digits.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct GameId(String);

impl GameId {
    /// The PGN tag of exported games, by which they are recognised when imported again.
    pub(crate) const TAG: &str = "GameId";

    /// 14 digits are 83 bits.
    const LEN: usize = 14;

    /// A new id.
    pub fn random() -> Self {
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

impl From<GameId> for String {
    fn from(id: GameId) -> Self {
        id.0
    }
}

impl TryFrom<String> for GameId {
    type Error = ParseGameIdError;

    fn try_from(text: String) -> std::result::Result<Self, ParseGameIdError> {
        text.parse()
    }
}

/// The text is not a game id.
#[derive(Copy, Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a game id")]
pub struct ParseGameIdError;

impl std::str::FromStr for GameId {
    type Err = ParseGameIdError;

    fn from_str(text: &str) -> std::result::Result<Self, ParseGameIdError> {
        let fits = text.len() == Self::LEN && text.bytes().all(|c| c.is_ascii_alphanumeric());
        if fits { Ok(Self(text.to_owned())) } else { Err(ParseGameIdError) }
    }
}

/// The number of writes to a game; each write names the version it expects.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version(pub i64);

impl Version {
    /// The version of a new game.
    pub const FIRST: Self = Self(1);
}

/// A named opening.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OpeningName {
    /// The ECO code.
    pub eco: String,
    /// The name.
    pub name: String,
}

/// A stored game. Its moves haven't been replayed yet: [`to_game`](Self::to_game) does that.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredGame {
    pub(crate) number: i64,
    /// Its public id.
    pub id: GameId,
    /// The number of writes.
    pub version: Version,
    /// The source of the game.
    pub source: Source,
    /// The end, if it is over.
    pub end: Option<End>,
    /// Who may see it.
    pub visibility: Visibility,
    /// The variant.
    pub variant: Variant,
    /// The position before the first move.
    pub start: Position,
    /// The owner, not necessarily a player.
    pub owner: Option<UserId>,
    /// The white player.
    pub white: Player,
    /// The black player.
    pub black: Player,
    /// The time control, if the game is timed.
    pub time_control: Option<TimeControl>,
    /// When it was created.
    pub created: Timestamp,
    /// When it was last written.
    pub updated: Timestamp,
    /// When it was played.
    pub played_at: Timestamp,
    /// When the clock of the side to move started.
    pub clock_running_since: Option<Timestamp>,
    /// How long the side to move had thought when the game ended other than by a move.
    pub last_thought: Option<Duration>,
    /// The opening, once the game is over.
    pub opening: Option<OpeningName>,
    /// The pending offer.
    pub offer: Option<Offer>,
    /// Secrets that let others than the users move.
    pub seats: Seats,
    /// Which of its users have deleted it for themselves.
    pub left: Left,
    /// Whether it is rated.
    pub rated: Rated,
    /// The rematch of this game.
    pub rematch: Option<GameId>,
    /// The moves.
    pub moves: Vec<Move>,
    /// The mover's time left after each move in milliseconds; empty without clocks.
    pub clocks: Vec<u32>,
    /// The tags of an imported game; of another one, those that no column holds.
    pub tags: Option<Tags>,
    /// The moves as PGN, if they have comments or variations.
    pub annotated: Option<String>,
}

row! {
    /// A row of `games`.
    read GameRow {
        number: i64,
        id: String,
        version: i64,
        source: String,
        status: String,
        visibility: String,
        rules: String,
        start: Option<String>,
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
        created: i64,
        updated: i64,
        played_at: i64,
        clock_running_since: Option<i64>,
        last_thought: Option<i64>,
        result: String,
        outcome: Option<String>,
        eco: Option<String>,
        opening: Option<String>,
        offer: Option<String>,
        white_seat: Option<Vec<u8>>,
        black_seat: Option<Vec<u8>>,
        open_seat: Option<String>,
        owner_left: i64,
        white_left: i64,
        black_left: i64,
        rated: String,
        rematch: Option<String>,
        moves: Vec<u8>,
        clocks: Vec<u8>,
        tags: Option<String>,
        annotated: Option<String>,
    }
}

/// The columns of a [`GameRow`], from `games g`.
macro_rules! game_columns {
    () => {
        "g.number, g.id, g.version, g.source, g.status, g.visibility, g.rules, g.start, g.owner, \
         g.white_user, g.white_name, g.white_level, g.white_elo, g.black_user, g.black_name, \
         g.black_level, g.black_elo, g.time_control, g.created, g.updated, g.played_at, \
         g.clock_running_since, g.last_thought, g.result, g.outcome, g.eco, g.opening, g.offer, \
         g.white_seat, g.black_seat, g.open_seat, g.owner_left, g.white_left, g.black_left, g.rated, \
         g.rematch, g.moves, g.clocks, g.tags, g.annotated"
    };
}
pub(crate) use game_columns;

impl StoredGame {
    pub(crate) fn from_row(row: &AnyRow) -> Result<Self> {
        let row = GameRow::read(row)?;
        let id = GameId(row.id.clone());
        Self::try_from(row).map_err(|error| match error {
            StoreError::Damaged { what } => StoreError::damaged(format!("game {id}: {what}")),
            other => other,
        })
    }
}

impl TryFrom<GameRow> for StoredGame {
    type Error = StoreError;

    fn try_from(row: GameRow) -> Result<Self> {
        let start = match row.start {
            None => Position::default(),
            Some(fen) => {
                let damaged = |error: FenError| StoreError::damaged(format!("{fen}: {error}"));
                fen.parse().map_err(damaged)?
            }
        };
        let time_control = row.time_control.as_deref().map(str::parse).transpose();
        let milliseconds = |millis: i64| Duration::from_millis(millis.unsigned_abs());
        Ok(Self {
            number: row.number,
            id: GameId(row.id),
            version: Version(row.version),
            source: row.source.parse()?,
            end: read_end(&row.status, &row.result, row.outcome.as_deref())?,
            visibility: row.visibility.parse()?,
            variant: row.rules.parse()?,
            start,
            owner: row.owner.map(UserId),
            white: read_player(row.white_user, row.white_name, row.white_level, row.white_elo)?,
            black: read_player(row.black_user, row.black_name, row.black_level, row.black_elo)?,
            time_control: time_control
                .map_err(|error: ParseTimeControlError| StoreError::damaged(error.to_string()))?,
            created: Timestamp(row.created),
            updated: Timestamp(row.updated),
            played_at: Timestamp(row.played_at),
            clock_running_since: row.clock_running_since.map(Timestamp),
            last_thought: row.last_thought.map(milliseconds),
            opening: OpeningName::read(row.eco, row.opening),
            offer: row.offer.as_deref().map(str::parse).transpose()?,
            seats: Seats {
                white: row.white_seat.map(SecretHash),
                black: row.black_seat.map(SecretHash),
                open: row.open_seat.as_deref().map(str::parse).transpose()?,
            },
            left: Left {
                owner: row.owner_left != 0,
                white: row.white_left != 0,
                black: row.black_left != 0,
            },
            rated: row.rated.parse()?,
            rematch: row.rematch.map(GameId),
            moves: unpack_moves(&row.moves)?,
            clocks: unpack_clocks(&row.clocks)?,
            tags: row.tags.as_deref().map(read_tags).transpose()?,
            annotated: row.annotated,
        })
    }
}

impl OpeningName {
    /// A game has both columns or neither.
    pub(crate) fn read(eco: Option<String>, name: Option<String>) -> Option<Self> {
        eco.zip(name).map(|(eco, name)| Self { eco, name })
    }
}

pub(crate) fn read_player(
    user: Option<i64>,
    name: String,
    level: Option<i64>,
    elo: Option<i64>,
) -> Result<Player> {
    Ok(match (user, level) {
        (Some(id), _) => Player::User { id: UserId(id), name },
        (None, None) => Player::Guest { name },
        (None, Some(level)) => {
            let rating = elo.and_then(|elo| u32::try_from(elo).ok()).unwrap_or_default();
            Player::Engine { level: read_level(level)?, rating }
        }
    })
}

pub(crate) fn read_level(number: i64) -> Result<Level> {
    let level = u8::try_from(number).ok().and_then(Level::new);
    level.ok_or_else(|| StoreError::damaged(format!("invalid level {number}")))
}

fn read_tags(json: &str) -> Result<Tags> {
    let pairs: Vec<(String, String)> = serde_json::from_str(json)
        .map_err(|error| StoreError::damaged(format!("invalid tags: {error}")))?;
    let mut tags = Tags::default();
    for (name, value) in &pairs {
        tags.set(name, value);
    }
    Ok(tags)
}

/// Encodes tags as JSON, in order.
pub(crate) fn write_tags(tags: &Tags) -> String {
    let pairs: Vec<(&str, &str)> = tags.iter().collect();
    serde_json::to_string(&pairs).expect("texts can be written as JSON")
}
