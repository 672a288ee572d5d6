//! The collections of games that the server shows: each folder in one folder is a library.

use std::collections::{HashMap, HashSet};
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
    /// Those that couldn't be read, and have been logged.
    damaged: Mutex<HashSet<String>>,
}

struct Opened {
    library: Arc<Library>,
    changed: Option<SystemTime>,
}

impl Collections {
    pub fn new(folder: Option<PathBuf>) -> Self {
        Self { folder, ..Self::default() }
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
        let open = |name: String| {
            let library = self.readable(&name, self.open(folder, &name))?;
            Some((name, library))
        };
        names.into_iter().filter_map(open).collect()
    }

    /// Answers of all collections to a question. Damaged ones are left out, and logged.
    pub fn ask<T>(&self, question: impl Fn(&Library) -> library::Result<T>) -> Vec<T> {
        let ask =
            |(name, library): (String, Arc<Library>)| self.readable(&name, question(&library));
        self.all().into_iter().filter_map(ask).collect()
    }

    /// What was read from a collection; a failure is logged once.
    fn readable<T>(&self, name: &str, read: library::Result<T>) -> Option<T> {
        let mut damaged = self.damaged.lock().unwrap_or_else(PoisonError::into_inner);
        match &read {
            Ok(_) => drop(damaged.remove(name)),
            Err(error) if damaged.insert(name.to_owned()) => {
                tracing::warn!(%error, name, "failed to read a collection: it is left out");
            }
            Err(_) => {}
        }
        read.ok()
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
        && !name.starts_with('.')
        && !name.contains(|c: char| c.is_control() || r"/\:".contains(c))
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
    use chess::Position;
    use library::{Filter, Source};

    use super::*;

    #[test]
    fn names_lead_to_no_other_folder() {
        assert!(is_name("twic 2026") && is_name("Tal's \"best\" <1960>, C++"));
        for wrong in ["", ".", "..", ".hidden", "a/b", "a\\b", "c:a", "a\0b"] {
            assert!(!is_name(wrong), "{wrong:?}");
        }
    }

    #[test]
    fn collections_are_the_folders_with_a_library() {
        let folder = tempfile::tempdir().expect("a folder");
        let pgn = folder.path().join("games.pgn");
        fs::write(&pgn, "1. e4 e5 *").expect("a file");
        let mine = Library::create(&folder.path().join("mine")).expect("a library");
        let source = Source::open(&pgn).expect("a file");
        mine.add(vec![source], 1, &|_| true).expect("a library of one game");
        fs::create_dir(folder.path().join("other")).expect("a folder");
        fs::create_dir(folder.path().join("damaged")).expect("a folder");
        fs::write(folder.path().join("damaged").join("manifest"), "x").expect("a file");
        let collections = Collections::new(Some(folder.path().to_owned()));
        let names: Vec<String> = collections.all().into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["mine"]);
        assert!(collections.find("mine").is_ok());
        assert!(collections.find("other").is_err() && collections.find("..").is_err());
        assert!(Collections::default().all().is_empty());
        // One that gets damaged while it is open doesn't keep the others from answering.
        let games = |library: &Library| library.tallies(&Position::default(), &Filter::default());
        assert_eq!(collections.ask(games).len(), 1);
        for name in ["shared", "single"] {
            fs::write(folder.path().join("mine/segment-1").join(name), "x").expect("a file");
        }
        assert!(collections.ask(games).is_empty());
    }
}
