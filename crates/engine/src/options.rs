//! What belongs to an engine: its memory, its threads and the files it works with.

use std::ops::RangeInclusive;
use std::path::PathBuf;

/// Settings of an [`Engine`](crate::Engine), which hold until they are changed; what differs from one
/// search to the next is in the [`Question`](crate::Question).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Size of the transposition table in mebibytes.
    pub hash: usize,
    /// Threads that search.
    pub threads: usize,
    /// Milliseconds kept back on each move for what happens between engine and clock.
    pub move_overhead: u64,
    /// A depth that is completed even when the time for the move is up.
    pub minimum_depth: u32,
    /// The book to play from when a question allows it.
    pub book: OpeningBook,
    /// Directories of Syzygy tables.
    pub syzygy_path: Vec<PathBuf>,
    /// How positions are judged.
    pub evaluation: Evaluation,
}

/// The opening book of an engine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum OpeningBook {
    /// None at all.
    None,
    /// The one in the binary.
    #[default]
    Own,
    /// A Polyglot book.
    File(PathBuf),
}

/// How positions are judged.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Evaluation {
    /// By the neural network in the binary.
    #[default]
    Net,
    /// By the network in a file.
    NetFile(PathBuf),
    /// By hand-written rules.
    Hand,
}

impl Options {
    /// Allowed [`Options::hash`].
    pub const HASH: RangeInclusive<usize> = 1..=1_048_576;
    /// Allowed [`Options::threads`].
    pub const THREADS: RangeInclusive<usize> = 1..=512;
    /// Allowed [`Options::move_overhead`].
    pub const MOVE_OVERHEAD: RangeInclusive<u64> = 0..=10_000;
    /// Allowed [`Options::minimum_depth`].
    pub const MINIMUM_DEPTH: RangeInclusive<u32> = 1..=8;
}

impl Default for Options {
    fn default() -> Self {
        Self {
            hash: 16,
            threads: 1,
            move_overhead: 20,
            minimum_depth: 1,
            book: OpeningBook::Own,
            syzygy_path: Vec::new(),
            evaluation: Evaluation::Net,
        }
    }
}
