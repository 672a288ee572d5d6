//! The plain position service: one board for each visitor, to set up, move and search on.

use game::{Level, Variant};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{Limits, PositionView, Score, Thought};

/// The visitor's board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct BoardState {
    /// The rules.
    pub rules: Variant,
    /// Where it started, as FEN.
    pub start: String,
    /// The moves since, as UCI text.
    pub played: Vec<String>,
    /// The position now.
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
    /// The rules.
    #[serde(default)]
    pub rules: Variant,
}

/// Plays a move on the board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BoardMove {
    /// As UCI or SAN text.
    #[serde(rename = "move")]
    #[schema(max_length = 20, example = "e2e4")]
    pub text: String,
}

/// Asks the engine for a move on the board; it isn't played.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BoardSearch {
    /// When to stop; a second if there is no limit.
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
    /// The best move, as UCI text.
    pub best: String,
    /// The same in algebraic notation.
    pub san: String,
    /// How good the position is for White, unless the move comes from a book.
    pub score: Option<Score>,
    /// The lines that were searched.
    pub lines: Vec<Thought>,
}
