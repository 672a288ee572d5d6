//! The right to change a library: one process has it at a time. A library that gets no games leaves nothing behind.

use std::fs::{self, File, TryLockError};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::error::{At, LibraryError, Result};
use crate::leftovers::{LOCK, check_vacant, tidy};
use crate::manifest::Manifest;

/// The right to change a library; other processes are refused until it is dropped.
pub(crate) struct Writing {
    pub(crate) manifest: Manifest,
    folder: PathBuf,
    /// Whether the library had no manifest.
    new: bool,
    // Dropped in this order: the folders go after the lock in them.
    _lock: File,
    _made: Made,
}

/// How often a folder is made again that another process has removed at the same time.
const ATTEMPTS: usize = 20;

impl Writing {
    /// Takes the right to change a library, and removes what an interrupted change has left. The first change of a
    /// library needs a new or empty folder.
    pub(crate) fn start(folder: &Path) -> Result<Self> {
        check_usable(folder)?;
        let made = Made::before(folder);
        let lock = lock(folder)?;
        let found = Manifest::read(folder)?;
        let new = found.is_none();
        if new {
            check_vacant(folder)?;
        }
        let manifest = found.unwrap_or(Manifest { next: 1, segments: Vec::new() });
        let writing = Self { manifest, folder: folder.to_owned(), new, _lock: lock, _made: made };
        tidy(folder, &writing.manifest)?;
        Ok(writing)
    }
}

impl Drop for Writing {
    fn drop(&mut self) {
        if self.new && matches!(Manifest::read(&self.folder), Ok(None)) {
            let _ = fs::remove_file(self.folder.join(Manifest::NEW_NAME));
            let _ = fs::remove_file(self.folder.join(LOCK));
        }
    }
}

/// An error if there is neither a library in a folder nor room for one. While another process has the lock, what is
/// there is its business.
pub(crate) fn check_usable(folder: &Path) -> Result<()> {
    let unlocked = !folder.join(LOCK).exists();
    match Manifest::read(folder)? {
        None if unlocked => check_vacant(folder),
        _ => Ok(()),
    }
}

fn lock(folder: &Path) -> Result<File> {
    let path = folder.join(LOCK);
    let open = || {
        fs::create_dir_all(folder)?;
        File::options().create(true).truncate(false).write(true).open(&path)
    };
    let busy = || LibraryError::Busy(folder.to_owned());
    for _ in 0..ATTEMPTS {
        let lock = match open() {
            // The first change of another process has failed, and it has just cleaned up.
            Err(error) if error.kind() == ErrorKind::NotFound => continue,
            lock => lock.at(&path)?,
        };
        match lock.try_lock() {
            Ok(()) if is_at(&lock, &path) => return Ok(lock),
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(busy()),
            Err(TryLockError::Error(error)) => return Err(error).at(&path),
        }
    }
    Err(busy())
}

/// Whether an open file still has its name: a lock on a removed one keeps nobody out.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let found = file.metadata().and_then(|file| Ok((file, fs::metadata(path)?)));
    found.is_ok_and(|(file, path)| (file.dev(), file.ino()) == (path.dev(), path.ino()))
}

#[cfg(not(unix))]
fn is_at(_: &File, path: &Path) -> bool {
    path.exists()
}

/// Folders that are not there yet, the innermost first; when it is dropped, those that are empty are removed.
struct Made(Vec<PathBuf>);

impl Made {
    fn before(folder: &Path) -> Self {
        let missing = |folder: &&Path| !folder.as_os_str().is_empty() && !folder.exists();
        Self(folder.ancestors().take_while(missing).map(Path::to_owned).collect())
    }
}

impl Drop for Made {
    fn drop(&mut self) {
        for folder in &self.0 {
            let _ = fs::remove_dir(folder);
        }
    }
}
