//! Syzygy tablebases: exact results of positions with few pieces.
//!
//! [`Tablebases`] opens directories of tables and is shared by all threads. The search probes for a
//! [`TableWdl`] right after captures and pawn moves; at the root every move gets a [`RootMove`]
//! that also takes the fifty-move counter and the repetitions of the game into account. A missing
//! or damaged table becomes a message, and the position is searched as if there were no tables.
//! Without the feature `syzygy` there are none.

#[cfg(not(feature = "syzygy"))]
mod absent;
#[cfg(feature = "syzygy")]
mod convert;
#[cfg(feature = "syzygy")]
mod fault;
#[cfg(feature = "syzygy")]
mod files;
mod missing;
#[cfg(feature = "syzygy")]
mod probe;
#[cfg(feature = "syzygy")]
mod rank;
mod root;
mod wdl;

#[cfg(not(feature = "syzygy"))]
pub use absent::Tablebases;
#[cfg(feature = "syzygy")]
pub use files::{Shelf, directories};
pub use missing::NotInTables;
#[cfg(feature = "syzygy")]
pub use probe::Tablebases;
pub use root::RootMove;
pub use wdl::TableWdl;
