//! Opening books in the Polyglot format: reading, probing and building.
//!
//! A [`Book`] comes from a file or is the embedded one; it returns [`BookMove`]s, each known to be
//! legal, and picks one by weight with the caller's [`Dice`](crate::Dice). A [`BookBuilder`] builds
//! one from played moves, or from lines of text.

mod builder;
mod entry;
mod lines;
mod polyglot;

pub use builder::{BookBuilder, Ending, Scoring};
pub use lines::{LinesError, WrongWord};
pub use polyglot::{Book, BookError, BookMove, Pick};
