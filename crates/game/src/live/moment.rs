//! Points in time on the caller's clock.

use std::time::Duration;

/// A point in time, in milliseconds on the caller's clock. Where that clock starts doesn't matter, as
/// long as it never goes back.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Moment(pub i64);

impl Moment {
    /// The moment plus a duration.
    pub fn after(self, duration: Duration) -> Self {
        Self(self.0.saturating_add(i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)))
    }

    /// The time since an earlier moment; zero if that is in the future.
    pub fn since(self, earlier: Self) -> Duration {
        Duration::from_millis(u64::try_from(self.0.saturating_sub(earlier.0)).unwrap_or(0))
    }
}
