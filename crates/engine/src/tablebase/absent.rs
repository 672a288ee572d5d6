//! No tables: the build has no reader for them.

use std::path::PathBuf;

use chess::{Line, Position};

use super::missing::NotInTables;
use super::root::RootMove;
use super::wdl::TableWdl;

/// A collection of tables, of which there is none in this build: `open` always gives an empty one,
/// and the search never sees it.
#[derive(Debug)]
pub struct Tablebases(());

impl Tablebases {
    /// Opens nothing; directories are answered with a message.
    pub fn open(directories: &[PathBuf]) -> (Self, Vec<String>) {
        let messages = match directories {
            [] => Vec::new(),
            _ => vec!["this build can't read tablebases".to_owned()],
        };
        (Self(()), messages)
    }

    /// The largest number of pieces in a table: zero.
    #[inline]
    pub const fn men(&self) -> u32 {
        0
    }

    /// The damage found while probing: none.
    pub const fn take_messages(&self) -> Vec<String> {
        Vec::new()
    }

    /// The result of a position: unknown.
    #[inline]
    pub const fn probe_wdl(&self, _: &Position) -> Option<TableWdl> {
        None
    }

    /// Ranks no moves.
    pub fn probe_root(&self, line: &Line) -> Result<Vec<RootMove>, NotInTables> {
        Err(NotInTables::TooManyMen { men: line.position().occupied().count(), most: 0 })
    }
}
