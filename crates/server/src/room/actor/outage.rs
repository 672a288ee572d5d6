//! A game while the store fails: its clocks are stopped, and nothing is written.

use std::time::Duration;

use game::live::Moment;
use store::StoreError;
use tokio::time::Instant;

use super::Room;

/// Pause after the store has failed.
const PAUSE: Duration = Duration::from_secs(1);

/// The store fails.
#[derive(Copy, Clone, Debug)]
pub(super) struct Down {
    /// Whether a write has failed, so that the stored state is unknown: it may have been carried
    /// out.
    unsure: bool,
    /// When to try again; none if the end of the outage will be announced.
    pub try_at: Option<Instant>,
}

impl Room {
    /// An access to the store that began at a moment has failed. If the store fails as a whole, the
    /// clocks are stopped at that moment.
    pub(super) fn fail(&mut self, error: &StoreError, began: Moment) {
        if !error.is_outage() {
            return;
        }
        self.table.live.stop_clocks(began);
        self.down = Some(Down { unsure: true, try_at: Some(Instant::now() + PAUSE) });
        self.thinking = None;
        self.tell_state_to_all();
    }

    /// An outage of the store has been detected, or is over.
    pub(super) async fn hear_outage(&mut self) {
        match self.app.outage.since() {
            Some(since) => {
                self.table.live.stop_clocks(since.into());
                let unsure = self.down.is_some_and(|down| down.unsure);
                self.down = Some(Down { unsure, try_at: None });
                self.thinking = None;
                self.tell_state_to_all();
            }
            None => self.recover().await,
        }
    }

    /// Goes on with the game if the store works again.
    pub(super) async fn recover(&mut self) {
        let Some(down) = &mut self.down else { return };
        if self.app.outage.since().is_some() {
            down.try_at = None;
            return;
        }
        if down.unsure && self.try_reload().await.is_err() {
            let try_at = Some(Instant::now() + PAUSE);
            self.down = Some(Down { unsure: true, try_at });
            return;
        }
        self.down = None;
        self.table.live.start_clocks(self.now());
        self.attempts.now();
        self.tell_state_to_all();
        self.settle().await;
    }
}
