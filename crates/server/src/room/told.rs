//! Messages to the players and spectators: the whole game, and each event.

use game::Openings;
use game::live::{Event, Moment};
use wire::{
    Actions, ClockView, GameView, OutcomeView, PlayedMove, PositionView, ServerMessage, Standing,
    Status,
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
            position: self.position(),
            clock: ClockView::new(live, now),
            offer: live.offer(),
            rated: live.is_rated(),
            actions: Actions::new(live, now),
            outcome: live.outcome().map(OutcomeView::from),
            result: live.result().as_str().to_owned(),
            opening: self.opening(openings),
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
        let (live, version) = (&self.live, self.version());
        let standing = || Standing::new(live, now);
        Some(match event {
            Event::Played(played) => ServerMessage::Played {
                version,
                ply: live.plies() as u32 - 1,
                played: self.last_move()?,
                position: self.position(),
                clock: ClockView::new(live, now),
                opening: self.opening(openings),
                outcome: played.outcome.map(OutcomeView::from),
                standing: standing(),
            },
            Event::TookBack(_) => ServerMessage::TookBack {
                version,
                plies: live.plies() as u32,
                position: self.position(),
                clock: ClockView::new(live, now),
                opening: self.opening(openings),
                standing: standing(),
            },
            Event::Offered(offer) => ServerMessage::Offered {
                version,
                by: offer.map(|offer| offer.by),
                what: offer.map(|offer| offer.what),
                standing: standing(),
            },
            Event::Ended(ended) => ServerMessage::Ended {
                version,
                outcome: ended.end.outcome()?.into(),
                clock: ClockView::new(live, now),
                standing: standing(),
            },
            Event::RematchOffered { by } => ServerMessage::RematchOffered { by: *by },
            Event::RematchDeclined => ServerMessage::RematchDeclined,
            Event::RematchAgreed => {
                ServerMessage::Rematch { game: self.head.rematch.as_ref()?.to_string() }
            }
            Event::Premoved { .. } | Event::PremoveFailed { .. } => return None,
        })
    }

    /// The current position.
    fn position(&self) -> PositionView {
        let mut view = PositionView::new(self.live.line(), self.head.variant);
        if !self.live.is_live() {
            view.moves.clear();
        }
        view
    }

    fn opening(&self, openings: &Openings) -> Option<wire::Opening> {
        openings.find(self.live.line()).map(wire::Opening::from)
    }

    fn last_move(&self) -> Option<PlayedMove> {
        let line = self.live.line();
        let mut positions = line.positions().rev();
        let (after, before) = (positions.next()?, positions.next()?);
        let clock = self.live.lefts().last().copied();
        Some(PlayedMove::new(before, line.moves().next_back()?, after, clock, self.head.variant))
    }
}
