//! What can go wrong with a library, in words.

use std::io;
use std::path::{Path, PathBuf};

/// Why a library can't be read or changed.
#[derive(Debug, thiserror::Error)]
pub enum LibraryError {
    /// The operating system refuses.
    #[error("{}: {cause}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What it says. It is part of the text, so it is no source, which would be printed again.
        cause: io::Error,
    },
    /// The file is not part of a library, or of another kind.
    #[error("{} is not a library file of the expected kind", .0.display())]
    Foreign(PathBuf),
    /// The file was written by another version.
    #[error("{} has format version {found}; this program reads version {known}", path.display())]
    Version {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: u16,
        /// Ours.
        known: u16,
    },
    /// The content is wrong: cut off, flipped bits, or contradictory.
    #[error("{} is damaged: {what}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        what: &'static str,
    },
    /// The folder has no library.
    #[error("there is no library in {}", .0.display())]
    None(PathBuf),
    /// The folder has segments, but nothing says which of them belong to the library.
    #[error(
        "the manifest of the library in {folder} is missing, so nothing was changed: restore the file \
         {folder}/manifest, or add the segments to a new library with `riga library adopt NEW {folder}/segment-*`",
        folder = .0.display()
    )]
    Lost(PathBuf),
    /// The folder is used for something else.
    #[error("there is no library in {}, but other files: choose a new or an empty folder", .0.display())]
    Occupied(PathBuf),
    /// A segment is in the way of a new one.
    #[error(
        "the manifest doesn't list {}, so it may be out of date: move the segment elsewhere; `riga library adopt` \
         adds its games", .0.display()
    )]
    Unlisted(PathBuf),
    /// Another process is changing the library.
    #[error("another process is changing the library in {}", .0.display())]
    Busy(PathBuf),
    /// A segment has room for four billion games.
    #[error("there are too many games for one segment")]
    TooManyGames,
    /// Nothing in the file looks like the start of a game for too long.
    #[error("{} can't be cut into parts: add it on this machine", .0.display())]
    Uncut(PathBuf),
    /// No player has this name.
    #[error("no player is called `{0}`")]
    UnknownPlayer(String),
    /// There is no such game, or no longer.
    #[error("there is no game {0}")]
    NoGame(crate::GameId),
    /// The system can't start a thread.
    #[error("can't start a thread: {0}")]
    Thread(io::Error),
    /// The caller has asked to stop.
    #[error("stopped")]
    Stopped,
}

/// The result of most calls.
pub type Result<T, E = LibraryError> = std::result::Result<T, E>;

/// Content that can't be read, before it is known in which file.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Damage(pub(crate) &'static str);

impl Damage {
    pub(crate) fn at(self, path: &Path) -> LibraryError {
        LibraryError::Damaged { path: path.to_owned(), what: self.0 }
    }
}

/// Adds the path to an error of the operating system.
pub(crate) trait At<T> {
    fn at(self, path: &Path) -> Result<T>;
}

impl<T> At<T> for io::Result<T> {
    fn at(self, path: &Path) -> Result<T> {
        self.map_err(|cause| LibraryError::Io { path: path.to_owned(), cause })
    }
}

impl<T> At<T> for std::result::Result<T, Damage> {
    fn at(self, path: &Path) -> Result<T> {
        self.map_err(|damage| damage.at(path))
    }
}
