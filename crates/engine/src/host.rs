//! What an engine gets from the program it is part of.

use std::sync::Arc;

use nnue::Net;

use crate::Clock;

/// What an engine gets from the program it is part of. By default the embedded network, the system's
/// clock and a seed from it; a browser gives its own.
#[derive(Clone, Debug)]
pub struct Host {
    /// The network of [`Evaluation::Net`](crate::Evaluation::Net).
    pub net: Arc<Net>,
    /// The clock.
    pub clock: Clock,
    /// The seed of random choices.
    pub seed: u64,
}

#[cfg(feature = "embedded-net")]
impl Default for Host {
    fn default() -> Self {
        Self { net: crate::embedded_net(), clock: Clock::system(), seed: crate::clock::seed() }
    }
}
