//! Compression of pages.

use crate::error::Damage;

/// Levels above this cost more time than the disk space is worth.
const LEVEL: i32 = 3;

pub(crate) fn compress(bytes: &[u8]) -> Vec<u8> {
    zstd::bulk::compress(bytes, LEVEL).expect("compression into memory succeeds")
}

/// Decompresses at most this many bytes.
pub(crate) fn decompress(bytes: &[u8], most: usize) -> Result<Vec<u8>, Damage> {
    zstd::bulk::decompress(bytes, most).map_err(|_| Damage("a page can't be decompressed"))
}
