//! Makes a segment of a stream of games, in bounded memory.
//!
//! 1. Threads read games into batches; each game gets a provisional number.
//! 2. The postings (position, game, move) are distributed by the top bits of the key into parts, on disk when there
//!    are many.
//! 3. The games are sorted by their moves in runs that fit into memory; the runs are merged, which
//!    numbers the games for good and writes everything but the index.
//! 4. Each part gets the final numbers, is sorted and becomes pages of the index.

mod crew;
mod finish;
mod gather;
mod index;
mod parts;
mod runs;
mod source;
mod writer;

pub(crate) use crew::{Crew, Task};
pub use crew::{Progress, Stage, Trouble};
pub use source::Source;
pub(crate) use source::{Chunk, Chunks};
