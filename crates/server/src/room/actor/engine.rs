//! The engine's turn: starting a search, reporting its lines and playing its move.

use std::time::Duration;

use game::live::{Command, Sides};
use wire::{AnalysedLines, Refusal, ServerMessage};

use super::Room;
use crate::pool::Owner;
use crate::room::refusal::Refused;
use crate::room::thinking::{SearchEvent, Thinking, outlook, task};

impl Room {
    /// Starts a search if the engine is to move and somebody is there to see it. If nobody is, the
    /// engine thinks only while its clock runs: leaving must not win a game on time.
    pub(super) fn ask_engine(&mut self) {
        let Some(level) = self.table.level_to_move() else { return };
        let live = &self.table.live;
        let opponent = !live.turn();
        let user = self.table.head.player(opponent).user();
        let owner = match (user, self.connections.owner(opponent)) {
            (_, None) if live.deadline().is_none() => {
                self.thinking = None;
                return;
            }
            (Some(user), _) => Owner::User(user),
            (None, Some(owner)) => owner.clone(),
            (None, None) => Owner::Nobody,
        };
        if self.thinking.is_some() || self.down.is_some() || self.attempts.next().is_some() {
            return;
        }
        let most = self.app.config.most_on_clock();
        match self.app.pool.search(&owner, task(&self.table, level, self.now(), most)) {
            Ok(search) => {
                let least = if self.connections.is_unhurried(opponent) {
                    live.human_time(level, self.now())
                } else {
                    Duration::ZERO
                };
                self.thinking = Some(Thinking::new(live.plies(), search, least));
            }
            Err(failure) => {
                tracing::debug!(game = %self.id(), detail = failure.detail, "failed to start a search");
                self.attempts.wait();
            }
        }
    }

    /// Broadcasts the engine's lines, or plays its move.
    pub(super) async fn hear(&mut self, event: SearchEvent) {
        let verdict = match event {
            SearchEvent::Lines(lines) => {
                let position = self.table.live.line().position();
                let thoughts = AnalysedLines::new(&lines, position, self.table.head.variant, false);
                return self.connections.tell_all(&ServerMessage::Thinking { thoughts });
            }
            SearchEvent::Done(verdict) => verdict,
        };
        let Some(thinking) = self.thinking.take() else { return };
        let Some(verdict) = verdict else {
            tracing::error!(game = %self.id(), "search failed");
            return self.attempts.failed();
        };
        if thinking.ply != self.table.live.plies() {
            return;
        }
        match self.play(thinking.ply, verdict.best).await {
            Err(refused) if refused.reason != Refusal::Over => self.attempts.failed(),
            _ => {
                self.attempts.succeeded();
                if let Some(outlook) = outlook(&verdict) {
                    self.table.live.engine_thinks(outlook);
                }
            }
        }
        self.settle().await;
    }

    /// Plays a move of the engine.
    async fn play(&mut self, ply: usize, m: chess::Move) -> Result<(), Refused> {
        let by = Sides::One(self.table.live.turn());
        match self.judge(by, &Command::play(ply, m)).await? {
            Some(event) => self.happen(&event).await,
            None => Ok(()),
        }
    }
}
