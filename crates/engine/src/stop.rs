//! The signal that ends an analysis from another thread.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A switch held by the caller and polled by the analyst. Clones share it.
#[derive(Clone, Debug, Default)]
pub struct Stop {
    signals: Arc<Signals>,
    /// A signal that is kept elsewhere.
    watched: Option<fn() -> bool>,
}

#[derive(Debug, Default)]
struct Signals {
    stopped: AtomicBool,
    ponder_hit: AtomicBool,
}

impl Stop {
    /// A switch that is not set.
    pub fn new() -> Self {
        Self::default()
    }

    /// A switch that is also set when this function says so. It is called every few hundred nodes.
    pub fn watching(watched: fn() -> bool) -> Self {
        Self { watched: Some(watched), ..Self::default() }
    }

    /// Ends the analysis as soon as possible; its verdict is what it knows by then.
    pub fn stop(&self) {
        self.signals.stopped.store(true, Ordering::Relaxed);
    }

    /// Whether the analysis should end.
    pub fn is_stopped(&self) -> bool {
        self.signals.stopped.load(Ordering::Relaxed) || self.watched.is_some_and(|is_set| is_set())
    }

    /// The opponent played the expected move: the time limits apply from now on. Time spent
    /// pondering counts.
    pub fn ponder_hit(&self) {
        self.signals.ponder_hit.store(true, Ordering::Relaxed);
    }

    /// Whether the expected move was played.
    pub fn is_ponder_hit(&self) -> bool {
        self.signals.ponder_hit.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_switch_can_be_kept_elsewhere() {
        assert!(!Stop::new().is_stopped());
        assert!(Stop::watching(|| true).is_stopped());
        let stop = Stop::watching(|| false);
        assert!(!stop.is_stopped());
        stop.clone().stop();
        assert!(stop.is_stopped());
    }
}
