//! The time of day, which never goes back.

use std::time::{Instant, SystemTime, UNIX_EPOCH};

use game::live::Moment;

/// Milliseconds since 1970, counted by a clock that nobody sets.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Wall {
    start: Instant,
    start_millis: i64,
}

impl Wall {
    pub fn new() -> Self {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let start_millis = i64::try_from(since.as_millis()).unwrap_or(i64::MAX);
        Self { start: Instant::now(), start_millis }
    }

    pub fn now(self) -> Moment {
        Moment(self.start_millis).after(self.start.elapsed())
    }
}
