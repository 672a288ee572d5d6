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
    /// How positions are judged.
    pub evaluation: Evaluation,
    /// The network to judge with; the one in the binary if there is none.
    pub net_file: Option<PathBuf>,
    /// Play as weakly as [`Options::elo`] says.
    pub limit_strength: bool,
    /// The strength to play at when it is limited.
    pub elo: u32,
}

/// How positions are judged.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Evaluation {
    /// By a neural network.
    Net,
    /// By hand-written rules.
    Hand,
}

impl Evaluation {
    /// All ways, the usual one first.
    pub const ALL: [Self; 2] = [Self::Net, Self::Hand];

    /// Its name in settings.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Net => "net",
            Self::Hand => "hand",
        }
    }
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
            evaluation: Evaluation::Net,
            net_file: None,
            limit_strength: false,
            elo: 1_500,
        }
    }
}
