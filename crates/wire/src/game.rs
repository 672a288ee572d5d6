//! Games: players, moves and clocks.

use std::time::Duration;

use chess::{Color, Line, Move, Position};
use game::live::Offer;
use game::{Level, Source, Variant, Visibility};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{Actions, Opening, OutcomeView, PositionView};

/// Creates a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewGame {
    /// The opponent.
    pub opponent: Opponent,
    /// The side to play; random if absent.
    #[serde(default)]
    pub side: Option<Color>,
    /// The variant.
    #[serde(default)]
    pub rules: Variant,
    /// The number of the Chess960 start position; random if absent.
    #[serde(default)]
    #[schema(maximum = 959)]
    pub array: Option<u16>,
    /// The start position, if not the usual one.
    #[serde(default)]
    #[schema(max_length = 200)]
    pub fen: Option<String>,
    /// The time control: seconds and increment (`300+3`) or delay (`300d3`), none if absent.
    #[serde(default)]
    #[schema(max_length = 40, example = "300+3")]
    pub time: Option<String>,
    /// Who may watch.
    #[serde(default = "by_link")]
    pub visibility: Visibility,
    /// The name to play under, if not signed in.
    #[serde(default)]
    #[schema(min_length = 1, max_length = 40)]
    pub name: Option<String>,
    /// Whether the game is rated. Requires being signed in.
    #[serde(default)]
    pub rated: bool,
}

const fn by_link() -> Visibility {
    Visibility::Link
}

/// The opponent in a new game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum Opponent {
    /// The engine.
    Engine {
        /// The level of the engine.
        #[schema(value_type = u8, minimum = 1, maximum = 10)]
        level: Level,
    },
    /// Another person at the same board.
    Here {
        /// The other person's name.
        #[schema(min_length = 1, max_length = 40)]
        name: String,
    },
    /// Anyone with the invitation link.
    Friend,
}

/// A game that was played without the server, and is over. It isn't rated.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct OfflineGame {
    /// The game, with the uploader's side. The opponent can't be a friend.
    pub game: NewGame,
    /// When it began, in milliseconds since 1970.
    pub created: i64,
    /// The moves, in UCI notation.
    #[schema(max_items = 1000)]
    pub moves: Vec<String>,
    /// The mover's time left after each move, in milliseconds; none without clocks.
    #[serde(default)]
    pub clocks: Vec<u32>,
    /// How it ended; absent if it was aborted.
    #[serde(default)]
    pub outcome: Option<OutcomeView>,
}

/// A new game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CreatedGame {
    /// The game.
    pub game: GameView,
    /// The secret of your seat, which lets you move.
    pub seat: String,
    /// The secret for the invitation link.
    pub friend: Option<String>,
}

/// A player.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = Player)]
pub struct PlayerView {
    /// The name.
    pub name: String,
    /// The user id, if the player is a user.
    pub user: Option<i64>,
    /// The level, if it is the engine.
    #[schema(value_type = Option<u8>)]
    pub level: Option<Level>,
    /// The rating, if known.
    pub rating: Option<u32>,
}

/// The ratings of the players of a rated game.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct GameRatings {
    /// White's rating; none if the game is unrated.
    pub white: Option<PlayerRating>,
    /// Black's rating.
    pub black: Option<PlayerRating>,
}

/// A player's rating in a rated game.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PlayerRating {
    /// The rating before the game has been rated.
    pub before: u32,
    /// The rating after it; none for the engine, and before the game is over.
    pub after: Option<u32>,
}

/// The state of a game.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Waiting for an opponent.
    Waiting,
    /// In progress.
    Live,
    /// Finished.
    Finished,
}

/// The clocks.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ClockView {
    /// White's time left, in milliseconds.
    pub white: u64,
    /// Black's time left, in milliseconds.
    pub black: u64,
    /// The side whose clock is running; none before the first move, after the last, and while the
    /// server can't store moves.
    pub running: Option<Color>,
}

/// A played move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PlayedMove {
    /// The move, in UCI notation.
    pub uci: String,
    /// The same in SAN.
    pub san: String,
    /// The position after it, as FEN.
    pub fen: String,
    /// The mover's time left after it, in milliseconds.
    pub clock: Option<u64>,
}

/// A game with all its details.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct GameView {
    /// The game id, as used in links.
    pub id: String,
    /// Increases by one with each change.
    pub version: u64,
    /// The variant.
    pub rules: Variant,
    /// The white player.
    pub white: PlayerView,
    /// The black player.
    pub black: PlayerView,
    /// The time control, as in PGN.
    pub time: Option<String>,
    /// The state of the game.
    pub status: Status,
    /// The source of the game.
    pub source: Source,
    /// Who may watch.
    pub visibility: Visibility,
    /// When it was created.
    pub created: i64,
    /// The start position, as FEN.
    pub start: String,
    /// The moves.
    pub moves: Vec<PlayedMove>,
    /// The current position.
    pub position: PositionView,
    /// The clocks, if it is timed.
    pub clock: Option<ClockView>,
    /// The pending offer.
    pub offer: Option<Offer>,
    /// Whether it is rated.
    pub rated: bool,
    /// What each side may do.
    pub actions: Actions,
    /// How it ended.
    pub outcome: Option<OutcomeView>,
    /// The result, as in PGN.
    #[schema(example = "1/2-1/2")]
    pub result: String,
    /// The opening.
    pub opening: Option<Opening>,
    /// The side whose seat is open.
    pub open: Option<Color>,
    /// The game id of the rematch.
    pub rematch: Option<String>,
}

/// Takes the open seat of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TakeSeat {
    /// The secret of the invitation link.
    #[schema(max_length = 100)]
    pub seat: String,
    /// A random secret for the seat from now on; generated by the server if absent. Repeating the
    /// request with the same secret returns the same answer.
    #[serde(default)]
    #[schema(min_length = 32, max_length = 100)]
    pub own: Option<String>,
    /// The name to play under, if not signed in.
    #[serde(default)]
    #[schema(min_length = 1, max_length = 40)]
    pub name: Option<String>,
}

/// A seat that was taken.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TakenSeat {
    /// The game.
    pub game: GameView,
    /// The secret of the seat; the link's secret is no longer valid.
    pub seat: String,
}

/// Changes a game; absent fields stay the same.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct GamePatch {
    /// Who may watch.
    #[serde(default)]
    pub visibility: Option<Visibility>,
}

/// A game in a list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct GameSummary {
    /// The game id, as used in links.
    pub id: String,
    /// The white player.
    pub white: PlayerView,
    /// The black player.
    pub black: PlayerView,
    /// The variant.
    pub rules: Variant,
    /// The time control, as in PGN.
    pub time: Option<String>,
    /// The state of the game.
    pub status: Status,
    /// The source of the game.
    pub source: Source,
    /// When it was played.
    pub played: i64,
    /// The number of plies played.
    pub plies: u32,
    /// The result, as in PGN.
    pub result: String,
    /// The opening.
    pub opening: Option<Opening>,
    /// The accuracies, if it has been reviewed.
    pub reviewed: Option<Accuracies>,
}

/// The accuracies of both sides in a review.
#[derive(Copy, Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Accuracies {
    /// White's, from 0 to 100; none if a side hasn't moved.
    pub white: Option<f64>,
    /// Black's.
    pub black: Option<f64>,
}

/// A page of a list of games.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct GamePage {
    /// The games, newest first.
    pub games: Vec<GameSummary>,
    /// Pass it as `after` to get the next page; absent on the last one.
    pub next: Option<String>,
}

/// The result of an import.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ImportReport {
    /// New games.
    pub imported: u32,
    /// Duplicates.
    pub known: u32,
    /// Games imported with warnings, because parts of them could not be read.
    pub remarked: u32,
    /// Rejected games.
    pub lost: u32,
    /// The game id, if a single game was sent and is new.
    pub game: Option<String>,
    /// The warnings about the first such games.
    pub remarks: Vec<String>,
    /// The errors in the first rejected games.
    pub problems: Vec<String>,
}

/// A null move in UCI notation.
pub const NULL_MOVE: &str = "0000";

impl PlayedMove {
    /// The moves of a line, with the movers' clocks.
    pub fn all(line: &Line, clocks: &[Duration], rules: Variant) -> Vec<Self> {
        let positions: Vec<_> = line.positions().collect();
        line.moves()
            .zip(positions.windows(2))
            .enumerate()
            .map(|(ply, (m, around))| {
                Self::new(around[0], m, around[1], clocks.get(ply).copied(), rules)
            })
            .collect()
    }

    /// A null move, given the position after it.
    pub fn null(after: &Position, clock: Option<Duration>) -> Self {
        Self {
            uci: NULL_MOVE.to_owned(),
            san: "--".to_owned(),
            fen: after.to_string(),
            clock: clock.map(|left| left.as_millis() as u64),
        }
    }

    /// A move, given the positions before and after it.
    pub fn new(
        before: &Position,
        m: Move,
        after: &Position,
        clock: Option<Duration>,
        rules: Variant,
    ) -> Self {
        Self {
            uci: m.to_uci(before, rules.castling()).to_string(),
            san: before.san(m).to_string(),
            fen: after.to_string(),
            clock: clock.map(|left| left.as_millis() as u64),
        }
    }
}
