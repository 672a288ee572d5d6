//! The collections of games that the server shows: each folder in one folder is a library.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use library::{Library, LibraryError};

use crate::problem::{Failure, Kind, Result};

/// The collections of a folder. They are opened when first needed, and again when another process has
/// changed them.
#[derive(Default)]
pub(crate) struct Collections {
    folder: Option<PathBuf>,
    open: Mutex<HashMap<String, Opened>>,
}

struct Opened {
    library: Arc<Library>,
    changed: Option<SystemTime>,
}

impl Collections {
    pub fn new(folder: Option<PathBuf>) -> Self {
        Self { folder, open: Mutex::default() }
    }

    /// All collections by name. Damaged ones are left out, and logged.
    pub fn all(&self) -> Vec<(String, Arc<Library>)> {
        let Some(folder) = &self.folder else { return Vec::new() };
        let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
        let names = entries.flatten().filter_map(|entry| entry.file_name().into_string().ok());
        let mut names: Vec<String> = names
            .filter(|name| is_name(name) && Library::changed(&folder.join(name)).is_some())
            .collect();
        names.sort();
        let open = |name: String| match self.open(folder, &name) {
            Ok(library) => Some((name, library)),
            Err(error) => {
                tracing::warn!(%error, name, "failed to open a collection");
                None
            }
        };
        names.into_iter().filter_map(open).collect()
    }

    /// A collection by its name.
    pub fn find(&self, name: &str) -> Result<Arc<Library>> {
        let none = || Failure::new(Kind::NotFound, "there is no such collection");
        let folder = self.folder.as_ref().filter(|_| is_name(name)).ok_or_else(none)?;
        Library::changed(&folder.join(name)).ok_or_else(none)?;
        self.open(folder, name).map_err(|error| failure(&error))
    }

    fn open(&self, folder: &Path, name: &str) -> library::Result<Arc<Library>> {
        let path = folder.join(name);
        let changed = Library::changed(&path);
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(opened) = open.get_mut(name) {
            if opened.changed != changed {
                opened.library.refresh()?;
                opened.changed = changed;
            }
            return Ok(Arc::clone(&opened.library));
        }
        let library = Arc::new(Library::open(&path)?);
        open.insert(name.to_owned(), Opened { library: Arc::clone(&library), changed });
        Ok(library)
    }
}

/// Names lead to no other folder.
fn is_name(name: &str) -> bool {
    !name.is_empty()
        && name.len() <= 100
        && !name.starts_with('.')
        && name.chars().all(|c| c.is_alphanumeric() || " .-_".contains(c))
}

/// What a failed question means to a visitor.
pub(crate) fn failure(error: &LibraryError) -> Failure {
    match error {
        LibraryError::NoGame(_) | LibraryError::UnknownPlayer(_) => {
            Failure::new(Kind::NotFound, error.to_string())
        }
        _ => {
            tracing::error!(%error, "failed to read a collection");
            Failure::new(Kind::Internal, "the collection can't be read")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_to_no_other_folder() {
        assert!(is_name("twic 2026") && is_name("Lichess-2026_01.elite"));
        for wrong in ["", ".", "..", ".hidden", "a/b", "a\\b", "a\0b"] {
            assert!(!is_name(wrong), "{wrong:?}");
        }
    }

    #[test]
    fn collections_are_the_folders_with_a_library() {
        let folder = tempfile::tempdir().expect("a folder");
        let mine = Library::create(&folder.path().join("mine")).expect("a library");
        mine.add(Vec::new(), 1, &|_| true).expect("a library without games");
        fs::create_dir(folder.path().join("other")).expect("a folder");
        fs::create_dir(folder.path().join("damaged")).expect("a folder");
        fs::write(folder.path().join("damaged").join("manifest"), "x").expect("a file");
        let collections = Collections::new(Some(folder.path().to_owned()));
        let names: Vec<String> = collections.all().into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["mine"]);
        assert!(collections.find("mine").is_ok());
        assert!(collections.find("other").is_err() && collections.find("..").is_err());
        assert!(Collections::default().all().is_empty());
    }
}
