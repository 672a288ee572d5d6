//! The framing of games: file header and block headers.

use super::decode::MAX_WORK;
use super::{DataError, MAX_PLIES};
use crate::crc::crc32;

/// The version of the format.
pub const VERSION: u16 = 2;
/// The first bytes of every file.
pub const HEADER: [u8; 16] = *b"RIGADATA\x02\0\0\0\0\0\0\0";

const _: () = assert!(HEADER[8] as u16 == VERSION);

/// The first bytes of every block, by which a reader resynchronises after damage.
pub const MARKER: [u8; 4] = *b"RBLK";
/// Bytes of a block's header.
pub const FRAME: usize = 24;
/// A block is closed when its games take this many bytes: enough for the models to adapt.
pub const FULL: usize = 1 << 17;
/// A block is closed when it has this many moves and games, however few bytes they take. The
/// longest game still fits.
pub const FULL_WORK: usize = MAX_WORK - MAX_PLIES - 1;
/// The longest block: it is closed before its last game, of which no move takes 16 bytes.
pub const LONGEST: usize = 1 << 21;

const _: () = assert!(FULL + 16 * MAX_PLIES < LONGEST);

/// A block's header.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// Bytes of games.
    pub len: usize,
    /// Games.
    pub games: u32,
    /// Positions with a score.
    pub positions: u32,
    /// The checksum of the games' bytes.
    pub crc: u32,
}

impl Frame {
    /// The header as bytes, with its own checksum.
    pub fn to_bytes(self) -> [u8; FRAME] {
        let mut bytes = [0; FRAME];
        bytes[..4].copy_from_slice(&MARKER);
        let words = [self.len as u32, self.games, self.positions, self.crc];
        for (place, word) in bytes[4..20].chunks_exact_mut(4).zip(words) {
            place.copy_from_slice(&word.to_le_bytes());
        }
        let crc = crc32(&bytes[..20]);
        bytes[20..].copy_from_slice(&crc.to_le_bytes());
        bytes
    }

    /// The header at the start of `bytes`, if it is valid.
    pub fn read(bytes: &[u8]) -> Option<Self> {
        let bytes: &[u8; FRAME] = bytes.first_chunk()?;
        if bytes[..4] != MARKER {
            return None;
        }
        let word = |at: usize| {
            u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
        };
        let frame =
            Self { len: word(4) as usize, games: word(8), positions: word(12), crc: word(16) };
        (word(20) == crc32(&bytes[..20]) && frame.len <= LONGEST).then_some(frame)
    }
}

/// Checks the first bytes of a file.
pub fn check_header(bytes: &[u8]) -> Result<(), DataError> {
    if bytes.len() < HEADER.len() && HEADER.starts_with(bytes) {
        return Err(DataError::Empty);
    }
    let header: &[u8; HEADER.len()] = bytes.first_chunk().ok_or(DataError::Foreign)?;
    if header[..8] != HEADER[..8] {
        return Err(DataError::Foreign);
    }
    match u16::from_le_bytes([header[8], header[9]]) {
        VERSION if *header == HEADER => Ok(()),
        VERSION => Err(DataError::Foreign),
        old @ ..VERSION => Err(DataError::OldVersion(old)),
        new => Err(DataError::NewVersion(new)),
    }
}
