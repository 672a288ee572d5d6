//! What can be wrong with a file.

use std::fmt;
use std::io;

use super::{BadGame, VERSION};

/// Why a file can't be read, or a part of it.
#[derive(Debug, thiserror::Error)]
pub enum DataError {
    /// The system failed.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It is something else.
    #[error("not a file of Riga's training data")]
    Foreign,
    /// It ends within its header: whoever made it was killed at once.
    #[error("the file holds nothing yet")]
    Empty,
    /// It is of a version that is not known here.
    #[error("training data of version {0}, but this program reads version {VERSION}")]
    Version(u16),
    /// A part is damaged. It was skipped, and the next call goes on after it.
    #[error(transparent)]
    Damaged(#[from] Damage),
    /// Another process writes to it.
    #[error("the file is in use by another process")]
    InUse,
}

/// A part of a file that was skipped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    /// Where it begins in the file.
    pub offset: u64,
    /// How many bytes were skipped.
    pub len: u64,
    /// Whether it reaches to the end of the file, as it does when a writer was killed.
    pub at_end: bool,
    /// What is wrong with a game, if the block around it is whole.
    pub game: Option<BadGame>,
}

impl std::error::Error for Damage {}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { offset, len, at_end, game } = self;
        match game {
            Some(game) => write!(f, "byte {offset}: {game}; {len} bytes skipped"),
            None if *at_end => write!(f, "byte {offset}: the last {len} bytes are no whole block"),
            None => write!(f, "byte {offset}: {len} damaged bytes skipped"),
        }
    }
}
