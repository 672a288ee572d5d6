//! Moves of players and of the engine, and those that are to be played as soon as they can be.

use chess::{Color, Move};
use wire::{Refusal, ServerMessage, Thoughts};

use super::{Premove, Room};
use crate::pool::Owner;
use crate::room::connections::Seat;
use crate::room::refusal::Refused;
use crate::room::table::Next;
use crate::room::thinking::{Thinking, Thought, task};

impl Room {
    /// Plays a move of a connection. One that comes again is done, not played again.
    pub(super) async fn play(
        &mut self,
        sides: &[Color],
        ply: usize,
        text: &str,
    ) -> Result<(), Refused> {
        if ply < self.table.plies() {
            let again = self.table.read_move(ply, text).ok() == self.table.played(ply);
            let mover = if ply % 2 == self.table.plies() % 2 {
                self.table.turn()
            } else {
                !self.table.turn()
            };
            let theirs = sides.contains(&mover);
            return if again && theirs { Ok(()) } else { Err(Refused::new(Refusal::WrongPly)) };
        }
        self.table.check_live()?;
        if ply > self.table.plies() {
            return Err(Refused::new(Refusal::WrongPly));
        }
        if !sides.contains(&self.table.turn()) {
            return Err(Refused::new(Refusal::NotYourTurn));
        }
        let m = self.table.read_move(ply, text)?;
        self.make(m, false).await
    }

    /// Makes a move of the side to move: on disk, then on every board.
    pub(super) async fn make(&mut self, m: Move, free: bool) -> Result<(), Refused> {
        let now = self.now();
        let ply = self.table.plies();
        match self.table.after(m, now, free)? {
            Next::Flagged => {
                let turn = self.table.turn();
                self.finish(|game| Some(game.flag(turn))).await?;
                Err(Refused::new(Refusal::Over))
            }
            Next::Played(game, played) => {
                let mut played = played;
                let kept = self.app.store.append(self.id(), self.version(), &played).await;
                let version = self.kept(kept).await?;
                // Nobody's clock runs while a move they can't see waits for the disk.
                let now = self.now();
                played.clock_running_since = played.clock_running_since.map(|_| now);
                self.table.play(*game, &played, version);
                self.app.metrics.moves.inc();
                self.thinking = None;
                let message = ServerMessage::Played {
                    version: self.table.version(),
                    ply: ply as u32,
                    played: self.table.last_move().expect("it was just played"),
                    position: self.table.position(),
                    clock: self.table.clock(now),
                    opening: self.table.opening(&self.app.openings),
                    outcome: self.table.outcome(),
                };
                self.connections.tell_all(&message);
                if played.outcome.is_some() {
                    self.ended();
                }
                Ok(())
            }
        }
    }

    pub(super) fn premove(
        &mut self,
        seat: Seat,
        sides: &[Color],
        ply: usize,
        text: Option<String>,
    ) -> Result<(), Refused> {
        let turn = self.table.turn();
        let Some(text) = text else {
            for &side in sides {
                self.premoves[side.index()].take_if(|premove| premove.from == seat);
            }
            return Ok(());
        };
        self.table.check_live()?;
        // It is for the turn after the other side's.
        if !sides.contains(&!turn) || sides.contains(&turn) {
            return Err(Refused::new(Refusal::NotYourTurn));
        }
        if ply != self.table.plies() + 1 {
            return Err(Refused::new(Refusal::WrongPly));
        }
        self.premoves[(!turn).index()] = Some(Premove { from: seat, ply, text });
        Ok(())
    }

    /// Plays the premove of the side to move, if there is one. It takes no time.
    pub(super) async fn play_premove(&mut self) {
        let turn = self.table.turn();
        let waits = self.premoves[turn.index()].as_ref();
        if waits.is_none_or(|premove| premove.ply > self.table.plies()) {
            return;
        }
        let Some(premove) = self.premoves[turn.index()].take() else { return };
        let fits = premove.ply == self.table.plies()
            && self.connections.has(premove.from)
            && self.table.check_live().is_ok();
        let m = if fits { self.table.read_move(premove.ply, &premove.text).ok() } else { None };
        let played = match m {
            Some(m) => self.make(m, true).await.is_ok(),
            None => false,
        };
        self.connections.tell(premove.from, &ServerMessage::Premoved { played });
    }

    /// Lets the engine think when it is its turn.
    pub(super) fn ask_engine(&mut self) {
        let turn = self.table.turn();
        let Some(level) = self.table.level(turn) else { return };
        if self.thinking.is_some()
            || self.table.check_live().is_err()
            || self.opinion.next_attempt().is_some()
        {
            return;
        }
        let owner = match self.table.player(!turn).user() {
            Some(user) => Owner::User(user),
            None => Owner::Game(self.id().clone()),
        };
        let most = self.app.config.most_on_clock();
        match self.app.pool.search(&owner, task(&self.table, level, self.now(), most)) {
            Ok(search) => self.thinking = Some(Thinking::new(self.table.plies(), search)),
            Err(failure) => {
                tracing::warn!(game = %self.id(), detail = failure.detail, "no search");
                self.opinion.wait();
            }
        }
    }

    /// Hears what the engine thinks, or plays its move.
    pub(super) async fn hear(&mut self, thought: Thought) {
        let verdict = match thought {
            Thought::Lines(lines) => {
                let position = self.table.line().position();
                let thoughts = Thoughts::new(&lines, position, self.table.rules(), false);
                return self.connections.tell_all(&ServerMessage::Thinking { thoughts });
            }
            Thought::Done(verdict) => verdict,
        };
        let Some(thinking) = self.thinking.take() else { return };
        let Some(verdict) = verdict else {
            tracing::error!(game = %self.id(), "a search has failed");
            return self.opinion.failed();
        };
        if thinking.ply != self.table.plies() {
            return;
        }
        match self.make(verdict.best, false).await {
            Err(refused) if refused.reason != Refusal::Over => self.opinion.failed(),
            _ => self.opinion.succeeded(&verdict),
        }
        self.play_premove().await;
    }
}
