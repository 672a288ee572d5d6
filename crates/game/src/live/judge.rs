//! Judges commands, and finds the events that need none.

use std::time::Duration;

use chess::{Color, Move, Outcome, SanError, WinReason};

use super::ending::{on_time, outcome_after};
use super::{
    Command, End, Ended, Entered, Event, LiveGame, Moment, Played, Premove, Refusal, Sides,
};

impl LiveGame {
    /// Judges a command: returns an event, or none if there is nothing left to do. The game changes
    /// when the event is [applied](Self::apply).
    pub fn judge(
        &self,
        by: Sides,
        command: &Command,
        now: Moment,
    ) -> Result<Option<Event>, Refusal> {
        let side = by.speaker(self.turn()).ok_or(Refusal::NotAPlayer)?;
        match command {
            Command::Play { ply, entered } => self.judge_move(by, *ply, entered, now),
            Command::Premove { ply, entered } => self.judge_premove(by, *ply, entered, now),
            Command::CancelPremove => Ok(self.cancel_premove(by)),
            Command::Draw => self.judge_draw(by, side, now),
            Command::TakeBack => self.judge_take_back(by, side, now),
            Command::Decline => self.judge_decline(now),
            Command::ClaimDraw => self.judge_claim(side, now),
            Command::ClaimTime => self.judge_time(now),
            Command::Resign => {
                self.check_playing(now)?;
                let outcome = Outcome::Win(!side, WinReason::Resignation);
                Ok(Some(self.ended(End::Over(outcome), now)))
            }
            Command::Abort => self.judge_abort(now),
            Command::Rematch => self.judge_rematch(by, side),
        }
    }

    /// The event that is due without a command: a premove, or a fallen flag. Call again after
    /// applying it.
    pub fn due(&self, now: Moment) -> Option<Event> {
        if self.end.is_some() || self.waiting {
            return None;
        }
        let turn = self.turn();
        if let Some(Premove { ply, entered }) = &self.unsaved.premoves[turn.index()] {
            // A premove takes no time, so no flag can fall before it.
            let m = entered.to_move(self.line.position()).ok().filter(|_| *ply == self.plies());
            let played = m.and_then(|m| self.played(m, Duration::ZERO, now).ok());
            return Some(match played {
                Some(played) => Event::Played(Played { premove: true, ..played }),
                None => Event::PremoveFailed { by: turn },
            });
        }
        self.time_is_up(now)
            .then(|| self.ended(End::Over(on_time(self.line.position(), turn)), now))
    }

    /// Refuses commands that require a game in progress.
    pub(super) fn check_playing(&self, now: Moment) -> Result<(), Refusal> {
        if self.end.is_some() {
            Err(Refusal::Over)
        } else if self.waiting {
            Err(Refusal::NotBegun)
        } else if self.time_is_up(now) {
            Err(Refusal::TimeUp)
        } else {
            Ok(())
        }
    }

    fn time_is_up(&self, now: Moment) -> bool {
        self.deadline().is_some_and(|flag| flag <= now)
    }

    /// The end of the game other than by a move.
    pub(super) fn ended(&self, end: End, now: Moment) -> Event {
        Event::Ended(Ended { end, thought: self.thought(now) })
    }

    fn judge_move(
        &self,
        by: Sides,
        ply: usize,
        entered: &Entered,
        now: Moment,
    ) -> Result<Option<Event>, Refusal> {
        if let Some(known) = self.line.moves().nth(ply) {
            // The answer may have been lost and the move sent again.
            let before = self.line.positions().nth(ply).expect("a move was played there");
            let again = entered.to_move(before) == Ok(known) && by.plays(before.turn());
            return if again { Ok(None) } else { Err(Refusal::WrongPly) };
        }
        self.check_playing(now)?;
        if ply != self.plies() {
            return Err(Refusal::WrongPly);
        }
        if !by.plays(self.turn()) {
            return Err(Refusal::NotYourTurn);
        }
        let illegal = |why| Refusal::IllegalMove { entered: entered.clone(), why };
        let m = entered.to_move(self.line.position()).map_err(illegal)?;
        self.played(m, self.thought(now), now).map(|played| Some(Event::Played(played)))
    }

    /// A legal move that took `thought`.
    fn played(&self, m: Move, thought: Duration, now: Moment) -> Result<Played, Refusal> {
        let by = self.turn();
        let left = match self.clock.clone() {
            None => None,
            Some(mut clock) => {
                clock.press(thought).map_err(|_| Refusal::TimeUp)?;
                Some(clock.left(by))
            }
        };
        let outcome = outcome_after(&self.line, m);
        let running = left.is_some() && outcome.is_none();
        Ok(Played {
            by,
            m,
            thought,
            left,
            running_since: running.then_some(now),
            // Your own offer stands until the other side has moved.
            offer: self.offer.filter(|offer| offer.by == by && outcome.is_none()),
            outcome,
            premove: false,
        })
    }

    fn judge_premove(
        &self,
        by: Sides,
        ply: usize,
        entered: &Entered,
        now: Moment,
    ) -> Result<Option<Event>, Refusal> {
        self.check_playing(now)?;
        // It is for the turn after the other side's. A player of both sides can't premove.
        let Sides::One(side) = by else { return Err(Refusal::NotYourTurn) };
        if side == self.turn() {
            // The other side's move was faster than the premove: it is a move now.
            let late = ply == self.plies();
            return if late {
                self.judge_move(by, ply, entered, now)
            } else {
                Err(Refusal::NotYourTurn)
            };
        }
        if ply != self.plies() + 1 {
            return Err(Refusal::WrongPly);
        }
        if !entered.is_move() {
            let entered = entered.clone();
            return Err(Refusal::IllegalMove { entered, why: SanError::Unreadable });
        }
        let premove = Premove { ply, entered: entered.clone() };
        Ok(Some(Event::Premoved { by: side, premove: Some(premove) }))
    }

    fn cancel_premove(&self, by: Sides) -> Option<Event> {
        let side = Color::ALL.into_iter().find(|&c| by.plays(c) && self.has_premove(c))?;
        Some(Event::Premoved { by: side, premove: None })
    }

    fn judge_claim(&self, side: Color, now: Moment) -> Result<Option<Event>, Refusal> {
        self.check_playing(now)?;
        if side != self.turn() {
            return Err(Refusal::NotYourTurn);
        }
        let reason = self.line.claimable_draw().ok_or(Refusal::NoDrawToClaim)?;
        Ok(Some(self.ended(End::Over(Outcome::Draw(reason)), now)))
    }

    fn judge_time(&self, now: Moment) -> Result<Option<Event>, Refusal> {
        match self.check_playing(now) {
            Err(Refusal::TimeUp) => {
                let outcome = on_time(self.line.position(), self.turn());
                Ok(Some(self.ended(End::Over(outcome), now)))
            }
            Err(refusal) => Err(refusal),
            Ok(()) => Err(Refusal::TimeLeft),
        }
    }

    /// Either side may abort until both have moved, even while waiting for the other player.
    fn judge_abort(&self, now: Moment) -> Result<Option<Event>, Refusal> {
        match self.check_playing(now) {
            Ok(()) | Err(Refusal::NotBegun) => {}
            Err(refusal) => return Err(refusal),
        }
        if self.plies() >= 2 {
            return Err(Refusal::TooLateToAbort);
        }
        Ok(Some(self.ended(End::ABORTED, now)))
    }
}
