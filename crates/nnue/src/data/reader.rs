//! Streams blocks and games from a file, and finds its way after damage.

use std::io::Read;

use super::block::{FRAME, Frame, HEADER, MARKER, check_header};
use super::decode::decode;
use super::{BadGame, Damage, DataError, Game};
use crate::crc::crc32;

/// Reads the blocks of a file from first to last.
#[derive(Debug)]
pub struct Reader<R> {
    source: R,
    /// What was read from the source and is not used yet begins at `used`.
    buffer: Vec<u8>,
    used: usize,
    /// Where in the file the unused bytes begin.
    offset: u64,
    ended: bool,
}

/// The games of a block, still in bytes.
#[derive(Clone, Debug)]
pub struct Block {
    /// Where the block begins in the file.
    pub offset: u64,
    /// How many games it holds.
    pub games: u32,
    /// How many positions with a score it holds.
    pub positions: u32,
    /// The games, one after the other, for [`decode`].
    pub bytes: Vec<u8>,
}

/// Read from the source in pieces of this size.
const PIECE: usize = 1 << 16;

impl<R: Read> Reader<R> {
    /// Begins to read; the source must be training data.
    pub fn new(source: R) -> Result<Self, DataError> {
        let mut reader = Self { source, buffer: Vec::new(), used: 0, offset: 0, ended: false };
        check_header(reader.look(HEADER.len())?)?;
        reader.skip(HEADER.len());
        Ok(reader)
    }

    /// Where in the file the next block begins.
    pub const fn offset(&self) -> u64 {
        self.offset
    }

    /// The next block, `None` at the end. After [`DataError::Damaged`] it can be called again.
    pub fn block(&mut self) -> Result<Option<Block>, DataError> {
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
        let offset = self.offset;
        loop {
            self.skip(1);
            self.skip_to_marker()?;
            let at_end = self.look(1)?.is_empty();
            if at_end || self.whole_block()?.is_some() {
                let len = self.offset - offset;
                return Err(Damage { offset, len, at_end, game: None }.into());
            }
        }
    }

    /// Streams the games.
    pub fn games(self) -> Games<R> {
        Games { reader: self, block: None, at: 0, read: 0, positions: 0, ended: false }
    }

    /// The header of the block that begins here, if the block is whole.
    fn whole_block(&mut self) -> Result<Option<Frame>, DataError> {
        let Some(frame) = Frame::read(self.look(FRAME)?) else { return Ok(None) };
        let len = FRAME + frame.len;
        let games = self.look(len)?.get(FRAME..len);
        Ok(games.is_some_and(|games| crc32(games) == frame.crc).then_some(frame))
    }

    /// Goes forward to where a block may begin.
    fn skip_to_marker(&mut self) -> Result<(), DataError> {
        loop {
            let here = self.look(PIECE)?;
            if let Some(i) = here.windows(MARKER.len()).position(|bytes| bytes == MARKER) {
                self.skip(i);
                return Ok(());
            }
            // The beginning of a marker may stand at the end of the piece.
            let keep = if here.len() < PIECE { 0 } else { MARKER.len() - 1 };
            let len = here.len() - keep;
            self.skip(len);
            if keep == 0 {
                return Ok(());
            }
        }
    }

    /// The next bytes without using them: at least `len`, or all that are left.
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

/// Streams the games of a file. Damage is reported and skipped: go on after
/// [`DataError::Damaged`]; after any other error there is nothing more.
#[derive(Debug)]
pub struct Games<R> {
    reader: Reader<R>,
    block: Option<Block>,
    at: usize,
    /// Games and positions of the current block so far.
    read: u32,
    positions: u32,
    ended: bool,
}

impl<R: Read> Games<R> {
    /// The next game together with its bytes.
    pub fn next_with_bytes(&mut self) -> Option<Result<(Game, &[u8]), DataError>> {
        loop {
            if self.ended {
                return None;
            }
            if self.block.is_none() {
                match self.reader.block() {
                    Ok(Some(block)) => {
                        self.block = Some(block);
                        (self.at, self.read, self.positions) = (0, 0, 0);
                    }
                    Ok(None) => self.ended = true,
                    Err(error) => {
                        self.ended = !matches!(error, DataError::Damaged(_));
                        return Some(Err(error));
                    }
                }
            } else if let Some(next) = self.next_of_block() {
                return Some(next.map(|(game, at, end)| {
                    let block = self.block.as_ref().expect("the game came from it");
                    (game, &block.bytes[at..end])
                }));
            }
        }
    }

    /// The next game of the block and where its bytes are; `None` drops the block.
    fn next_of_block(&mut self) -> Option<Result<(Game, usize, usize), DataError>> {
        let block = self.block.as_ref()?;
        let at = self.at;
        let damage = |game: BadGame| Damage {
            offset: block.offset + (FRAME + at) as u64,
            len: (block.bytes.len() - at) as u64,
            at_end: false,
            game: Some(game),
        };
        let failed = if at < block.bytes.len() {
            match decode(&block.bytes[at..]) {
                Ok((game, len)) => {
                    self.at += len;
                    self.read += 1;
                    self.positions += game.scores().len() as u32;
                    return Some(Ok((game, at, at + len)));
                }
                Err(bad) => Some(damage(bad)),
            }
        } else if (self.read, self.positions) == (block.games, block.positions) {
            None
        } else {
            Some(damage(BadGame::Count))
        };
        self.block = None;
        failed.map(|damage| Err(damage.into()))
    }
}

impl<R: Read> Iterator for Games<R> {
    type Item = Result<Game, DataError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.next_with_bytes().map(|next| next.map(|(game, _)| game))
    }
}
