//! PGN, the text form of games.
//!
//! Reading goes in three steps, each of its own file: [`Reader`] cuts a stream into games
//! without holding more than one, a lexer cuts a game into tokens, and the replay plays the
//! moves and tells a [`Visitor`]. Writing is [`Game`](crate::Game)'s `Display`.
//!
//! What can be kept of a damaged game is kept, and the rest is reported as a [`Remark`] with line
//! and reason. From a move that can't be played, the rest of its line is kept as a comment: the
//! tree holds legal moves only. A game is lost if it is of another variant, starts from an
//! illegal position, is far too long, or has neither tags nor moves.

mod build;
mod error;
mod header;
mod lexer;
mod notes;
mod reader;
mod replay;
pub(crate) mod signs;
mod tag;
mod writer;

pub use error::{PgnError, ReadError, Remark};
pub use reader::{Games, Reader};
pub use replay::{Comment, Visitor};
