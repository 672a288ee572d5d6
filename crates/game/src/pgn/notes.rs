//! Collects the errors found while replaying a game.

use super::error::{MAX_REMARKS, PgnError};

/// Errors of one game, by their offset in its text.
#[derive(Default)]
pub(super) struct Notes(Vec<(usize, PgnError)>);

impl Notes {
    /// Adds an error, unless there are too many.
    pub(super) fn add(&mut self, at: usize, reason: impl FnOnce() -> PgnError) {
        if self.0.len() < MAX_REMARKS {
            self.0.push((at, reason()));
        }
    }

    /// The first error, if any.
    pub(super) fn take_first(&mut self) -> Option<(usize, PgnError)> {
        (!self.0.is_empty()).then(|| self.0.remove(0))
    }

    /// All errors, in the order of the text.
    pub(super) fn into_sorted(mut self) -> Vec<(usize, PgnError)> {
        self.0.sort_by_key(|(at, _)| *at);
        self.0
    }
}
