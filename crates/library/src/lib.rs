//! Collections of millions of games, with exact statistics for every position.
//!
//! A library is a folder of immutable segments. In a segment the games are numbered in the order of
//! their moves, so that the games of a position are a few ranges of numbers, and every statistic is counted within
//! ranges. `docs/library.md` describes the files.

mod batch;
mod build;
mod bytes;
mod change;
mod check;
mod columns;
mod eco;
mod endgames;
mod error;
mod export;
mod extras;
mod facts;
mod filter;
mod games;
mod layout;
mod leftovers;
mod library;
mod manifest;
mod material;
mod measure;
mod meta;
mod moves;
mod names;
mod notes;
mod pages;
mod player;
mod ranking;
pub mod sample;
mod scan;
mod scribe;
mod segment;
mod shape;
mod shared;
mod single;
mod summary;
mod tallies;
pub mod tamper;
mod teller;
mod travel;
mod writing;
mod zip;

pub use build::{Progress, Source, Stage, Trouble};
pub use change::Added;
pub use check::Checked;
pub use eco::{Eco, ParseEcoError};
pub use endgames::{Endgame, Found};
pub use error::{LibraryError, Result};
pub use facts::{Date, ParseDateError};
pub use filter::{Filter, Player, Side};
pub use games::{GameId, Listed, Order, Page, ParseGameIdError};
pub use library::{Library, SegmentInfo};
pub use material::{Material, ParseMaterialError};
pub use measure::{Latencies, Times};
pub use player::{Branch, Breadth, OpeningScore, PlayerPage};
pub use shape::Shape;
pub use tallies::{Score, Tallies, Tally};
pub use travel::{Part, build_packed, check_packed, parts};
