//! The plain position service: a board per visitor, to set up, move and search on.

use game::{Level, Variant};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{AnalysedLine, Limits, PositionView, Score};

/// The visitor's board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct BoardState {
    /// The variant.
    pub rules: Variant,
    /// The start position, as FEN.
    pub start: String,
    /// The moves since, in UCI notation.
    pub played: Vec<String>,
    /// The current position.
    pub position: PositionView,
}

/// Sets the board up.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BoardPosition {
    /// The position.
    #[schema(
        max_length = 200,
        example = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3"
    )]
    pub fen: String,
    /// The variant.
    #[serde(default)]
    pub rules: Variant,
}

/// Plays a move on the board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BoardMove {
    /// The move, in UCI or SAN.
    #[serde(rename = "move")]
    #[schema(max_length = 20, example = "e2e4")]
    pub text: String,
}

/// Searches for a move on the board without playing it.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BoardSearch {
    /// When to stop; after one second if there is no limit.
    #[serde(default)]
    pub limits: Limits,
    /// The level to play at; full strength if absent.
    #[serde(default)]
    #[schema(value_type = Option<u8>, minimum = 1, maximum = 10)]
    pub level: Option<Level>,
}

/// The engine's move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SearchResult {
    /// The best move, in UCI notation.
    pub best: String,
    /// The same in algebraic notation.
    pub san: String,
    /// The score from White's point of view; absent for book moves.
    pub score: Option<Score>,
    /// The searched lines.
    pub lines: Vec<AnalysedLine>,
}
