//! Errors in PGN games, with their locations.

use std::io;

use chess::{FenError, MoveNumber, SanError};

use crate::GameResult;

/// Maximum nesting depth of variations.
pub(super) const MAX_DEPTH: usize = 256;

/// Maximum number of moves of a game, including variations. Otherwise a text of a few megabytes
/// could become a tree of a gigabyte.
pub(super) const MAX_MOVES: usize = 200_000;

/// Maximum number of tags. Setting a tag compares it with all others, so more would take too long.
pub(super) const MAX_TAGS: usize = 1000;

/// Maximum number of remarks per game; more would add nothing new.
pub(super) const MAX_REMARKS: usize = 100;

/// Maximum length of a game's text in bytes.
pub(super) const LONGEST: usize = 16 << 20;

/// An error in a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PgnError {
    /// A tag is not `[Name "value"]`. It is skipped.
    #[error("not a tag of the form [Name \"value\"]")]
    Tag,
    /// A tag's value has no closing quote. It ends with its line.
    #[error("the value of the tag {0} has no closing quote")]
    OpenTag(String),
    /// Too many tags. Those beyond the limit are skipped.
    #[error("there are more than {MAX_TAGS} tags")]
    TooManyTags,
    /// The start position is illegal. The game is rejected.
    #[error("the FEN tag is wrong: {0}")]
    Fen(#[from] FenError),
    /// The start position has castling rights without king or rook. They are dropped.
    #[error("the castling rights {written} don't fit the position, only {kept} is kept")]
    CastlingRights {
        /// The rights in the FEN.
        written: String,
        /// The possible ones.
        kept: String,
    },
    /// The start position has an impossible en passant square. It is dropped.
    #[error("the en passant square {0} doesn't fit the position and is left out")]
    EnPassant(String),
    /// Another variant. The game is rejected.
    #[error("the variant {0} is not supported")]
    Variant(String),
    /// The Result tag is not a result.
    #[error("the Result tag says `{0}`, which is not a result")]
    ResultTag(String),
    /// Two different results. The one after the moves counts.
    #[error("the Result tag says {}, but the moves end with {}", .tag.as_str(), .moves.as_str())]
    Results {
        /// The one in the tag.
        tag: GameResult,
        /// The one after the moves.
        moves: GameResult,
    },
    /// An illegal move. The rest of its line becomes a comment.
    #[error("{number} {text}: {reason}")]
    Move {
        /// Its number.
        number: MoveNumber,
        /// The move as written.
        text: String,
        /// What is wrong with it.
        reason: SanError,
    },
    /// A null move of the game itself or in check. The rest of the line becomes a comment.
    #[error("{0} is a null move, which is not a legal move")]
    NullMove(String),
    /// Neither a move nor a comment. It is skipped.
    #[error("`{0}` is neither a move nor a comment")]
    Unexpected(String),
    /// A `{` without its `}`. The comment ends with the game.
    #[error("a comment is not closed")]
    OpenComment,
    /// A `(` without its `)`. The variation ends with the game.
    #[error("a variation is not closed")]
    OpenVariation,
    /// A `)` without its `(`. It is skipped.
    #[error("a variation is closed that was not opened")]
    StrayClose,
    /// A variation before any move. It becomes a comment.
    #[error("a variation comes before any move")]
    NoMoveToVary,
    /// Variations nested too deep. The innermost become a comment.
    #[error("variations are nested more than {MAX_DEPTH} deep")]
    TooDeep,
    /// Too many moves. The rest becomes a comment.
    #[error("the game has more than {MAX_MOVES} moves")]
    TooManyMoves,
    /// Too much text. The game is rejected.
    #[error("the game is longer than {} MB", LONGEST >> 20)]
    TooLong,
}

/// A warning about something in a game that could not be read as written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("game {game}, line {line}: {reason}")]
pub struct Remark {
    /// The number of the game in the stream, from 1.
    pub game: u64,
    /// The line number, from 1.
    pub line: u64,
    /// What is wrong.
    pub reason: PgnError,
}

/// Why there is no game to return.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// Nothing of the game can be kept; reading can continue with the next one.
    #[error(transparent)]
    Lost(#[from] Remark),
    /// The stream can't be read.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// The start of a text, made readable.
pub(super) fn shown(text: &[u8]) -> String {
    const LONGEST: usize = 40;
    let mut shown = String::from_utf8_lossy(&text[..text.len().min(LONGEST)]).into_owned();
    if text.len() > LONGEST {
        shown.push_str("...");
    }
    shown
}
