//! What can be wrong with a game, and where.

use std::io;

use chess::{FenError, SanError};

use crate::GameResult;

/// Variations inside variations are read to this depth.
pub(super) const MAX_DEPTH: usize = 256;

/// A game has at most so many moves, variations included. A text of a few megabytes would else
/// become a tree of a gigabyte.
pub(super) const MAX_MOVES: usize = 200_000;

/// A game may have so many tags. Setting one looks at all others, which must not take for ever.
pub(super) const MAX_TAGS: usize = 1000;

/// So many remarks are made about a game; the rest would not tell anything new.
pub(super) const MAX_REMARKS: usize = 100;

/// The longest text of a game that is read, in bytes.
pub(super) const LONGEST: usize = 16 << 20;

/// What is wrong with a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PgnError {
    /// A tag is not `[Name "value"]`. It is left out.
    #[error("this is not a tag of the form [Name \"value\"]")]
    Tag,
    /// A tag's value has no closing quote. It is taken to end with its line.
    #[error("the value of the tag {0} has no closing quote")]
    OpenTag(String),
    /// A header without end. The tags beyond the limit are left out.
    #[error("there are more than {MAX_TAGS} tags")]
    TooManyTags,
    /// The start position is not legal. The game is lost.
    #[error("the FEN tag is wrong: {0}")]
    Fen(#[from] FenError),
    /// The start position has castling rights without king or rook. They are left out.
    #[error("the castling rights {written} don't fit the position, only {kept} is kept")]
    CastlingRights {
        /// The rights in the FEN.
        written: String,
        /// Those that are possible.
        kept: String,
    },
    /// The start position has an impossible en passant square. It is left out.
    #[error("the en passant square {0} doesn't fit the position and is left out")]
    EnPassant(String),
    /// The rules are not those of chess. The game is lost.
    #[error("the variant {0} is not supported")]
    Variant(String),
    /// The Result tag can't be read.
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
    /// A move can't be played. The rest of its line becomes a comment.
    #[error("{number}{} {text}: {reason}", if *.black { "..." } else { "." })]
    Move {
        /// The number of the move.
        number: u16,
        /// Whether it is Black's.
        black: bool,
        /// What is written.
        text: String,
        /// What is wrong with it.
        reason: SanError,
    },
    /// A side passes, which chess doesn't allow. The rest of the line becomes a comment.
    #[error("{0} is a null move, which is not a legal move")]
    NullMove(String),
    /// Something that is neither move nor comment. It is left out.
    #[error("`{0}` is neither a move nor a comment")]
    Unexpected(String),
    /// A `{` without its `}`. The comment is taken to end with the game.
    #[error("a comment is not closed")]
    OpenComment,
    /// A `(` without its `)`. The variation is taken to end with the game.
    #[error("a variation is not closed")]
    OpenVariation,
    /// A `)` without its `(`. It is left out.
    #[error("a variation is closed that was not opened")]
    StrayClose,
    /// A variation where no move has been played. It becomes a comment.
    #[error("a variation comes before any move")]
    NoMoveToVary,
    /// Too many variations inside each other. The innermost become a comment.
    #[error("variations are nested more than {MAX_DEPTH} deep")]
    TooDeep,
    /// More moves than a game can have. The rest becomes a comment.
    #[error("the game has more than {MAX_MOVES} moves")]
    TooManyMoves,
    /// More text than a game can have. The game is lost.
    #[error("the game is longer than {} MB", LONGEST >> 20)]
    TooLong,
}

/// Something in a game that could not be read as it stands.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("game {game}, line {line}: {reason}")]
pub struct Remark {
    /// Which game of the stream, from 1.
    pub game: u64,
    /// The line that shows it, from 1.
    pub line: u64,
    /// What is wrong.
    pub reason: PgnError,
}

/// Why there is no game to return.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// Nothing of the game can be kept; the next one can be read.
    #[error(transparent)]
    Lost(#[from] Remark),
    /// The stream can't be read.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// The start of a text as people can read it.
pub(super) fn shown(text: &[u8]) -> String {
    const LONGEST: usize = 40;
    let mut shown = String::from_utf8_lossy(&text[..text.len().min(LONGEST)]).into_owned();
    if text.len() > LONGEST {
        shown.push_str("...");
    }
    shown
}
