//! Streams blocks and games from a file, and resynchronises after damage.

use std::io::Read;

use super::block::{FRAME, Frame, HEADER, MARKER, check_header};
use super::{BlockGames, Damage, DataError, Game};
use crate::crc::crc32;

/// Reads the blocks of a file from first to last.
#[derive(Debug)]
pub struct Reader<R> {
    source: R,
    /// Bytes read from the source; the unused ones start at `used`.
    buffer: Vec<u8>,
    used: usize,
    /// The file offset of the unused bytes.
    offset: u64,
    ended: bool,
    /// An unfinished block found at the end, after other damage, and not reported yet.
    unfinished: Option<Damage>,
}

/// The games of a block, still encoded.
#[derive(Clone, Debug)]
pub struct Block {
    /// The block's offset in the file.
    pub offset: u64,
    /// Number of games.
    pub games: u32,
    /// Number of positions with a score.
    pub positions: u32,
    /// The games, for a [`Decoder`](super::Decoder).
    pub bytes: Vec<u8>,
}

/// Bytes per read.
const PIECE: usize = 1 << 16;

impl<R: Read> Reader<R> {
    /// Starts reading; the source must be training data.
    pub fn new(source: R) -> Result<Self, DataError> {
        let buffer = Vec::new();
        let mut reader =
            Self { source, buffer, used: 0, offset: 0, ended: false, unfinished: None };
        check_header(reader.look(HEADER.len())?)?;
        reader.skip(HEADER.len());
        Ok(reader)
    }

    /// The file offset of the next block.
    pub const fn offset(&self) -> u64 {
        self.offset
    }

    /// The next block, `None` at the end. After [`DataError::Damaged`] it can be called again.
    pub fn block(&mut self) -> Result<Option<Block>, DataError> {
        if let Some(unfinished) = self.unfinished.take() {
            return Err(unfinished.into());
        }
        if self.look(1)?.is_empty() {
            return Ok(None);
        }
        if let Some(frame) = self.whole_block()? {
            let bytes = self.look(FRAME + frame.len)?[FRAME..FRAME + frame.len].to_vec();
            let block = Block {
                offset: self.offset,
                games: frame.games,
                positions: frame.positions,
                bytes,
            };
            self.skip(FRAME + frame.len);
            return Ok(Some(block));
        }
        Err(self.skip_damage()?.into())
    }

    /// Streams the games.
    pub fn games(self) -> Games<R> {
        Games { reader: self, block: None, ended: false }
    }

    /// The header of the block that starts here, if the block is intact.
    fn whole_block(&mut self) -> Result<Option<Frame>, DataError> {
        let Some(frame) = Frame::read(self.look(FRAME)?) else { return Ok(None) };
        let len = FRAME + frame.len;
        let games = self.look(len)?.get(FRAME..len);
        Ok(games.is_some_and(|games| crc32(games) == frame.crc).then_some(frame))
    }

    /// Whether the file ends within the block that starts here.
    fn is_cut_short(&mut self) -> Result<bool, DataError> {
        let here = self.look(FRAME)?;
        if here.len() < FRAME {
            let known = here.len().min(MARKER.len());
            return Ok(here[..known] == MARKER[..known]);
        }
        let Some(frame) = Frame::read(here) else { return Ok(false) };
        let len = FRAME + frame.len;
        Ok(self.look(len)?.len() < len)
    }

    /// Skips to the next intact block, or to the end. A truncated block at the end is kept apart
    /// from the damage before it.
    fn skip_damage(&mut self) -> Result<Damage, DataError> {
        let damage = |from: u64, to: u64, unfinished| Damage {
            offset: from,
            len: to - from,
            unfinished,
            game: None,
        };
        let start = self.offset;
        let mut cut = None;
        loop {
            if self.is_cut_short()? {
                cut = Some(self.offset);
            }
            self.skip(1);
            self.skip_to_marker()?;
            let end = self.offset;
            if self.whole_block()?.is_some() {
                return Ok(damage(start, end, false));
            }
            if self.look(1)?.is_empty() {
                let Some(cut) = cut else { return Ok(damage(start, end, false)) };
                let unfinished = damage(cut, end, true);
                if cut == start {
                    return Ok(unfinished);
                }
                self.unfinished = Some(unfinished);
                return Ok(damage(start, cut, false));
            }
        }
    }

    /// Skips to where a block may start.
    fn skip_to_marker(&mut self) -> Result<(), DataError> {
        loop {
            let here = self.look(PIECE)?;
            if let Some(i) = here.windows(MARKER.len()).position(|bytes| bytes == MARKER) {
                self.skip(i);
                return Ok(());
            }
            // The start of a marker may be at the end of the buffer.
            let keep = if here.len() < PIECE { 0 } else { MARKER.len() - 1 };
            let len = here.len() - keep;
            self.skip(len);
            if keep == 0 {
                return Ok(());
            }
        }
    }

    /// The next bytes without consuming them: at least `len`, or all that are left.
    fn look(&mut self, len: usize) -> Result<&[u8], DataError> {
        while !self.ended && self.buffer.len() - self.used < len {
            self.buffer.drain(..self.used);
            self.used = 0;
            let want = len.max(PIECE) - self.buffer.len();
            let read = self.source.by_ref().take(want as u64).read_to_end(&mut self.buffer)?;
            self.ended = read < want;
        }
        Ok(&self.buffer[self.used..])
    }

    fn skip(&mut self, len: usize) {
        self.used += len;
        self.offset += len as u64;
    }
}

/// Streams the games of a file. Damage is reported and skipped: continue after
/// [`DataError::Damaged`]; nothing follows any other error.
#[derive(Debug)]
pub struct Games<R> {
    reader: Reader<R>,
    block: Option<BlockGames>,
    ended: bool,
}

impl<R: Read> Iterator for Games<R> {
    type Item = Result<Game, DataError>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.ended {
            if let Some(next) = self.block.as_mut().and_then(Iterator::next) {
                return Some(next.map_err(DataError::Damaged));
            }
            match self.reader.block() {
                Ok(Some(block)) => self.block = Some(block.games()),
                Ok(None) => self.ended = true,
                Err(error) => {
                    self.block = None;
                    self.ended = !matches!(error, DataError::Damaged(_));
                    return Some(Err(error));
                }
            }
        }
        None
    }
}
