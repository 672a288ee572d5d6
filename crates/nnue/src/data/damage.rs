//! Errors in training data files.

use std::fmt;
use std::io;

use super::{BadGame, VERSION};

/// Why a file, or a part of it, can't be read.
#[derive(Debug, thiserror::Error)]
pub enum DataError {
    /// An I/O error.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// Not training data.
    #[error("not a Riga training data file")]
    Foreign,
    /// It ends within its header: the writer was killed right away.
    #[error("the file is empty")]
    Empty,
    /// An old version of the format that is no longer supported.
    #[error(
        "training data of the old version {0}, which can't be read any more; play new games with \
         `riga lab datagen`, which writes version {VERSION}"
    )]
    OldVersion(u16),
    /// A newer version of the format.
    #[error(
        "training data of version {0}, but this program reads version {VERSION}; a newer one is needed"
    )]
    NewVersion(u16),
    /// A part is damaged. It was skipped, and the next call continues after it.
    #[error(transparent)]
    Damaged(#[from] Damage),
    /// Another process is writing to it.
    #[error("the file is in use by another process")]
    InUse,
}

/// A part of a file that was skipped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    /// Its offset in the file.
    pub offset: u64,
    /// Number of bytes skipped.
    pub len: u64,
    /// Whether it is an incomplete block at the end of the file, left behind by a writer that was
    /// killed. Then only what was being written is lost.
    pub unfinished: bool,
    /// What is wrong with a game, if the block around it is intact.
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
