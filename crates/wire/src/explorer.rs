//! What is known about a position: its name, books, tablebases and games.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The name of an opening.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Opening {
    /// The code of the Encyclopaedia of Chess Openings.
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
    /// The usual moves, in algebraic notation.
    pub moves: String,
}

/// A move of the book.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct BookMove {
    /// As UCI text.
    pub uci: String,
    /// In algebraic notation.
    pub san: String,
    /// How often it is chosen, as a share of all weights.
    pub weight: u16,
}

/// What tablebases say about a position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Tablebase {
    /// With best play, for the side to move.
    pub verdict: TableVerdict,
    /// The moves, the best one first.
    pub moves: Vec<TablebaseMove>,
}

/// A move in tablebases.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TablebaseMove {
    /// As UCI text.
    pub uci: String,
    /// In algebraic notation.
    pub san: String,
    /// What it leads to, for the side that plays it.
    pub verdict: TableVerdict,
    /// Plies to the next capture or pawn move with best play.
    pub zeroing: Option<u32>,
}

/// What a position is worth with best play.
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
    /// Who plays like this.
    pub name: String,
    /// Its strength; none for full strength.
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
    /// What was played next, the commonest move first.
    pub moves: Vec<NextMove>,
}

/// A move that was played in a position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct NextMove {
    /// As UCI text.
    pub uci: String,
    /// In algebraic notation.
    pub san: String,
    /// Games that White won.
    pub white: u32,
    /// Games drawn.
    pub drawn: u32,
    /// Games that Black won.
    pub black: u32,
}
