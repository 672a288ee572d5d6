//! Messages about a live game, made from its events: the same from the server's room and from a game
//! played offline in the browser.

use game::live::{Command, Event, LiveGame, Moment, OfferKind};
use game::{Openings, Variant, live};

use crate::{
    ClientMessage, ClockView, Opening, OutcomeView, PlayedMove, PositionView, Refusal,
    ServerMessage, Standing,
};

/// A live game as it is shown.
#[derive(Copy, Clone, Debug)]
pub struct LiveView<'a> {
    /// The game.
    pub live: &'a LiveGame,
    /// The variant.
    pub rules: Variant,
    /// The version of what is shown.
    pub version: u64,
    /// The game id of the rematch.
    pub rematch: Option<&'a str>,
    /// The current time.
    pub now: Moment,
    /// All opening names.
    pub openings: &'a Openings,
}

impl LiveView<'_> {
    /// The message about an event that has been applied; none for events that only concern their
    /// sender and for an end without an outcome.
    pub fn message(&self, event: &Event) -> Option<ServerMessage> {
        let Self { live, version, now, .. } = *self;
        let clock = || ClockView::new(live, now);
        let standing = || Standing::new(live, now);
        Some(match event {
            Event::Played(played) => ServerMessage::Played {
                version,
                ply: live.plies() as u32 - 1,
                played: self.last_move()?,
                position: self.position(),
                clock: clock(),
                opening: self.opening(),
                outcome: played.outcome.map(OutcomeView::from),
                standing: standing(),
            },
            Event::TookBack(_) => ServerMessage::TookBack {
                version,
                plies: live.plies() as u32,
                position: self.position(),
                clock: clock(),
                opening: self.opening(),
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
                clock: clock(),
                standing: standing(),
            },
            Event::RematchOffered { by } => ServerMessage::RematchOffered { by: *by },
            Event::RematchDeclined => ServerMessage::RematchDeclined,
            Event::RematchAgreed => ServerMessage::Rematch { game: self.rematch?.to_owned() },
            Event::Premoved { .. } | Event::PremoveFailed { .. } => return None,
        })
    }

    /// The current position.
    pub fn position(&self) -> PositionView {
        let mut view = PositionView::new(self.live.line(), self.rules);
        if !self.live.is_live() {
            view.moves.clear();
        }
        view
    }

    /// The opening that the game has reached.
    pub fn opening(&self) -> Option<Opening> {
        self.openings.find(self.live.line()).map(Opening::from)
    }

    fn last_move(&self) -> Option<PlayedMove> {
        let line = self.live.line();
        let mut positions = line.positions().rev();
        let (after, before) = (positions.next()?, positions.next()?);
        let clock = self.live.lefts().last().copied();
        Some(PlayedMove::new(before, line.moves().next_back()?, after, clock, self.rules))
    }
}

impl ClientMessage {
    /// The command that it gives; none for `join` and `ping`.
    pub fn into_command(self) -> Option<Command> {
        Some(match self {
            Self::Play { ply, text, .. } => Command::play(ply as usize, text),
            Self::Premove { ply, text: Some(text), .. } => Command::premove(ply as usize, text),
            Self::Premove { text: None, .. } => Command::CancelPremove,
            Self::Offer { what: OfferKind::Draw, .. } => Command::Draw,
            Self::Offer { what: OfferKind::TakeBack, .. } => Command::TakeBack,
            Self::Decline { .. } => Command::Decline,
            Self::ClaimDraw { .. } => Command::ClaimDraw,
            Self::Resign { .. } => Command::Resign,
            Self::Abort { .. } => Command::Abort,
            Self::Flag { .. } => Command::ClaimTime,
            Self::Rematch { .. } => Command::Rematch,
            Self::Join { .. } | Self::Ping { .. } => return None,
        })
    }
}

impl From<&live::Refusal> for Refusal {
    fn from(refusal: &live::Refusal) -> Self {
        match refusal {
            live::Refusal::NotAPlayer => Self::NotAPlayer,
            live::Refusal::NotYourTurn => Self::NotYourTurn,
            live::Refusal::IllegalMove { .. } => Self::IllegalMove,
            live::Refusal::WrongPly => Self::WrongPly,
            live::Refusal::Over | live::Refusal::TimeUp => Self::Over,
            live::Refusal::NotBegun => Self::NotBegun,
            live::Refusal::EnginePlaysOn => Self::PlaysOn,
            live::Refusal::AnswerFirst => Self::AnswerFirst,
            live::Refusal::TooLateToAbort => Self::TooLate,
            live::Refusal::NotOver
            | live::Refusal::NoOffer
            | live::Refusal::NothingToTakeBack
            | live::Refusal::NoDrawToClaim
            | live::Refusal::TimeLeft => Self::Nothing,
        }
    }
}
