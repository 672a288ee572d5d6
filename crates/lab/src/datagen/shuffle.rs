//! Shuffles the games of files larger than memory.

use std::fs::File;
use std::io::{Seek, Write};
use std::path::{Path, PathBuf};

use engine::Dice;
use nnue::data::{Damage, DataError, Decoder, Encoder, Game};

use super::merge::{Copied, CopyError, NewFile, each_game};

/// How to shuffle.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Shuffle {
    /// Seed of the order.
    pub seed: u64,
    /// Write at most this many positions, from randomly chosen games.
    pub positions: Option<u64>,
    /// Bytes of games to hold in memory at a time.
    pub memory: u64,
}

impl Default for Shuffle {
    fn default() -> Self {
        Self { seed: 0, positions: None, memory: 1 << 28 }
    }
}

/// Writes the games of some files into a new one in random order, deterministic for the same seed
/// and files. Damaged parts are passed to `damaged` and skipped. The new file appears only when it
/// is complete.
///
/// What doesn't fit into memory is distributed at random over temporary files beside the new one;
/// each is then shuffled in memory. All orders are equally likely. A game that branched from the
/// one before it is stored with its start position when they are separated.
pub fn shuffle(
    inputs: &[PathBuf],
    out: &Path,
    how: &Shuffle,
    damaged: &mut dyn FnMut(&Path, &Damage),
) -> Result<Copied, CopyError> {
    let mut writer = NewFile::create(out)?;
    let mut dice = Dice::new(how.seed);
    let mut heaps = heaps(inputs, out, how.memory)?;
    let mut copied = Copied::default();
    each_game(inputs, damaged, &mut copied, &mut |game, _| {
        let count = heaps.len();
        heaps[dice.below(count as u64) as usize].push(&game).map_err(temporary)
    })?;
    for heap in &mut heaps {
        let (bytes, mut games) = heap.take().map_err(temporary)?;
        dice.shuffle(&mut games);
        for Place { at, len, scores } in games {
            let positions = copied.positions + u64::from(scores);
            if how.positions.is_some_and(|most| positions > most) {
                continue;
            }
            let game = Decoder::new(bytes[at..at + len].to_vec()).game();
            writer.push(&game.expect("it has just been encoded"))?;
            copied.games += 1;
            copied.positions = positions;
        }
    }
    writer.finish()?;
    Ok(copied)
}

fn temporary(error: std::io::Error) -> CopyError {
    CopyError::Temporary(DataError::Io(error))
}

/// Enough heaps for each to fit into memory, with a margin for chance.
fn heaps(inputs: &[PathBuf], out: &Path, memory: u64) -> Result<Vec<Heap>, CopyError> {
    let mut bytes = 0;
    for path in inputs {
        let failed =
            |error: std::io::Error| CopyError::File { path: path.clone(), cause: error.into() };
        bytes += path.metadata().map_err(failed)?.len();
    }
    if bytes <= memory {
        return Ok(vec![Heap::default()]);
    }
    let folder = match out.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    };
    // A limit on open files per process.
    let count = (bytes * 5 / 4 / memory.max(1) + 1).min(500);
    (0..count)
        .map(|_| {
            let file = tempfile::tempfile_in(folder).map_err(temporary)?;
            Ok(Heap { file: Some(file), ..Heap::default() })
        })
        .collect()
}

/// The position of a game in a heap's bytes.
struct Place {
    at: usize,
    len: usize,
    scores: u32,
}

/// Games in no particular order, each encoded on its own, in memory or in a file.
#[derive(Default)]
struct Heap {
    file: Option<File>,
    bytes: Vec<u8>,
    /// Bytes and scores of each game, in order of arrival.
    games: Vec<(u32, u32)>,
}

/// A heap in a file buffers this many bytes before it writes them.
const BUFFER: usize = 1 << 16;

impl Heap {
    fn push(&mut self, game: &Game) -> std::io::Result<()> {
        let mut encoder = Encoder::default();
        encoder.push(game);
        let bytes = encoder.finish();
        self.games.push((bytes.len() as u32, game.scores().len() as u32));
        self.bytes.extend(bytes);
        match &mut self.file {
            Some(file) if self.bytes.len() >= BUFFER => {
                file.write_all(&self.bytes)?;
                self.bytes.clear();
            }
            _ => {}
        }
        Ok(())
    }

    /// Takes all bytes and the positions of the games in them, leaving the heap empty.
    fn take(&mut self) -> std::io::Result<(Vec<u8>, Vec<Place>)> {
        let mut bytes = Vec::new();
        if let Some(mut file) = self.file.take() {
            file.rewind()?;
            std::io::Read::read_to_end(&mut file, &mut bytes)?;
        }
        if bytes.is_empty() {
            bytes = std::mem::take(&mut self.bytes);
        } else {
            bytes.append(&mut self.bytes);
        }
        let mut at = 0;
        let places = std::mem::take(&mut self.games)
            .into_iter()
            .map(|(len, scores)| {
                let place = Place { at, len: len as usize, scores };
                at += place.len;
                place
            })
            .collect();
        Ok((bytes, places))
    }
}
