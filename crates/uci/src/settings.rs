//! What a user can set on a session: the engine's options and those of the conversation.

use chess::CastlingMode;
use chess::Line;

/// Everything that `setoption` or a configuration file can set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// What the engine is told.
    pub engine: engine::Options,
    /// The GUI may ask to think on the opponent's time. It does so by `go ponder` in any case;
    /// the option says that it will.
    pub ponder: bool,
    /// Write castling as king takes rook in every game, not only in those that need it.
    pub chess960: bool,
    /// Show chances to win, draw and lose with each score.
    pub show_wdl: bool,
}

impl Settings {
    /// How castling is written in a game.
    pub(crate) fn castling_mode(&self, line: &Line) -> CastlingMode {
        // Rights get lost in the course of a game: its start tells what kind of game it is.
        if self.chess960 { CastlingMode::Chess960 } else { line.start().castling_mode() }
    }
}
