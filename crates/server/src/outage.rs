//! Whether the store works. While it doesn't, no move can be accepted, and all clocks are stopped.

use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use store::{StoreError, Timestamp};
use tokio::sync::watch;
use tokio::time::{MissedTickBehavior, interval};

use crate::app::App;

/// Heartbeat interval. After a crash, clocks may be off by this much.
const PULSE: Duration = Duration::from_millis(500);

/// Whether the store works.
pub(crate) struct Outage {
    since: watch::Sender<Option<Timestamp>>,
    worked: Mutex<Timestamp>,
}

impl Outage {
    pub fn new(now: Timestamp) -> Self {
        Self { since: watch::Sender::new(None), worked: Mutex::new(now) }
    }

    /// When the store has last worked, if it doesn't.
    pub fn since(&self) -> Option<Timestamp> {
        *self.since.borrow()
    }

    /// Announces the beginning and the end of an outage.
    pub fn subscribe(&self) -> watch::Receiver<Option<Timestamp>> {
        self.since.subscribe()
    }

    /// When the store has last answered the heartbeat.
    pub fn worked(&self) -> Timestamp {
        *self.worked.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Checks the store and writes the heartbeat until the server stops.
pub(crate) async fn watch_store(app: Arc<App>) {
    let mut pulse = interval(PULSE);
    // A store that doesn't answer isn't asked twice at once.
    pulse.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let stopped = app.stopped();
    tokio::pin!(stopped);
    loop {
        tokio::select! {
            biased;
            () = &mut stopped => return,
            _ = pulse.tick() => {}
        }
        let before = app.outage.since();
        match beat(&app).await {
            Ok(()) => {
                *app.outage.worked.lock().unwrap_or_else(PoisonError::into_inner) = app.wall.now();
                if before.is_some() {
                    tracing::warn!("the store works again");
                    app.outage.since.send_replace(None);
                }
            }
            Err(error) => {
                tracing::error!(%error, "the store doesn't work");
                if before.is_none() {
                    app.outage.since.send_replace(Some(app.outage.worked()));
                }
            }
        }
    }
}

/// Writes a heartbeat if any clock is running, and otherwise checks the store. After an outage, the
/// stored start times of the clocks are shifted by it.
pub(crate) async fn beat(app: &App) -> Result<(), StoreError> {
    let now = app.wall.now();
    if app.outage.since().is_some() {
        app.store.wake(now).await
    } else if app.clocks.load(Ordering::Relaxed) > 0 {
        app.store.beat(now).await
    } else {
        app.store.check().await
    }
}
