//! The options of an engine: its memory, its threads and its files.

use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::sync::Arc;

use crate::Idea;
use crate::eval::Weights;

/// Options of an [`Engine`](crate::Engine), which stay until they are changed; what differs between
/// searches is in the [`Question`](crate::Question).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Size of the transposition table in MiB.
    pub hash: usize,
    /// Number of search threads.
    pub threads: usize,
    /// Milliseconds reserved per move for communication delays.
    pub move_overhead: u64,
    /// Nodes that count as a millisecond; 0 for the clock's milliseconds.
    pub node_time: u64,
    /// A depth to complete even if the time for the move is up.
    pub minimum_depth: u32,
    /// The book to use if a question allows it.
    pub book: OpeningBook,
    /// Directories with Syzygy tablebases.
    pub syzygy_path: Vec<PathBuf>,
    /// The kind of evaluation.
    pub evaluation: Evaluation,
    /// Ideas that the search goes without.
    pub switched_off: Vec<Idea>,
}

/// The opening book of an engine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum OpeningBook {
    /// No book.
    None,
    /// The embedded book.
    #[default]
    Own,
    /// A Polyglot book.
    File(PathBuf),
}

/// The kind of evaluation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Evaluation {
    /// The engine's own network: the embedded one, or that of its [`Host`](crate::Host).
    #[default]
    Net,
    /// The network in a file.
    NetFile(PathBuf),
    /// The hand-written evaluation.
    Hand,
    /// The hand-written evaluation with other weights.
    HandWith(Arc<Weights>),
}

impl Options {
    /// Allowed [`Options::hash`].
    pub const HASH: RangeInclusive<usize> = 1..=1_048_576;
    /// Allowed [`Options::threads`].
    pub const THREADS: RangeInclusive<usize> = 1..=512;
    /// Allowed [`Options::move_overhead`].
    pub const MOVE_OVERHEAD: RangeInclusive<u64> = 0..=10_000;
    /// Allowed [`Options::node_time`].
    pub const NODE_TIME: RangeInclusive<u64> = 0..=100_000;
    /// Allowed [`Options::minimum_depth`].
    pub const MINIMUM_DEPTH: RangeInclusive<u32> = 1..=8;
}

impl Default for Options {
    fn default() -> Self {
        Self {
            hash: 16,
            threads: 1,
            move_overhead: 20,
            node_time: 0,
            minimum_depth: 1,
            book: OpeningBook::Own,
            syzygy_path: Vec::new(),
            evaluation: Evaluation::Net,
            switched_off: Vec::new(),
        }
    }
}
