//! A monotonic wall clock.

use store::Timestamp;
use tokio::time::Instant;

/// Measures time from the server's start, so that setting the system clock doesn't change game
/// clocks.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Wall {
    start: Instant,
    at_start: Timestamp,
}

impl Wall {
    pub fn new() -> Self {
        Self { start: Instant::now(), at_start: Timestamp::now() }
    }

    pub fn now(self) -> Timestamp {
        self.at_start.after(self.start.elapsed())
    }

    /// The instant of a timestamp; now, if it is past.
    pub fn instant(self, at: Timestamp) -> Instant {
        Instant::now() + at.since(self.now())
    }
}
