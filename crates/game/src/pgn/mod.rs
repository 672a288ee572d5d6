//! PGN, the text form of games.
//!
//! Reading goes in three steps, each of its own file: [`Reader`] cuts a stream into games
//! without holding more than one, a lexer cuts a game into tokens, and the replay plays the
//! moves and tells a [`Visitor`]. A damaged game is reported with line and reason, and reading
//! goes on with the next. Writing is [`Game`](crate::Game)'s `Display`.

mod build;
mod lexer;
mod reader;
mod replay;
mod writer;

pub use lexer::PgnError;
pub use reader::{Damaged, Games, ReadError, Reader};
pub use replay::{Comment, Visitor};
