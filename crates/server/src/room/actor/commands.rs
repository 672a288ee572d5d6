//! How a message is handled: judged, written, applied, broadcast.

use std::sync::Arc;
use std::time::Duration;

use chess::Color;
use game::live::{Command, Event, Moment, Refusal, Sides};
use store::StoreError;
use tokio::time::Instant;
use wire::{ClientMessage, ServerMessage};

use super::Room;
use crate::rating::rate_finished;
use crate::room::connections::ConnectionId;
use crate::room::refusal::Refused;
use crate::room::rooms::rematch;

/// A write that takes longer is slow.
const LATE: Duration = Duration::from_millis(100);

/// Pause after the store has failed to write a flag or a premove.
const STORE_PAUSE: Duration = Duration::from_secs(1);

impl Room {
    /// Handles a message from a connection.
    pub(super) async fn obey(
        &mut self,
        from: ConnectionId,
        message: ClientMessage,
    ) -> Result<(), Refused> {
        let Some(command) = message.into_command() else { return Ok(()) };
        let by = self.connections.sides(from).iter().copied().collect();
        let own_premove = self.premoved_by.contains(&Some(from));
        if command == Command::CancelPremove && by != Sides::None && !own_premove {
            // The premove was set by another connection of this player, or there is none.
            return Ok(());
        }
        let Some(event) = self.judge(by, &command).await? else { return Ok(()) };
        if let Event::Premoved { by, .. } = event {
            self.premoved_by[by.index()] = Some(from);
        }
        self.happen(&event).await
    }

    /// Judges a command. If the flag has already fallen, the game ends instead.
    pub(super) async fn judge(
        &mut self,
        by: Sides,
        command: &Command,
    ) -> Result<Option<Event>, Refused> {
        let judged = self.table.live.judge(by, command, self.now());
        if judged == Err(Refusal::TimeUp) {
            self.settle().await;
        }
        Ok(judged?)
    }

    /// Processes everything that happens without a command: premoves and flags. Pauses after the
    /// store has failed.
    pub(super) async fn settle(&mut self) {
        if self.down.is_some() || self.settle_again.is_some_and(|again| Instant::now() < again) {
            return;
        }
        self.settle_again = None;
        while let Some(event) = self.table.live.due(self.now()) {
            let Err(refused) = self.happen(&event).await else { continue };
            if self.down.is_some() {
                return;
            }
            if let Event::Played(played) = event {
                self.table.live.forget_premove(played.by);
                self.tell_premoved(played.by, false);
                continue;
            }
            tracing::error!(game = %self.id(), detail = refused.detail, "failed to end a game on time");
            // Don't retry in a tight loop.
            self.settle_again = Some(Instant::now() + STORE_PAUSE);
            return;
        }
    }

    /// Carries out an event: on disk, then in the game, then on every board.
    pub(super) async fn happen(&mut self, event: &Event) -> Result<(), Refused> {
        let asked = self.now();
        self.write(event).await?;
        let now = self.now();
        // Nobody could move meanwhile.
        self.table.live.stop_clocks(asked);
        self.table.live.start_clocks(now);
        self.table.live.apply(event, now);
        if now.since(asked) > LATE && self.table.live.clock_runs().is_some() {
            self.store_clock_start(now);
        }
        match self.table.message(event, now, &self.app.openings) {
            Some(message) => self.connections.tell_all(&message),
            // An end without an outcome has no message.
            None if matches!(event, Event::Ended(_)) => self.tell_state_to_all(),
            None => {}
        }
        match event {
            Event::Played(played) => {
                self.app.metrics.moves.inc();
                self.thinking = None;
                if played.premove {
                    self.tell_premoved(played.by, true);
                }
            }
            Event::TookBack(_) => {
                // The engine must not answer a move that was taken back.
                self.thinking = None;
                self.attempts.now();
            }
            Event::Ended(_) => self.thinking = None,
            Event::PremoveFailed { by } => self.tell_premoved(*by, false),
            _ => {}
        }
        let ends =
            matches!(event, Event::Played(_) | Event::Ended(_)) && !self.table.live.is_live();
        if ends && self.table.live.is_rated() {
            let app = Arc::clone(&self.app);
            tokio::spawn(async move { rate_finished(&app).await });
        }
        Ok(())
    }

    /// Writes an event.
    async fn write(&mut self, event: &Event) -> Result<(), Refused> {
        if matches!(event, Event::RematchAgreed) {
            return self.begin_rematch().await;
        }
        if !event.is_stored() {
            return Ok(());
        }
        if self.down.is_some() {
            return Err(Refused::broken());
        }
        let asked = self.now();
        match self.app.store.write_event(self.id(), self.version(), event).await {
            Ok(version) => {
                self.table.head.version = version;
                Ok(())
            }
            Err(error) => {
                tracing::error!(game = %self.id(), %error, "failed to write an event");
                self.write_failed(&error, asked).await;
                Err(Refused::broken())
            }
        }
    }

    /// After a failed write the stored state is unknown: reloads the game, now or when the store
    /// works again.
    pub(super) async fn write_failed(&mut self, error: &StoreError, asked: Moment) {
        if error.is_outage() {
            self.fail(error, asked);
        } else {
            self.reload().await;
        }
    }

    /// Corrects the stored start of the running clock after a slow write: it was written with the
    /// move, and the clock has started when that was done.
    fn store_clock_start(&self, now: Moment) {
        let (app, id, version) = (Arc::clone(&self.app), self.id().clone(), self.version());
        tokio::spawn(async move {
            if let Err(error) = app.store.set_clock_start(&id, version, now.into()).await {
                tracing::warn!(game = %id, %error, "failed to write the start of a clock");
            }
        });
    }

    async fn begin_rematch(&mut self) -> Result<(), Refused> {
        if self.table.head.rematch.is_none() {
            let game = rematch(&self.app, &self.table)
                .await
                .map_err(|failure| Refused::because(wire::Refusal::Broken, failure.detail))?;
            self.table.head.rematch = Some(game);
        }
        Ok(())
    }

    /// Notifies the connection that set a premove whether it was played.
    fn tell_premoved(&mut self, side: Color, played: bool) {
        if let Some(to) = self.premoved_by[side.index()].take() {
            self.connections.tell(to, &ServerMessage::Premoved { played });
        }
    }
}
