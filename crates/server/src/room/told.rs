//! Messages to the players and spectators: the whole game, and each event.

use game::Openings;
use game::live::{Event, Moment};
use store::GameId;
use wire::{
    Actions, ClockView, GameView, LiveView, OutcomeView, PlayedMove, ServerMessage, Status,
};

use super::table::Table;
use crate::views;

impl Table {
    pub fn version(&self) -> u64 {
        self.head.version.0.unsigned_abs()
    }

    /// The whole game.
    pub fn view(&self, now: Moment, openings: &Openings) -> GameView {
        let (head, live) = (&self.head, &self.live);
        let shown = self.shown(now, openings);
        GameView {
            id: head.id.to_string(),
            version: self.version(),
            rules: head.variant,
            white: views::player(&head.white),
            black: views::player(&head.black),
            time: head.time_control.as_ref().map(ToString::to_string),
            status: Status::new(live),
            source: head.source,
            visibility: head.visibility,
            created: head.created.0,
            start: live.line().start().to_string(),
            moves: PlayedMove::all(live.line(), live.lefts(), self.head.variant),
            position: shown.position(),
            clock: ClockView::new(live, now),
            offer: live.offer(),
            rated: live.is_rated(),
            actions: Actions::new(live, now),
            outcome: live.outcome().map(OutcomeView::from),
            result: live.result().as_str().to_owned(),
            opening: shown.opening(),
            open: head.seats.open,
            rematch: head.rematch.as_ref().map(ToString::to_string),
        }
    }

    /// The broadcast message for an event; none for events that only concern their sender and for
    /// an end without an outcome.
    pub fn message(
        &self,
        event: &Event,
        now: Moment,
        openings: &Openings,
    ) -> Option<ServerMessage> {
        self.shown(now, openings).message(event)
    }

    /// The game as it is shown.
    fn shown<'a>(&'a self, now: Moment, openings: &'a Openings) -> LiveView<'a> {
        LiveView {
            live: &self.live,
            rules: self.head.variant,
            version: self.version(),
            rematch: self.head.rematch.as_ref().map(GameId::as_str),
            now,
            openings,
        }
    }
}
