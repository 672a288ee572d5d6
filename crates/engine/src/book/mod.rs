//! Opening books in the Polyglot format, read, asked and made.
//!
//! A [`Book`] comes from a file or is the one inside the binary; it gives [`BookMove`]s, each
//! known to be legal, and picks one by weight with [`Dice`](crate::Dice) that the caller holds. A
//! [`BookBuilder`] makes one from moves that were played, or from lines of text.

mod builder;
mod entry;
mod lines;
mod polyglot;

pub use builder::{BookBuilder, Ending, Scoring};
pub use lines::{LinesError, WrongWord};
pub use polyglot::{Book, BookError, BookMove, Pick};
