//! What is found to be wrong with a game while it is replayed.

use super::error::{MAX_REMARKS, PgnError};

/// Problems of one game, by their place in its text.
#[derive(Default)]
pub(super) struct Notes(Vec<(usize, PgnError)>);

impl Notes {
    /// Notes a problem, unless there are more than enough.
    pub(super) fn add(&mut self, at: usize, reason: impl FnOnce() -> PgnError) {
        if self.0.len() < MAX_REMARKS {
            self.0.push((at, reason()));
        }
    }

    /// The first problem that was noted, if there is one.
    pub(super) fn take_first(&mut self) -> Option<(usize, PgnError)> {
        (!self.0.is_empty()).then(|| self.0.remove(0))
    }

    /// All of them, in the order of the text.
    pub(super) fn into_sorted(mut self) -> Vec<(usize, PgnError)> {
        self.0.sort_by_key(|(at, _)| *at);
        self.0
    }
}
