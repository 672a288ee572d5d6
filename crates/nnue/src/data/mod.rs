//! Self-play games as training data on disk.
//!
//! A file is a header and blocks of games; each block has a length and a checksum, so that a killed
//! process leaves at most one unfinished block, at the end. Within a block a range coder encodes
//! moves and scores by their probability: about 1.2 bytes per position. `docs/data.md` describes
//! every bit. A [`Writer`] creates or continues a file, a [`Reader`] streams its [`Game`]s, and
//! [`samples`] its positions.

mod block;
mod block_games;
mod damage;
mod decode;
mod encode;
mod game;
mod head;
mod level;
mod likelihood;
mod range;
mod reader;
mod sample;
mod score;
mod start;
mod survey;
mod tables;
mod trend;
mod writer;

pub use block::{FRAME, HEADER, VERSION};
pub use block_games::BlockGames;
pub use damage::{Damage, DataError};
pub use decode::{BadGame, Decoder, Played};
pub use encode::Encoder;
pub use game::{Ending, Game, MAX_PLIES, Unsound};
pub use reader::{Block, Games, Reader};
pub use sample::{Quiet, Sample, Samples, ply, samples};
pub use score::PackedScore;
pub use writer::{Resumed, Writer};
