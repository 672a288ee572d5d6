//! Training data: games of the engine against itself, and work on files of them.
//!
//! [`run`] plays games on every core and appends them to a file; [`Stat`] counts what a file
//! holds, [`to_pgn`] and [`sample_line`] show it, [`merge`] and [`shuffle`] make new files.

mod adjudicate;
mod merge;
mod opening;
mod plan;
mod play;
mod run;
mod show;
mod shuffle;
mod stat;

pub use adjudicate::Adjudication;
pub use merge::{Copied, CopyError, merge};
pub use opening::{Branches, Openings};
pub use plan::{Plan, Rules};
pub use play::{DatagenError, play, play_family};
pub use run::{Progress, run};
pub use show::{sample_line, to_pgn};
pub use shuffle::{Shuffle, shuffle};
pub use stat::{SCORE_EDGES, Stat};
