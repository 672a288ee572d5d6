//! A game line by line, for pipes, scripts and screen readers: prints a diagram, reads one move or
//! word per line, and says what has happened.

mod play;
mod words;

pub use play::{Plain, play};
