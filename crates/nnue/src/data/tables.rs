//! Numbers fitted to games that are part of the format: a file can't be read without them.

/// Weights of moves, a signed byte each, for [`likelihood`](super::likelihood).
pub const WEIGHTS: usize = 4472;
/// Contexts of a score's class, each with the priors of a tree of 32 classes.
pub const CONTEXTS: usize = 8 * 4 * 3;
/// Classes of a difference between scores.
pub const CLASSES: usize = 32;

const BYTES: usize = WEIGHTS + CONTEXTS * CLASSES + CLASSES * 4;

/// `docs/data.md` describes each byte.
static TABLES: [u8; BYTES] = *include_bytes!("tables.bin");

/// A weight of a move, in sixteenths of a natural logarithm.
#[inline]
pub fn weight(feature: usize) -> i16 {
    debug_assert!(feature < WEIGHTS);
    i16::from(TABLES[feature].cast_signed())
}

/// The prior of each decision about the class of a score.
pub fn class_prior(context: usize, node: usize) -> u8 {
    TABLES[WEIGHTS + context * CLASSES + node]
}

/// The prior of the two highest bits within a class.
pub fn detail_prior(class: usize, node: usize) -> u8 {
    TABLES[WEIGHTS + CONTEXTS * CLASSES + class * 4 + node]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crc::crc32;

    #[test]
    fn the_tables_never_change_without_a_new_version() {
        assert_eq!((super::super::VERSION, crc32(&TABLES)), (2, 0x74DD_AF3B));
    }
}
