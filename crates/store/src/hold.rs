//! What makes an open database ours: that its file is still in its place, and that there is no
//! other server.

use std::fmt;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use crate::lock::{SessionLock, is_locked};

/// Our hold on an open database.
#[derive(Debug)]
pub(crate) enum Hold {
    /// The files of a SQLite database, and a server's lock.
    Files {
        files: Vec<Placed>,
        /// The operating system releases the lock when the file is closed.
        lock: Option<File>,
        lock_path: PathBuf,
    },
    /// A server's lock in PostgreSQL; tools have none.
    Session(Option<SessionLock>),
}

/// Why the database isn't ours any more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Lost {
    /// The file was deleted, moved or replaced.
    Moved(PathBuf),
    /// The connection with the server's lock is lost.
    Lock,
}

impl Hold {
    /// Fails if the database isn't ours any more.
    pub fn check(&self) -> sqlx::Result<()> {
        match self {
            Self::Files { files, .. } => {
                for file in files {
                    file.check()?;
                }
                Ok(())
            }
            Self::Session(Some(lock)) if !lock.is_held() => Err(Lost::Lock.into()),
            Self::Session(_) => Ok(()),
        }
    }

    /// Whether a server's moves have to wait while we write.
    pub fn is_in_the_way(&self) -> bool {
        match self {
            Self::Files { lock: None, lock_path, .. } => is_locked(lock_path),
            Self::Files { .. } => true,
            Self::Session(_) => false,
        }
    }

    /// Releases a server's lock.
    pub async fn release(&self) {
        if let Self::Session(Some(lock)) = self {
            lock.release().await;
        }
    }
}

impl fmt::Display for Lost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Moved(path) => write!(f, "{} was deleted or replaced", path.display()),
            Self::Lock => write!(f, "the lock of the server is lost"),
        }
    }
}

impl std::error::Error for Lost {}

impl From<Lost> for sqlx::Error {
    fn from(lost: Lost) -> Self {
        Self::Io(io::Error::other(lost))
    }
}

/// An open file and its path.
#[derive(Debug)]
pub(crate) struct Placed {
    path: PathBuf,
    identity: Option<Identity>,
}

impl Placed {
    /// Remembers which file is in this place.
    pub fn new(path: &Path) -> Self {
        Self { path: path.to_owned(), identity: identity(path) }
    }

    fn check(&self) -> Result<(), Lost> {
        if identity(&self.path) == self.identity {
            Ok(())
        } else {
            Err(Lost::Moved(self.path.clone()))
        }
    }
}

/// Device and number of a file.
#[cfg(unix)]
type Identity = (u64, u64);

#[cfg(unix)]
fn identity(path: &Path) -> Option<Identity> {
    use std::os::unix::fs::MetadataExt;
    std::fs::metadata(path).ok().map(|file| (file.dev(), file.ino()))
}

/// An open file can't be deleted on other systems.
#[cfg(not(unix))]
type Identity = ();

#[cfg(not(unix))]
fn identity(path: &Path) -> Option<Identity> {
    path.exists().then_some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_missed_until_it_is_back() {
        let folder = tempfile::tempdir().expect("a folder");
        let (path, aside) = (folder.path().join("riga.db"), folder.path().join("aside"));
        std::fs::write(&path, "games").expect("written");
        let placed = Placed::new(&path);
        assert_eq!(placed.check(), Ok(()));
        std::fs::rename(&path, &aside).expect("moved");
        assert_eq!(placed.check(), Err(Lost::Moved(path.clone())));
        std::fs::write(&path, "games").expect("written");
        assert_eq!(placed.check(), Err(Lost::Moved(path.clone())), "it is a copy");
        std::fs::rename(&aside, &path).expect("moved back");
        assert_eq!(placed.check(), Ok(()));
    }
}
