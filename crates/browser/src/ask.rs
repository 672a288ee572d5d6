//! What the engine is asked: by the page, or by a live game for its move.

use chess::{Line, Position};
use game::pgn::Reader;
use game::{Game, Level, Variant};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use wire::{Limits, PositionRequest};

use crate::Trouble;

/// What the engine is asked.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Ask {
    /// The position, and how it came about.
    pub position: PositionRequest,
    /// When to stop; without limits the search runs until it is stopped.
    #[serde(default)]
    pub limits: Limits,
    /// The clocks of a game, if the engine is to manage its time itself.
    #[serde(default)]
    pub clocks: Option<AskClocks>,
    /// Number of lines to search; 1 if absent.
    #[serde(default)]
    #[schema(minimum = 1, maximum = 256)]
    pub lines: Option<u16>,
    /// The level to play at, with a book; full strength without one if absent.
    #[serde(default)]
    #[schema(value_type = Option<u8>, minimum = 1, maximum = 10)]
    pub level: Option<Level>,
    /// The seed of a limited player's errors: the same in a whole game.
    #[serde(default)]
    pub seed: Option<u32>,
}

/// The clocks of a game, in milliseconds.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AskClocks {
    /// White's time left.
    pub white: u64,
    /// Black's time left.
    pub black: u64,
    /// The increment per move.
    pub increment: u64,
    /// Moves to the next time control.
    #[serde(default)]
    pub moves_to_go: Option<u32>,
}

/// The start and the moves of a request.
pub(crate) fn line(request: &PositionRequest) -> Result<(Line, Variant), Trouble> {
    let start: Position = match &request.fen {
        Some(fen) => fen.parse()?,
        None => Position::default(),
    };
    let rules = match request.rules {
        Variant::Chess960 => Variant::Chess960,
        Variant::Standard => Variant::of_start(&start),
    };
    let mut line = Line::new(start);
    for text in &request.moves {
        let m = line.position().parse_move(text)?;
        line.play(m).map_err(|error| Trouble::new(error.to_string()))?;
    }
    Ok((line, rules))
}

/// The first game of a PGN text.
pub(crate) fn first_game(pgn: &str) -> Result<Game, Trouble> {
    let game = Reader::new(pgn.as_bytes()).games().next();
    let game = game.ok_or_else(|| Trouble::new("there is no game in this text"))?;
    game.map_err(|error| Trouble::new(error.to_string()))
}
