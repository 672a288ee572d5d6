//! The signal that ends an analysis from another thread.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

/// A switch held by the caller and polled by the analyst. Clones share it.
#[derive(Clone, Debug, Default)]
pub struct Stop {
    signals: Arc<Signals>,
    /// A signal that is kept elsewhere.
    watched: Option<fn() -> bool>,
    /// Where the analysis waits while it is paused.
    gate: Option<Arc<Gate>>,
}

/// A gate at which analyses wait while it is closed. A search that is limited by nodes has the same
/// result whether it was paused or not.
#[derive(Debug, Default)]
pub struct Gate {
    closed: AtomicBool,
    lock: Mutex<()>,
    opened: Condvar,
}

/// How soon a stop is noticed at a closed gate.
const LOOK: Duration = Duration::from_millis(20);

impl Gate {
    /// Pauses the analyses behind the gate, within a few hundred nodes.
    pub fn close(&self) {
        self.closed.store(true, Ordering::Relaxed);
    }

    /// Lets the analyses go on.
    pub fn open(&self) {
        if self.closed.swap(false, Ordering::Relaxed) {
            self.opened.notify_all();
        }
    }

    /// Whether analyses are paused.
    pub fn is_closed(&self) -> bool {
        self.closed.load(Ordering::Relaxed)
    }

    /// Waits until the gate is open, or until `ends` says so.
    #[cold]
    fn wait(&self, ends: impl Fn() -> bool) {
        let mut guard = self.lock.lock().unwrap_or_else(PoisonError::into_inner);
        while self.is_closed() && !ends() {
            let waited = self.opened.wait_timeout(guard, LOOK);
            guard = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
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

    /// A switch that also pauses the analysis while a gate is closed.
    pub fn behind(gate: &Arc<Gate>) -> Self {
        Self { gate: Some(Arc::clone(gate)), ..Self::default() }
    }

    /// Ends the analysis as soon as possible; its verdict is what it knows by then.
    pub fn stop(&self) {
        self.signals.stopped.store(true, Ordering::Relaxed);
    }

    /// Whether the analysis should end. While it is paused, this doesn't return.
    pub fn is_stopped(&self) -> bool {
        let ends = || {
            self.signals.stopped.load(Ordering::Relaxed)
                || self.watched.is_some_and(|is_set| is_set())
        };
        if let Some(gate) = self.gate.as_ref().filter(|gate| gate.is_closed()) {
            gate.wait(ends);
        }
        ends()
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

    #[test]
    fn a_closed_gate_pauses_until_it_opens_or_the_switch_is_set() {
        let gate = Arc::new(Gate::default());
        gate.close();
        for ends in [false, true] {
            let stop = Stop::behind(&gate);
            let asked = stop.clone();
            let waiting = std::thread::spawn(move || asked.is_stopped());
            std::thread::sleep(Duration::from_millis(50));
            assert!(!waiting.is_finished());
            if ends {
                stop.stop();
            } else {
                gate.open();
            }
            assert_eq!(waiting.join().expect("no panic"), ends);
            gate.close();
        }
    }
}
