//! Finds table files in directories.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use shakmaty::Chess;
use shakmaty_syzygy::{Syzygy, Tablebase};

/// Number of table files found, and their largest number of pieces.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Shelf {
    /// Number of WDL tables (win, draw, loss).
    pub wdl: usize,
    /// Number of DTZ tables (distance to the next capture, pawn move or mate).
    pub dtz: usize,
    /// The largest number of pieces, including kings; zero without tables.
    pub men: u32,
}

/// The directories in a text such as the UCI option `SyzygyPath`, separated by `:`, on Windows by
/// `;`. White space around a path is ignored; an empty one and `<empty>` mean none.
pub fn directories(text: &str) -> Vec<PathBuf> {
    std::env::split_paths(text)
        .map(|path| path.to_string_lossy().trim().to_owned())
        .filter(|path| !path.is_empty() && path != "<empty>")
        .map(PathBuf::from)
        .collect()
}

/// A collection without tables that reads files through memory maps where possible. Tests compare
/// its results with those of plain reads, the safe twin.
#[cfg(target_pointer_width = "64")]
pub(super) fn empty_tables() -> Tablebase<Chess> {
    #[expect(unsafe_code, reason = "the only way to memory-mapped files in the library")]
    // SAFETY: a mapped file must not change. Nothing in this project writes to a table; changing
    // one in place, or removing the disk, while it is in use can crash the process, as with every
    // program that maps its tables.
    unsafe {
        Tablebase::with_mmap_filesystem()
    }
}

/// A collection without tables; large ones don't fit into the address space of small machines.
#[cfg(not(target_pointer_width = "64"))]
pub(super) fn empty_tables() -> Tablebase<Chess> {
    Tablebase::new()
}

/// Adds every table of a directory; unusable files are reported as messages.
pub(super) fn add_directory(
    tables: &mut Tablebase<Chess>,
    shelf: &mut Shelf,
    directory: &Path,
    messages: &mut Vec<String>,
) {
    let entries = match std::fs::read_dir(directory) {
        Ok(entries) => entries,
        Err(error) => {
            messages.push(format!("tablebases in {}: {error}", directory.display()));
            return;
        }
    };
    let mut paths: Vec<PathBuf> =
        entries.filter_map(|entry| entry.ok().map(|entry| entry.path())).collect();
    // Directory order is arbitrary; messages and the choice between duplicates must not be.
    paths.sort();
    for path in paths {
        let Some(is_wdl) = table_kind(&path) else { continue };
        let added = check_magic(&path, is_wdl).and_then(|()| tables.add_file(&path));
        match added {
            Ok(()) if is_wdl => shelf.wdl += 1,
            Ok(()) => shelf.dtz += 1,
            Err(error) => messages.push(format!("tablebase {}: {error}", path.display())),
        }
    }
    shelf.men = tables.max_pieces() as u32;
}

/// Whether a file is named like a WDL table (`true`) or a DTZ table (`false`).
fn table_kind(path: &Path) -> Option<bool> {
    let extension = path.extension()?;
    let is_wdl = extension == Chess::TBW.ext;
    (is_wdl || extension == Chess::TBZ.ext).then_some(is_wdl)
}

/// Checks the first four bytes, by which a table is recognised.
fn check_magic(path: &Path, is_wdl: bool) -> std::io::Result<()> {
    if !std::fs::metadata(path)?.is_file() {
        return Err(std::io::Error::other("not a file"));
    }
    let mut magic = [0; 4];
    File::open(path)?.read_exact(&mut magic)?;
    let expected = if is_wdl { Chess::TBW.magic } else { Chess::TBZ.magic };
    if magic == expected { Ok(()) } else { Err(std::io::Error::other("not a Syzygy table")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_may_name_several_directories_or_none() {
        let separator = if cfg!(windows) { ";" } else { ":" };
        let text = ["tables/3-4", "", "tables/5"].join(separator);
        assert_eq!(directories(&text), [Path::new("tables/3-4"), Path::new("tables/5")]);
        assert!(directories("").is_empty());
        assert!(directories("<empty>").is_empty());
    }
}
