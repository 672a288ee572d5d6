//! Draws, takebacks and rematches, which need the other side's consent, and when the engine gives
//! it.

use std::fmt;
use std::str::FromStr;

use chess::{Color, DrawReason, Outcome, UnknownName};

use super::{End, Event, LiveGame, Moment, Refusal, Sides, TookBack};

/// A pending offer of one side. As text: `draw by white`.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "schema",
    derive(utoipa::ToSchema),
    schema(as = OfferView, description = "An offer that waits for an answer.")
)]
pub struct Offer {
    /// The side that offers.
    pub by: Color,
    /// What is offered.
    pub what: OfferKind,
}

/// What a side can offer.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum OfferKind {
    /// A draw.
    Draw,
    /// A takeback; the engine always agrees.
    TakeBack,
}

chess::names! {
    OfferKind, schema "Offer" "What a player can offer." { Draw = "draw", TakeBack = "take_back" }
}

impl Offer {
    /// A draw offer of a side.
    pub const fn draw(by: Color) -> Self {
        Self { by, what: OfferKind::Draw }
    }

    /// A takeback request of a side.
    pub const fn take_back(by: Color) -> Self {
        Self { by, what: OfferKind::TakeBack }
    }
}

impl fmt::Display for Offer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} by {}", self.what, self.by)
    }
}

impl FromStr for Offer {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Self, UnknownName> {
        let (what, by) = text.split_once(" by ").unwrap_or((text, ""));
        Ok(Self { what: what.parse()?, by: by.parse()? })
    }
}

/// The engine's assessment of its own position.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Outlook {
    /// Centipawns; positive is good for the engine.
    Centipawns(i32),
    /// The engine sees a forced mate.
    Mates,
    /// The engine is being mated.
    GetsMated,
}

impl Outlook {
    /// Whether the engine accepts a draw: when it is a pawn down, or no better after forty moves.
    const fn accepts_draw(self, plies: usize) -> bool {
        match self {
            Self::Centipawns(score) => score <= -100 || score <= 10 && plies >= 80,
            Self::Mates => false,
            Self::GetsMated => true,
        }
    }
}

impl LiveGame {
    pub(super) fn judge_draw(
        &self,
        by: Sides,
        side: Color,
        now: Moment,
    ) -> Result<Option<Event>, Refusal> {
        self.check_playing(now)?;
        let engine_accepts = self.engine.is_some()
            && self.unsaved.outlook.is_some_and(|outlook| outlook.accepts_draw(self.plies()));
        if by == Sides::Both || self.offer == Some(Offer::draw(!side)) || engine_accepts {
            let draw = Outcome::Draw(DrawReason::Agreement);
            return Ok(Some(self.ended(End::Over(draw), now)));
        }
        if self.engine.is_some() {
            return Err(Refusal::EnginePlaysOn);
        }
        self.make_offer(Offer::draw(side))
    }

    pub(super) fn judge_take_back(
        &self,
        by: Sides,
        side: Color,
        now: Moment,
    ) -> Result<Option<Event>, Refusal> {
        self.check_playing(now)?;
        let asked = self.offer == Some(Offer::take_back(!side));
        let plies = match by {
            // At a shared board it is the last move, of either side.
            Sides::Both => (self.plies() > 0).then_some(1),
            _ if asked => self.plies_to_take_back(!side),
            _ => self.plies_to_take_back(side),
        };
        let plies = plies.ok_or(Refusal::NothingToTakeBack)?;
        if asked || by == Sides::Both || self.engine.is_some() {
            // The first move of a game is free.
            let runs = self.clock.is_some() && self.plies() > plies;
            let running_since = runs.then_some(now);
            return Ok(Some(Event::TookBack(TookBack { plies, running_since })));
        }
        self.make_offer(Offer::take_back(side))
    }

    /// The number of plies to take back, so that it is the side's turn again.
    fn plies_to_take_back(&self, side: Color) -> Option<usize> {
        let plies = if self.turn() == side { 2 } else { 1 };
        (self.plies() >= plies).then_some(plies)
    }

    /// An offer must not replace a pending one of the other side.
    fn make_offer(&self, offer: Offer) -> Result<Option<Event>, Refusal> {
        match self.offer {
            Some(standing) if standing.by != offer.by => Err(Refusal::AnswerFirst),
            Some(standing) if standing == offer => Ok(None),
            _ => Ok(Some(Event::Offered(Some(offer)))),
        }
    }

    pub(super) fn judge_decline(&self, now: Moment) -> Result<Option<Event>, Refusal> {
        if self.unsaved.rematch_wanted.contains(&true) && !self.rematch_agreed {
            return Ok(Some(Event::RematchDeclined));
        }
        self.check_playing(now)?;
        match self.offer {
            Some(_) => Ok(Some(Event::Offered(None))),
            None => Err(Refusal::NoOffer),
        }
    }

    /// The engine accepts every rematch, and so do two players at a shared board.
    pub(super) fn judge_rematch(&self, by: Sides, side: Color) -> Result<Option<Event>, Refusal> {
        if self.end.is_none() {
            return Err(Refusal::NotOver);
        }
        let wanted = &self.unsaved.rematch_wanted;
        let agreed = by == Sides::Both
            || self.engine.is_some()
            || self.rematch_agreed
            || wanted[(!side).index()];
        Ok(if agreed {
            Some(Event::RematchAgreed)
        } else if wanted[side.index()] {
            None
        } else {
            Some(Event::RematchOffered { by: side })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_offer_survives_being_written() {
        for by in Color::ALL {
            for what in OfferKind::ALL {
                let offer = Offer { by, what };
                assert_eq!(offer.to_string().parse(), Ok(offer));
            }
        }
        assert_eq!(Offer::take_back(Color::Black).to_string(), "take_back by black");
        for text in ["", "draw", "draw by ", "draw by nobody", "white by draw"] {
            assert!(text.parse::<Offer>().is_err(), "{text}");
        }
    }

    #[test]
    fn the_engine_accepts_a_draw_when_worse_or_when_nothing_happens_any_more() {
        for (outlook, plies, accepts) in [
            (Outlook::Centipawns(-100), 0, true),
            (Outlook::Centipawns(-99), 79, false),
            (Outlook::Centipawns(10), 80, true),
            (Outlook::Centipawns(11), 300, false),
            (Outlook::Mates, 300, false),
            (Outlook::GetsMated, 0, true),
        ] {
            assert_eq!(outlook.accepts_draw(plies), accepts, "{outlook:?} after {plies}");
        }
    }
}
