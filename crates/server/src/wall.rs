//! The clock on the wall, that never jumps.

use store::Timestamp;
use tokio::time::Instant;

/// Tells the time since the server has started, so that nobody's clock jumps when somebody sets
/// the machine's.
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

    /// When a point in time comes; now, if it is past.
    pub fn instant(self, at: Timestamp) -> Instant {
        Instant::now() + at.since(self.now())
    }
}
