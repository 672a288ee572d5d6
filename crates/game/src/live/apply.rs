//! Applies events to a game.

use super::record::clock_after;
use super::{End, Event, LiveGame, Moment, Played, TookBack};

impl LiveGame {
    /// Applies an event of [`judge`](Self::judge) or [`due`](Self::due). The clock of the side to
    /// move runs from `now` on, so that no player is charged for the time it took to write the
    /// event.
    ///
    /// # Panics
    /// If the game has changed since the event was judged.
    pub fn apply(&mut self, event: &Event, now: Moment) {
        match event {
            Event::Played(played) => self.play(played, now),
            Event::TookBack(took_back) => self.take_back(*took_back, now),
            Event::Offered(offer) => self.offer = *offer,
            Event::Ended(ended) => {
                self.last_thought = Some(ended.thought);
                self.finish(ended.end);
            }
            Event::Premoved { by, premove } => {
                self.unsaved.premoves[by.index()].clone_from(premove);
            }
            Event::PremoveFailed { by } => self.forget_premove(*by),
            Event::RematchOffered { by } => self.unsaved.rematch_wanted[by.index()] = true,
            Event::RematchDeclined => self.unsaved.rematch_wanted = [false, false],
            Event::RematchAgreed => self.rematch_agreed = true,
        }
    }

    fn play(&mut self, played: &Played, now: Moment) {
        self.line.play(played.m).expect("the move was judged in this position");
        if let Some(clock) = &mut self.clock {
            clock.press(played.thought).expect("the move was judged in time");
        }
        self.lefts.extend(played.left);
        self.running_since = played.running_since.map(|_| now);
        self.offer = played.offer;
        self.forget_premove(played.by);
        if let Some(outcome) = played.outcome {
            self.finish(End::Over(outcome));
        }
    }

    fn take_back(&mut self, took_back: TookBack, now: Moment) {
        let plies = self.plies() - took_back.plies;
        self.line.truncate(plies);
        self.lefts.truncate(plies);
        if let Some(clock) = &mut self.clock {
            let control = clock.control().clone();
            *clock = clock_after(control, self.line.start().turn(), &self.lefts)
                .expect("the clocks have shown that before");
        }
        self.running_since = took_back.running_since.map(|_| now);
        self.offer = None;
        self.rated = false;
        self.unsaved.premoves = [None, None];
    }

    fn finish(&mut self, end: End) {
        self.end = Some(end);
        self.running_since = None;
        self.offer = None;
        self.unsaved.premoves = [None, None];
    }
}
