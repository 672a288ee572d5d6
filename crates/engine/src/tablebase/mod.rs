//! Syzygy tablebases: exact results of positions with few pieces.
//!
//! [`Tablebases`] opens directories of tables and is shared by all threads. The search probes for a
//! [`TableWdl`] right after captures and pawn moves; at the root every move gets a [`RootMove`]
//! that also takes the fifty-move counter and the repetitions of the game into account. A missing
//! or damaged table becomes a message, and the position is searched as if there were no tables.

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
