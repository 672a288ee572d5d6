//! Where tables come from: directories, and the files in them.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use shakmaty::Chess;
use shakmaty_syzygy::{Syzygy, Tablebase};

/// How many table files were found, and up to how many men.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Shelf {
    /// Tables that know wins, draws and losses.
    pub wdl: usize,
    /// Tables that know the distance to the next capture, pawn move or mate.
    pub dtz: usize,
    /// The most men a table has, kings included; zero without tables.
    pub men: u32,
}

/// The directories of a text such as the UCI option `SyzygyPath`: several are parted by `:`, on
/// Windows by `;`. Blanks around a path are for the eye; an empty one and `<empty>` name none.
pub fn directories(text: &str) -> Vec<PathBuf> {
    std::env::split_paths(text)
        .map(|path| path.to_string_lossy().trim().to_owned())
        .filter(|path| !path.is_empty() && path != "<empty>")
        .map(PathBuf::from)
        .collect()
}

/// A collection without tables, that reads files through memory maps where that is possible.
/// Tests compare its answers with those of plain reads, the safe twin.
#[cfg(target_pointer_width = "64")]
pub(super) fn empty_tables() -> Tablebase<Chess> {
    #[expect(unsafe_code, reason = "the library reads memory-mapped files only by this door")]
    // SAFETY: a file that is mapped must not change. Nothing in this project writes to a table;
    // whoever else changes one in place, or pulls out the disk, while it is in use can end the
    // process, as with every program that maps its tables.
    unsafe {
        Tablebase::with_mmap_filesystem()
    }
}

/// A collection without tables; large ones don't fit into the address space of small machines.
#[cfg(not(target_pointer_width = "64"))]
pub(super) fn empty_tables() -> Tablebase<Chess> {
    Tablebase::new()
}

/// Adds every table of a directory; what can't be used becomes a message.
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
    // The order in a directory is by chance; messages and the choice between twins are not.
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

/// Whether a file calls itself a table of wins and losses (`true`) or of distances (`false`).
fn table_kind(path: &Path) -> Option<bool> {
    let extension = path.extension()?;
    let is_wdl = extension == Chess::TBW.ext;
    (is_wdl || extension == Chess::TBZ.ext).then_some(is_wdl)
}

/// The first four bytes tell a table from anything else that has its name.
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
