//! Writes a file, or continues one whose writer was killed.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{ErrorKind, Seek, SeekFrom, Write};
use std::path::Path;

use super::block::{FULL, FULL_WORK, Frame, HEADER};
use super::{DataError, Encoder, Game, Reader};
use crate::crc::crc32;

/// Collects games and writes them in blocks. Games that are not flushed are lost if the process
/// dies.
#[derive(Debug)]
pub struct Writer<W: Write> {
    out: W,
    block: Encoder,
}

/// What was found in a file that is continued.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Resumed {
    /// Games in intact blocks.
    pub games: u64,
    /// Positions with a score in intact blocks.
    pub positions: u64,
    /// Bytes of the file, without what was cut off.
    pub bytes: u64,
    /// Bytes of an unfinished block at the end, which were cut off.
    pub cut: u64,
    /// Damaged bytes before that; they stay, and readers skip them.
    pub damaged: u64,
}

impl<W: Write> Writer<W> {
    /// Starts a file.
    pub fn new(mut out: W) -> Result<Self, DataError> {
        out.write_all(&HEADER)?;
        Ok(Self::after_header(out))
    }

    fn after_header(out: W) -> Self {
        Self { out, block: Encoder::default() }
    }

    /// Adds a game. A full block is written.
    pub fn push(&mut self, game: &Game) -> Result<(), DataError> {
        self.block.push(game);
        let full = self.block.len() >= FULL || self.block.work() >= FULL_WORK;
        if full { self.flush() } else { Ok(()) }
    }

    /// Writes the games collected so far as a block, whatever their number.
    pub fn flush(&mut self) -> Result<(), DataError> {
        if self.block.is_empty() {
            return Ok(());
        }
        let block = std::mem::take(&mut self.block);
        let (games, positions) = (block.games(), block.positions());
        let bytes = block.finish();
        let frame = Frame { len: bytes.len(), games, positions, crc: crc32(&bytes) };
        // In one write, so that a kill is less likely to split it.
        self.out.write_all(&[&frame.to_bytes()[..], &bytes].concat())?;
        Ok(self.out.flush()?)
    }

    /// Writes the rest and returns the target.
    pub fn finish(mut self) -> Result<W, DataError> {
        self.flush()?;
        Ok(self.out)
    }
}

impl Writer<File> {
    /// Creates a file; none may exist by that name.
    pub fn create(path: impl AsRef<Path>) -> Result<Self, DataError> {
        Self::new(OpenOptions::new().write(true).create_new(true).open(path)?)
    }

    /// Continues or creates a file. An unfinished block at its end is cut off. No other process can
    /// continue the file at the same time.
    pub fn append(path: impl AsRef<Path>) -> Result<(Self, Resumed), DataError> {
        let mut file =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(DataError::InUse),
            // Some file systems don't support locks: continue without one.
            Err(TryLockError::Error(error)) if error.kind() == ErrorKind::Unsupported => {}
            Err(TryLockError::Error(error)) => return Err(error.into()),
        }
        let mut resumed = survey(&mut file)?;
        file.set_len(resumed.bytes)?;
        file.seek(SeekFrom::Start(resumed.bytes))?;
        if resumed.bytes == 0 {
            file.write_all(&HEADER)?;
            resumed.bytes = HEADER.len() as u64;
        }
        Ok((Self::after_header(file), resumed))
    }

    /// Writes the rest and syncs to disk.
    pub fn sync(&mut self) -> Result<(), DataError> {
        self.flush()?;
        Ok(self.out.sync_data()?)
    }
}

/// Counts the contents of intact blocks, and finds what must be cut off at the end.
fn survey(file: &mut File) -> Result<Resumed, DataError> {
    let mut found = Resumed::default();
    let mut reader = match Reader::new(&mut *file) {
        Ok(reader) => reader,
        // An unfinished header.
        Err(DataError::Empty) => return Ok(Resumed { cut: file.metadata()?.len(), ..found }),
        Err(error) => return Err(error),
    };
    loop {
        match reader.block() {
            Ok(None) => {
                found.bytes = reader.offset() - found.cut;
                return Ok(found);
            }
            Ok(Some(block)) => {
                found.games += u64::from(block.games);
                found.positions += u64::from(block.positions);
            }
            Err(DataError::Damaged(damage)) if damage.unfinished => found.cut = damage.len,
            Err(DataError::Damaged(damage)) => found.damaged += damage.len,
            Err(error) => return Err(error),
        }
    }
}
