//! The right to change a library: one process has it at a time. A library that gets no games leaves nothing behind.

use std::fs::{self, File, TryLockError};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::error::{At, LibraryError, Result};
use crate::leftovers::{LOCK, check_vacant, free_number, tidy};
use crate::manifest::Manifest;

/// The right to change a library; other processes are refused until it is dropped.
pub(crate) struct Writing {
    pub(crate) manifest: Manifest,
    folder: PathBuf,
    /// Whether the library had no manifest, and has got no games yet.
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
        let mut made = Made::default();
        let lock = lock(folder, &mut made)?;
        let found = Manifest::read(folder)?;
        let new = found.is_none();
        if new {
            check_vacant(folder)?;
        }
        let manifest = found.unwrap_or(Manifest { next: 1, segments: Vec::new() });
        let writing = Self { manifest, folder: folder.to_owned(), new, _lock: lock, _made: made };
        writing.tidy()?;
        Ok(writing)
    }

    /// A number for a new segment. The manifest says that it is taken before anything has it in its name, so that
    /// what an interrupted change leaves can be told from what belongs to somebody else.
    pub(crate) fn reserve(&mut self) -> Result<u32> {
        let number = free_number(&self.folder, self.manifest.next)?;
        let next = number.saturating_add(1);
        self.replace(Manifest { next, segments: self.manifest.segments.clone() })?;
        Ok(number)
    }

    /// Makes these the segments of the library.
    pub(crate) fn list(&mut self, segments: Vec<u32>) -> Result<()> {
        let empty = segments.is_empty();
        self.replace(Manifest { next: self.manifest.next, segments })?;
        self.new &= empty;
        Ok(())
    }

    fn replace(&mut self, manifest: Manifest) -> Result<()> {
        manifest.write(&self.folder)?;
        self.manifest = manifest;
        Ok(())
    }

    /// Removes what no manifest lists.
    pub(crate) fn tidy(&self) -> Result<()> {
        // A write may have failed after the new manifest was there.
        let found = Manifest::read(&self.folder)?;
        tidy(&self.folder, found.as_ref().unwrap_or(&self.manifest))
    }
}

impl Drop for Writing {
    fn drop(&mut self) {
        let unused = |found: Option<Manifest>| found.is_none_or(|found| found.segments.is_empty());
        if self.new && Manifest::read(&self.folder).is_ok_and(unused) {
            for name in [Manifest::NAME, Manifest::NEW_NAME, LOCK] {
                let _ = fs::remove_file(self.folder.join(name));
            }
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

fn lock(folder: &Path, made: &mut Made) -> Result<File> {
    let path = folder.join(LOCK);
    let mut open = || {
        made.make(folder)?;
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

/// Folders that were made here; when it is dropped, those that are empty are removed.
#[derive(Default)]
struct Made(Vec<PathBuf>);

impl Made {
    /// Makes a folder and those around it.
    fn make(&mut self, folder: &Path) -> std::io::Result<()> {
        let missing = |folder: &&Path| !folder.as_os_str().is_empty() && !folder.exists();
        let missing: Vec<_> = folder.ancestors().take_while(missing).collect();
        for folder in missing.into_iter().rev() {
            match fs::create_dir(folder) {
                Ok(()) => self.0.push(folder.to_owned()),
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                error => return error,
            }
        }
        Ok(())
    }
}

impl Drop for Made {
    fn drop(&mut self) {
        for folder in self.0.iter().rev() {
            let _ = fs::remove_dir(folder);
        }
    }
}
