//! Chance: sides, start positions and seeds.

use std::hash::{BuildHasher, RandomState};

/// An unpredictable number. Secrets have their own source.
pub(crate) fn random() -> u64 {
    RandomState::new().hash_one(())
}
