//! Opening name, book moves, tablebase results and games of a position.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// An opening.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Opening {
    /// The ECO code.
    #[schema(example = "B90")]
    pub eco: String,
    /// The name.
    #[schema(example = "Sicilian Defense: Najdorf Variation")]
    pub name: String,
}

impl From<game::Opening> for Opening {
    fn from(opening: game::Opening) -> Self {
        Self { eco: opening.eco.to_owned(), name: opening.name.to_owned() }
    }
}

/// A named opening with its moves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct NamedOpening {
    /// The name.
    #[serde(flatten)]
    pub opening: Opening,
    /// The usual moves, in SAN.
    pub moves: String,
}

/// A book move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct BookMove {
    /// The move, in UCI notation.
    pub uci: String,
    /// The same in SAN.
    pub san: String,
    /// Its weight in the book, relative to the other moves.
    pub weight: u16,
}

/// The tablebase result of a position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Tablebase {
    /// The result with best play, for the side to move.
    pub verdict: TableVerdict,
    /// The moves, best first.
    pub moves: Vec<TablebaseMove>,
}

/// A move with its tablebase result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TablebaseMove {
    /// The move, in UCI notation.
    pub uci: String,
    /// The same in SAN.
    pub san: String,
    /// The result after it, for the side that plays it.
    pub verdict: TableVerdict,
    /// Plies to the next capture or pawn move with best play.
    pub zeroing: Option<u32>,
}

/// A result with best play.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum TableVerdict {
    /// Won.
    Win,
    /// Won, but drawn by the fifty-move rule.
    CursedWin,
    /// Drawn.
    Draw,
    /// Lost, but drawn by the fifty-move rule.
    BlessedLoss,
    /// Lost.
    Loss,
}

/// A level of the engine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct LevelView {
    /// 1 to 10.
    pub number: u8,
    /// Its name.
    pub name: String,
    /// Its rating; absent for full strength.
    pub elo: Option<u32>,
}

impl From<game::Level> for LevelView {
    fn from(level: game::Level) -> Self {
        Self { number: level.number(), name: level.name().to_owned(), elo: level.elo() }
    }
}

/// The games that reached a position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PositionGames {
    /// The next moves, most common first.
    pub moves: Vec<NextMove>,
}

/// A move that was played in a position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct NextMove {
    /// The move, in UCI notation.
    pub uci: String,
    /// The same in SAN.
    pub san: String,
    /// White wins.
    pub white: u32,
    /// Draws.
    pub drawn: u32,
    /// Black wins.
    pub black: u32,
    /// Games, including those without a result.
    pub games: u32,
    /// The average rating of the players whose rating is known.
    pub rating: Option<u32>,
    /// When the last of the games was played, in milliseconds since 1970; absent if unknown.
    pub last: Option<i64>,
}
