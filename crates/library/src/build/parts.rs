//! Postings, distributed by the top bits of their keys.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use crate::batch::Posting;
use crate::error::{At, Result};

/// Number of parts, by the top eight bits of the key.
pub(crate) const PARTS: usize = 256;
/// A posting in bytes: the key with the move in place of its top bits, and the game.
const SIZE: usize = 12;
/// The bits of a key that its part doesn't tell.
const LOW: u64 = (1 << 56) - 1;
/// What a part keeps in memory; 64 MB for all.
const KEPT: usize = 256 << 10;

/// The postings of a segment that is being built.
#[derive(Debug)]
pub(super) struct Parts {
    parts: Vec<Mutex<Part>>,
    folder: PathBuf,
}

#[derive(Debug, Default)]
struct Part {
    kept: Vec<u8>,
    file: Option<File>,
}

impl Parts {
    pub(super) fn new(folder: &Path) -> Self {
        let parts = (0..PARTS).map(|_| Mutex::default()).collect();
        Self { parts, folder: folder.to_owned() }
    }

    fn path(&self, number: usize) -> PathBuf {
        self.folder.join(format!("part-{number:03}"))
    }

    /// Adds the postings of a batch whose first game has this number.
    pub(super) fn add(&self, postings: &[Posting], first: u32) -> Result<()> {
        let mut sorted: Vec<Vec<u8>> = vec![Vec::new(); PARTS];
        for bytes in &mut sorted {
            bytes.reserve(postings.len() * SIZE / PARTS * 5 / 4);
        }
        for posting in postings {
            let bytes = &mut sorted[(posting.key >> 56) as usize];
            let key = posting.key & LOW | u64::from(posting.played) << 56;
            let mut packed = [0; SIZE];
            packed[..8].copy_from_slice(&key.to_le_bytes());
            packed[8..].copy_from_slice(&(first + posting.row).to_le_bytes());
            bytes.extend_from_slice(&packed);
        }
        for (number, bytes) in sorted.iter().enumerate() {
            let mut part = self.parts[number].lock().unwrap_or_else(PoisonError::into_inner);
            part.kept.extend_from_slice(bytes);
            if part.kept.len() > KEPT {
                let path = self.path(number);
                let Part { kept, file } = &mut *part;
                if file.is_none() {
                    let options =
                        File::options().read(true).write(true).create_new(true).open(&path);
                    *file = Some(options.at(&path)?);
                }
                file.as_mut().expect("just opened").write_all(kept).at(&path)?;
                kept.clear();
            }
        }
        Ok(())
    }

    /// Takes a part out, sorted by key and game, with each game's final number: `key << 40 | game << 8
    /// | move`.
    pub(super) fn take(&self, number: usize, renumber: &[u32]) -> Result<Vec<u128>> {
        let mut part =
            std::mem::take(&mut *self.parts[number].lock().unwrap_or_else(PoisonError::into_inner));
        let path = self.path(number);
        let mut bytes = Vec::new();
        if let Some(mut file) = part.file.take() {
            file.seek(SeekFrom::Start(0)).at(&path)?;
            file.read_to_end(&mut bytes).at(&path)?;
            drop(file);
            std::fs::remove_file(&path).at(&path)?;
        }
        bytes.extend_from_slice(&part.kept);
        let unpack = |packed: &[u8; SIZE]| {
            let [key @ .., g0, g1, g2, g3] = *packed;
            let key = u64::from_le_bytes(key);
            let game = renumber[u32::from_le_bytes([g0, g1, g2, g3]) as usize];
            let played = (key >> 56) as u8;
            let key = key & LOW | (number as u64) << 56;
            u128::from(key) << 40 | u128::from(game) << 8 | u128::from(played)
        };
        let mut postings: Vec<u128> = bytes.as_chunks::<SIZE>().0.iter().map(unpack).collect();
        postings.sort_unstable();
        Ok(postings)
    }
}
