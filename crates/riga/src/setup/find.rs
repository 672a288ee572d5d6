//! Finding and checking books, tablebases and networks.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use engine::book::Book;
use engine::tablebase::Tablebases;
use nnue::Net;
use serde_json::{Value, json};

use crate::show::thousands;

/// What a file is for.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    Book,
    Tablebases,
    Network,
}

impl Kind {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Book => "book",
            Self::Tablebases => "tablebases",
            Self::Network => "network",
        }
    }
}

/// A file, or a folder of tables, that can be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asset {
    pub kind: Kind,
    /// The file; for tablebases the folder.
    pub path: PathBuf,
    /// What is in it.
    pub about: String,
    /// How much is in it: positions of a book, men of tablebases.
    pub size: usize,
}

impl Asset {
    pub fn to_json(&self) -> Value {
        json!({ "kind": self.kind.name(), "path": self.path.display().to_string(), "about": self.about })
    }
}

/// What was found.
#[derive(Debug, Default)]
pub struct Found {
    pub assets: Vec<Asset>,
    /// Files that can't be used, and why.
    pub faults: Vec<String>,
}

/// Folders in folders that are looked into.
const DEPTH: usize = 6;

impl Found {
    /// Everything in files and folders.
    pub fn below(paths: &[PathBuf]) -> Self {
        let mut found = Self::default();
        found.add_all(paths);
        found
    }

    /// Adds files and folders.
    pub fn add_all(&mut self, paths: &[PathBuf]) {
        let mut files = Vec::new();
        for path in paths {
            // The configuration needs paths that hold from anywhere.
            match fs::canonicalize(path) {
                Ok(path) => self.walk(&path, DEPTH, &mut files),
                Err(error) => self.faults.push(format!("{}: {error}", path.display())),
            }
        }
        files.sort();
        files.dedup();
        // A folder of tables is one thing, with the files asked for or not.
        let mut tables: BTreeMap<PathBuf, usize> = BTreeMap::new();
        for file in files {
            match extension(&file).as_str() {
                "bin" => self.add_book(&file),
                "net" => self.add_network(&file),
                "rtbw" | "rtbz" => {
                    let folder = file.parent().map_or_else(PathBuf::new, Path::to_owned);
                    *tables.entry(folder).or_default() += 1;
                }
                _ => {}
            }
        }
        for (folder, files) in tables {
            self.add_tables(folder, files);
        }
        self.assets.sort_by_key(|asset| (asset.kind, std::cmp::Reverse(asset.size)));
    }

    fn walk(&mut self, path: &Path, depth: usize, files: &mut Vec<PathBuf>) {
        if !path.is_dir() {
            files.push(path.to_owned());
            return;
        }
        let entries = match fs::read_dir(path) {
            Ok(entries) => entries,
            Err(error) => return self.faults.push(format!("{}: {error}", path.display())),
        };
        for entry in entries.flatten() {
            let inner = entry.path();
            // Links may lead in circles.
            let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
            if is_folder && depth > 0 {
                self.walk(&inner, depth - 1, files);
            } else if inner.is_file() {
                files.push(inner);
            }
        }
    }

    fn add_book(&mut self, file: &Path) {
        match Book::open(file) {
            Ok(book) => {
                let positions = book.positions();
                let about = format!("Polyglot book, {} positions", thousands(positions as u64));
                let path = file.to_owned();
                self.assets.push(Asset { kind: Kind::Book, path, about, size: positions });
            }
            Err(error) => self.faults.push(format!("{}: {error}", file.display())),
        }
    }

    fn add_network(&mut self, file: &Path) {
        let read = fs::read(file).map_err(|error| error.to_string());
        let net = read.and_then(|bytes| Net::from_bytes(&bytes).map_err(|error| error.to_string()));
        match net {
            Ok(net) => {
                let about = format!("network, {}", net.about());
                let path = file.to_owned();
                self.assets.push(Asset { kind: Kind::Network, path, about, size: 0 });
            }
            Err(error) => self.faults.push(format!("{}: {error}", file.display())),
        }
    }

    fn add_tables(&mut self, folder: PathBuf, files: usize) {
        let (tables, faults) = Tablebases::open(std::slice::from_ref(&folder));
        self.faults.extend(faults);
        let men = tables.men() as usize;
        if men > 0 {
            let about =
                format!("Syzygy tablebases, {} files, up to {men} men", thousands(files as u64));
            self.assets.push(Asset { kind: Kind::Tablebases, path: folder, about, size: men });
        }
    }
}

fn extension(path: &Path) -> String {
    path.extension().map(|end| end.to_string_lossy().to_lowercase()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn books_and_networks_are_found_and_damaged_files_are_told() {
        let folder = tempfile::tempdir().expect("a folder");
        let inner = folder.path().join("a/b");
        fs::create_dir_all(&inner).expect("folders");
        fs::write(inner.join("own.bin"), Book::embedded().as_bytes()).expect("a file");
        fs::write(inner.join("short.bin"), b"abc").expect("a file");
        fs::write(folder.path().join("other.net"), b"RIGANNUE").expect("a file");
        fs::write(folder.path().join("notes.txt"), b"nothing").expect("a file");
        let found = Found::below(&[folder.path().to_owned()]);
        assert_eq!(found.assets.len(), 1, "{found:?}");
        assert_eq!(found.assets[0].kind, Kind::Book);
        assert!(found.assets[0].path.is_absolute());
        assert_eq!(found.faults.len(), 2, "{found:?}");
    }
}
