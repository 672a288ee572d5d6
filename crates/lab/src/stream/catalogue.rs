//! The positions of blocks in files, for random access.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use nnue::data::{Block, Damage, DataError, FRAME, Reader};

/// The position of a block.
#[derive(Copy, Clone, Debug)]
pub struct Entry {
    file: usize,
    offset: u64,
    len: usize,
    games: u32,
    /// Positions with a score, some of which become records.
    pub positions: u32,
}

/// Finds the blocks of a file. Each is read once, so that damage is known before work starts.
pub fn list(
    file: usize,
    path: &Path,
    damaged: &mut dyn FnMut(&Path, &Damage),
) -> Result<Vec<Entry>, DataError> {
    let mut reader = Reader::new(File::open(path)?)?;
    let mut entries = Vec::new();
    loop {
        match reader.block() {
            Ok(None) => return Ok(entries),
            Ok(Some(Block { offset, games, positions, bytes })) => {
                entries.push(Entry { file, offset, len: bytes.len(), games, positions });
            }
            Err(DataError::Damaged(damage)) => damaged(path, &damage),
            Err(error) => return Err(error),
        }
    }
}

/// Files to read block by block.
#[derive(Debug)]
pub struct Files(Vec<File>);

impl Files {
    /// Opens all files.
    pub fn open(paths: &[PathBuf]) -> Result<Self, (PathBuf, DataError)> {
        let open = |path: &PathBuf| File::open(path).map_err(|error| (path.clone(), error.into()));
        paths.iter().map(open).collect::<Result<_, _>>().map(Self)
    }

    /// Reads a block.
    pub fn read(&mut self, entry: &Entry) -> std::io::Result<Block> {
        let Entry { file, offset, len, games, positions } = *entry;
        let mut bytes = vec![0; len];
        let file = &mut self.0[file];
        file.seek(SeekFrom::Start(offset + FRAME as u64))?;
        file.read_exact(&mut bytes)?;
        Ok(Block { offset, games, positions, bytes })
    }
}

impl Entry {
    /// The index of its file.
    pub const fn file(&self) -> usize {
        self.file
    }
}
