//! What a user can set on the engine.

use std::ops::RangeInclusive;
use std::path::PathBuf;

/// Settings of an [`Engine`](crate::Engine); each has a default and a range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Size of the transposition table in mebibytes.
    pub hash: usize,
    /// Threads that search.
    pub threads: usize,
    /// How many best lines to report.
    pub multi_pv: usize,
    /// Milliseconds kept back on each move for what happens between engine and clock.
    pub move_overhead: u64,
    /// A depth that is completed even when the time for the move is up.
    pub minimum_depth: u32,
    /// Play moves from a book while there are any.
    pub own_book: bool,
    /// The book to play from; the one in the binary if there is none.
    pub book_file: Option<PathBuf>,
    /// Directories of Syzygy tables.
    pub syzygy_path: Vec<PathBuf>,
    /// Play as weakly as [`Options::elo`] says. A place for levels: nothing reads it yet.
    pub limit_strength: bool,
    /// The strength to play at when it is limited.
    pub elo: u32,
}

impl Options {
    /// Allowed [`Options::hash`].
    pub const HASH: RangeInclusive<usize> = 1..=1_048_576;
    /// Allowed [`Options::threads`].
    pub const THREADS: RangeInclusive<usize> = 1..=512;
    /// Allowed [`Options::multi_pv`].
    pub const MULTI_PV: RangeInclusive<usize> = 1..=256;
    /// Allowed [`Options::move_overhead`].
    pub const MOVE_OVERHEAD: RangeInclusive<u64> = 0..=10_000;
    /// Allowed [`Options::minimum_depth`].
    pub const MINIMUM_DEPTH: RangeInclusive<u32> = 1..=8;
    /// Allowed [`Options::elo`].
    pub const ELO: RangeInclusive<u32> = 600..=3_200;
}

impl Default for Options {
    fn default() -> Self {
        Self {
            hash: 16,
            threads: 1,
            multi_pv: 1,
            move_overhead: 20,
            minimum_depth: 1,
            own_book: false,
            book_file: None,
            syzygy_path: Vec::new(),
            limit_strength: false,
            elo: 3_200,
        }
    }
}
