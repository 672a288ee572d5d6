//! Reports for people: text for a terminal, annotated PGN, and a web page.
//!
//! Names and comments of a game are somebody else's text: the terminal gets no control characters,
//! and the page no markup from them.

mod course;
mod figures;
mod graph;
mod heading;
mod html;
mod marks;
mod number;
mod pgn;
mod terminal;
mod terms;
#[cfg(test)]
mod testing;
mod wrap;

pub use html::Page;
pub use pgn::annotate;
pub use terminal::{Style, terminal};
