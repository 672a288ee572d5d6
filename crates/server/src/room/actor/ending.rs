//! The end of a game other than by a move, and what follows it.

use std::sync::Arc;
use std::time::Duration;

use chess::{Color, Outcome};
use game::Game;
use tokio::time::sleep;
use wire::{Refusal, ServerMessage};

use super::Room;
use crate::rating::rate_finished;
use crate::room::refusal::Refused;
use crate::room::rooms::rematch;

impl Room {
    pub(super) async fn claim_draw(&mut self, side: Color) -> Result<(), Refused> {
        self.table.check_live()?;
        if side != self.table.turn() {
            return Err(Refused::new(Refusal::NotYourTurn));
        }
        self.finish(Game::claim_draw).await
    }

    pub(super) async fn resign(&mut self, side: Color) -> Result<(), Refused> {
        self.table.check_live()?;
        self.finish(|game| Some(game.resign(side))).await
    }

    pub(super) async fn claim_flag(&mut self) -> Result<(), Refused> {
        self.table.check_live()?;
        if self.table.flag_at().is_none_or(|at| at > self.now()) {
            return Err(Refused::new(Refusal::Nothing));
        }
        self.flag_fell().await;
        Ok(())
    }

    pub(super) async fn flag_fell(&mut self) {
        let turn = self.table.turn();
        if self.table.flag_at().is_some_and(|at| at <= self.now())
            && let Err(refused) = self.finish(|game| Some(game.flag(turn))).await
        {
            tracing::error!(game = %self.id(), detail = refused.detail, "a flag fell unseen");
            // The store is in trouble: don't ask it a thousand times a second.
            sleep(Duration::from_secs(1)).await;
        }
    }

    /// Ends the game by something else than a move.
    pub(super) async fn finish(
        &mut self,
        end: impl FnOnce(&mut Game) -> Option<Outcome>,
    ) -> Result<(), Refused> {
        let Some((game, outcome)) = self.table.end(end) else {
            return Err(Refused::new(Refusal::Nothing));
        };
        let thought = self.table.thought(self.now());
        let (id, version) = (self.id(), self.version());
        let kept = self.app.store.finish(id, version, Some(outcome), Some(thought)).await;
        let version = self.kept(kept).await?;
        self.table.finish(game, outcome, thought, version);
        let message = ServerMessage::Ended {
            version: self.table.version(),
            outcome: outcome.into(),
            clock: self.table.clock(self.now()),
        };
        self.connections.tell_all(&message);
        self.ended();
        Ok(())
    }

    /// What follows the end of a game.
    pub(super) fn ended(&mut self) {
        self.thinking = None;
        self.premoves = [None, None];
        if self.table.stored.rated == store::Rated::Due {
            let app = Arc::clone(&self.app);
            tokio::spawn(async move { rate_finished(&app).await });
        }
    }

    pub(super) async fn want_rematch(&mut self, side: Color, shared: bool) -> Result<(), Refused> {
        if self.table.is_live() {
            return Err(Refused::because(Refusal::Nothing, "the game is not over yet"));
        }
        let engine = self.table.engine().is_some();
        let first = !self.rematch_wanted[side.index()];
        self.rematch_wanted[side.index()] = true;
        if !(shared || engine || self.rematch_wanted[(!side).index()]) {
            if first {
                self.connections.tell_all(&ServerMessage::RematchOffered { by: side.into() });
            }
            return Ok(());
        }
        let game = match &self.table.stored.rematch {
            Some(game) => game.clone(),
            None => rematch(&self.app, &self.table.stored)
                .await
                .map_err(|failure| Refused::because(Refusal::Broken, failure.detail))?,
        };
        self.table.stored.rematch = Some(game.clone());
        self.connections.tell_all(&ServerMessage::Rematch { game: game.to_string() });
        Ok(())
    }
}
