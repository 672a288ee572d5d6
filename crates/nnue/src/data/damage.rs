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
    /// It is of a version that was given up.
    #[error(
        "training data of the old version {0}, which can't be read any more; play new games with \
         `riga lab datagen`, which writes version {VERSION}"
    )]
    OldVersion(u16),
    /// It is of a version that came later.
    #[error(
        "training data of version {0}, but this program reads version {VERSION}; a newer one is needed"
    )]
    NewVersion(u16),
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
    /// Whether it is the beginning of a block at the end of the file, which a writer leaves behind
    /// when it is killed. Nothing is lost then but what was being written.
    pub unfinished: bool,
    /// What is wrong with a game, if the block around it is whole.
    pub game: Option<BadGame>,
}

impl std::error::Error for Damage {}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { offset, len, unfinished, game } = self;
        match game {
            Some(game) => write!(f, "byte {offset}: {game}; {len} bytes skipped"),
            None if *unfinished => {
                write!(f, "byte {offset}: the last {len} bytes are an unfinished block")
            }
            None => write!(f, "byte {offset}: {len} damaged bytes skipped"),
        }
    }
}
