//! Games that the engine played against itself, as training data on disk.
//!
//! A file is a header and blocks of games; each block has a length and a checksum, so that a
//! process that is killed leaves at most one unfinished block, at the end. `docs/data.md`
//! describes every byte. A [`Writer`] makes or continues a file, a [`Reader`] streams its
//! [`Game`]s, and [`samples`] its positions.

mod block;
mod damage;
mod decode;
mod encode;
mod game;
mod reader;
mod sample;
mod score;
mod start;
mod writer;

pub use block::{HEADER, VERSION};
pub use damage::{Damage, DataError};
pub use decode::{BadGame, decode};
pub use encode::encode;
pub use game::{Ending, Game, MAX_PLIES, Unsound};
pub use reader::{Block, Games, Reader};
pub use sample::{Quiet, Sample, Samples, samples};
pub use score::PackedScore;
pub use writer::{Resumed, Writer};
