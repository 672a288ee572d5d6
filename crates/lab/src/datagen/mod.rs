//! Training data: self-play games, and operations on files of them.
//!
//! [`run`] plays games on every core and appends them to a file; [`Stat`] counts the contents of a
//! file, [`to_pgn`] and [`sample_line`] show them, [`merge`] and [`shuffle`] write new files.

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
pub use plan::{GamePlan, Plan};
pub use play::{DatagenError, play, play_family};
pub use run::{Progress, run};
pub use show::{sample_line, to_pgn};
pub use shuffle::{Shuffle, shuffle};
pub use stat::{SCORE_EDGES, Stat};
