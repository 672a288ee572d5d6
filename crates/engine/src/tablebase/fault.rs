//! Damage found while probing.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use chess::{Piece, Position, Role};

/// The materials that can't be probed because a table is damaged, and the messages about them.
#[derive(Debug, Default)]
pub(super) struct Faults {
    /// Avoids the lock in the usual case of intact tables.
    any: AtomicBool,
    found: Mutex<Found>,
}

#[derive(Debug, Default)]
struct Found {
    materials: BTreeSet<u64>,
    messages: Vec<String>,
}

impl Faults {
    /// Whether positions with this material are no longer probed.
    #[inline]
    pub(super) fn include(&self, position: &Position) -> bool {
        self.any.load(Ordering::Relaxed) && self.lock().materials.contains(&material(position))
    }

    /// Stops probing positions with this material, and reports the reason once.
    pub(super) fn note(&self, position: &Position, message: &str) {
        let mut found = self.lock();
        if found.materials.insert(material(position)) {
            found.messages.push(message.to_owned());
        }
        self.any.store(true, Ordering::Relaxed);
    }

    /// The messages since the last call.
    pub(super) fn take_messages(&self) -> Vec<String> {
        if self.any.load(Ordering::Relaxed) {
            std::mem::take(&mut self.lock().messages)
        } else {
            Vec::new()
        }
    }

    fn lock(&self) -> MutexGuard<'_, Found> {
        // A thread that ends while it holds the lock leaves nothing half done.
        self.found.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A key for the pieces on the board: four bits per count.
fn material(position: &Position) -> u64 {
    Piece::ALL
        .into_iter()
        .filter(|piece| piece.role() != Role::King)
        .fold(0, |key, piece| key << 4 | u64::from(position.pieces(piece).count()))
}
