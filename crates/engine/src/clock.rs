//! The clock that an engine measures time with. Only this file reads the system's.

use std::time::{Duration, Instant};

/// A clock that never goes back.
#[derive(Copy, Clone, Debug)]
pub enum Clock {
    /// The system's, counted from this instant.
    System(Instant),
    /// Another one: the time since some moment. In WebAssembly, Rust knows no clock, and the host
    /// has to give one.
    Host(fn() -> Duration),
}

impl Clock {
    /// The system's clock.
    pub fn system() -> Self {
        Self::System(Instant::now())
    }

    /// The time since the moment it counts from.
    pub fn now(&self) -> Duration {
        match self {
            Self::System(start) => start.elapsed(),
            Self::Host(now) => now(),
        }
    }
}

/// A seed from the system's clock.
#[cfg(feature = "embedded-net")]
pub(crate) fn seed() -> u64 {
    use std::time::{SystemTime, UNIX_EPOCH};
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos() as u64)
}
