//! Syzygy endgame tables: exact results of positions with few men.
//!
//! [`Tablebases`] opens directories of tables and is shared by all threads. The search asks for a
//! [`TableWdl`] right after captures and pawn moves; at the root every move gets a [`RootMove`]
//! that also knows the fifty-move counter and the repetitions of the game. What is missing or
//! damaged becomes a message and the position is searched as if there were no tables.

mod convert;
mod fault;
mod files;
mod probe;
mod root;
mod wdl;

pub use files::{Shelf, directories};
pub use probe::{NotInTables, Tablebases};
pub use root::RootMove;
pub use wdl::TableWdl;
