//! A game: who plays, what was played, and how much time is left.

use std::time::Duration;

use chess::{Color, Line, Move, Position};
use game::live::Offer;
use game::{Level, Source, Variant, Visibility};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{Actions, Opening, OutcomeView, PositionView};

/// Starts a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewGame {
    /// Against whom.
    pub opponent: Opponent,
    /// The side to play; by lot if absent.
    #[serde(default)]
    pub side: Option<Color>,
    /// The rules.
    #[serde(default)]
    pub rules: Variant,
    /// The array of Chess960; by lot if absent.
    #[serde(default)]
    #[schema(maximum = 959)]
    pub array: Option<u16>,
    /// The position to start from, instead of the usual one.
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
    /// The name to play under, for who has not signed in.
    #[serde(default)]
    #[schema(min_length = 1, max_length = 40)]
    pub name: Option<String>,
    /// Whether it counts for the ratings. Only a game of one who has signed in can.
    #[serde(default)]
    pub rated: bool,
}

const fn by_link() -> Visibility {
    Visibility::Link
}

/// Whom to play against.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum Opponent {
    /// The engine.
    Engine {
        /// How well it plays.
        #[schema(value_type = u8, minimum = 1, maximum = 10)]
        level: Level,
    },
    /// Another person at this board.
    Here {
        /// The other person's name.
        #[schema(min_length = 1, max_length = 40)]
        name: String,
    },
    /// Whoever opens the link.
    Friend,
}

/// A game that was made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CreatedGame {
    /// The game.
    pub game: GameView,
    /// The secret that lets one move; whoever has it sits at the board.
    pub seat: String,
    /// The secret for the friend's link.
    pub friend: Option<String>,
}

/// A player.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = Player)]
pub struct PlayerView {
    /// The name.
    pub name: String,
    /// The number of the person, if known here.
    pub user: Option<i64>,
    /// The level, if it is the engine.
    #[schema(value_type = Option<u8>)]
    pub level: Option<Level>,
    /// The rating, if known.
    pub rating: Option<u32>,
}

/// Whether a game goes on.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// A friend is awaited.
    Waiting,
    /// It is being played.
    Live,
    /// It is over.
    Finished,
}

/// The clocks.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ClockView {
    /// Milliseconds that White has left.
    pub white: u64,
    /// Milliseconds that Black has left.
    pub black: u64,
    /// Whose clock runs; none before the first move and after the last.
    pub running: Option<Color>,
}

/// A move that was played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PlayedMove {
    /// As UCI text.
    pub uci: String,
    /// In algebraic notation.
    pub san: String,
    /// The position after it, as FEN.
    pub fen: String,
    /// Milliseconds that the mover has left after it.
    pub clock: Option<u64>,
}

/// All there is to know about a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct GameView {
    /// The name of the game in links.
    pub id: String,
    /// Counts the changes; a later state has a greater one.
    pub version: u64,
    /// The rules.
    pub rules: Variant,
    /// Who plays White.
    pub white: PlayerView,
    /// Who plays Black.
    pub black: PlayerView,
    /// The time control, as PGN has it.
    pub time: Option<String>,
    /// Whether it goes on.
    pub status: Status,
    /// Where it comes from.
    pub source: Source,
    /// Who may watch.
    pub visibility: Visibility,
    /// When it began.
    pub created: i64,
    /// The position it starts from, as FEN.
    pub start: String,
    /// The moves.
    pub moves: Vec<PlayedMove>,
    /// The position now.
    pub position: PositionView,
    /// The clocks, if it is timed.
    pub clock: Option<ClockView>,
    /// The offer that waits for an answer.
    pub offer: Option<Offer>,
    /// Whether it counts for the players' ratings.
    pub rated: bool,
    /// What each side may do.
    pub actions: Actions,
    /// How it ended.
    pub outcome: Option<OutcomeView>,
    /// The result, as PGN has it.
    #[schema(example = "1/2-1/2")]
    pub result: String,
    /// The opening.
    pub opening: Option<Opening>,
    /// The side whose seat waits for somebody.
    pub open: Option<Color>,
    /// The game that was started as a rematch.
    pub rematch: Option<String>,
}

/// Takes the open seat of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TakeSeat {
    /// The secret of the link.
    #[schema(max_length = 100)]
    pub seat: String,
    /// The secret of the seat from now on, random; the server makes one if it is absent. Who sends the same
    /// one again gets the same answer again.
    #[serde(default)]
    #[schema(min_length = 32, max_length = 100)]
    pub own: Option<String>,
    /// The name to play under, for who has not signed in.
    #[serde(default)]
    #[schema(min_length = 1, max_length = 40)]
    pub name: Option<String>,
}

/// A seat that was taken.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TakenSeat {
    /// The game.
    pub game: GameView,
    /// The secret of the seat; that of the link is no longer worth anything.
    pub seat: String,
}

/// Changes a game; what is absent stays.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct GamePatch {
    /// Who may watch.
    #[serde(default)]
    pub visibility: Option<Visibility>,
}

/// A game in a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct GameSummary {
    /// The name of the game in links.
    pub id: String,
    /// Who plays White.
    pub white: PlayerView,
    /// Who plays Black.
    pub black: PlayerView,
    /// The rules.
    pub rules: Variant,
    /// The time control, as PGN has it.
    pub time: Option<String>,
    /// Whether it goes on.
    pub status: Status,
    /// Where it comes from.
    pub source: Source,
    /// When it was played.
    pub played: i64,
    /// How many moves were played, of both sides.
    pub plies: u32,
    /// The result, as PGN has it.
    pub result: String,
    /// The opening.
    pub opening: Option<Opening>,
}

/// A part of a list of games.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct GamePage {
    /// The games, the newest first.
    pub games: Vec<GameSummary>,
    /// To be sent as `after` for the next part; absent at the end.
    pub next: Option<String>,
}

/// What came of an import.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ImportReport {
    /// Games that are new.
    pub imported: u32,
    /// Games that were here already.
    pub known: u32,
    /// Games of the file that were kept, though not all of them could be read.
    pub remarked: u32,
    /// Games that could not be read or kept at all.
    pub lost: u32,
    /// What is left out of the first games with remarks.
    pub remarks: Vec<String>,
    /// What is wrong with the first games that are lost.
    pub problems: Vec<String>,
}

impl PlayedMove {
    /// The moves of a line, with what the clocks of their movers showed.
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

    /// A move, the position before it and the one after it.
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
