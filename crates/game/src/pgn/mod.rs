//! PGN, the text format of games.
//!
//! Reading has three steps, each in its own file: [`Reader`] splits a stream into games, holding
//! one at a time, a lexer splits a game into tokens, and the replay plays the moves and calls a
//! [`Visitor`]. Writing is [`Game`](crate::Game)'s `Display`.
//!
//! A damaged game is kept as far as possible, and the rest is reported as a [`Remark`] with line
//! and reason. From an illegal move on, the rest of its line is kept as a comment: the tree holds
//! legal moves only. A game is rejected if it is of another variant, starts from an illegal
//! position, is far too long, or has neither tags nor moves.

mod build;
mod error;
mod header;
mod lexer;
mod notes;
mod reader;
mod replay;
pub(crate) mod signs;
mod split;
mod tag;
mod writer;

pub use build::Builder;
pub use error::{PgnError, ReadError, Remark};
pub use reader::{Games, Reader};
pub use replay::{Comment, Visitor};
pub use split::last_start;
