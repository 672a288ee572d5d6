//! What players offer each other: a draw, or a move back.

use chess::Color;
use store::Offer;
use wire::{Refusal, ServerMessage, Side};

use super::Room;
use crate::room::refusal::Refused;
use crate::room::table::offerer;
use crate::room::thinking::plies_to_take_back;
use crate::views;

impl Room {
    pub(super) async fn offer_draw(&mut self, side: Color, shared: bool) -> Result<(), Refused> {
        self.table.check_live()?;
        let agreed = shared
            || self.table.stored.offer == Some(Offer::Draw(!side))
            || self.table.engine().is_some() && self.opinion.takes_draw(self.table.plies());
        if agreed {
            return self.finish(|game| Some(game.agree_to_draw())).await;
        }
        if self.table.engine().is_some() {
            return Err(Refused::new(Refusal::PlaysOn));
        }
        self.check_offers(side)?;
        self.set_offer(Some(Offer::Draw(side))).await
    }

    pub(super) async fn offer_take_back(
        &mut self,
        side: Color,
        shared: bool,
    ) -> Result<(), Refused> {
        self.table.check_live()?;
        let asks = self.table.stored.offer == Some(Offer::TakeBack(!side));
        if asks {
            let plies = plies_to_take_back(&self.table, !side);
            return self.take_back(plies).await;
        }
        let plies = plies_to_take_back(&self.table, side);
        if shared {
            return self.take_back((self.table.plies() > 0).then_some(1)).await;
        }
        if self.table.engine().is_some() {
            return self.take_back(plies).await;
        }
        if plies.is_none() {
            return Err(Refused::new(Refusal::Nothing));
        }
        self.check_offers(side)?;
        self.set_offer(Some(Offer::TakeBack(side))).await
    }

    /// Refuses if the other side waits for an answer: its offer must not vanish behind another.
    fn check_offers(&self, side: Color) -> Result<(), Refused> {
        match self.table.stored.offer.filter(|offer| offerer(*offer) != side) {
            Some(_) => Err(Refused::new(Refusal::AnswerFirst)),
            None => Ok(()),
        }
    }

    async fn take_back(&mut self, plies: Option<usize>) -> Result<(), Refused> {
        let Some(plies) = plies else { return Err(Refused::new(Refusal::Nothing)) };
        // The engine must not answer a move that is no more.
        self.thinking = None;
        self.opinion.attempt();
        let now = self.now();
        let since = self.table.since_after_take_back(plies, now);
        let count = u16::try_from(plies).expect("one or two");
        let kept = self.app.store.take_back(self.id(), self.version(), count, since).await;
        let version = self.kept(kept).await?;
        self.table.take_back(plies, since, version);
        self.premoves = [None, None];
        let message = ServerMessage::TookBack {
            version: self.table.version(),
            plies: self.table.plies() as u32,
            position: self.table.position(),
            clock: self.table.clock(now),
            opening: self.table.opening(&self.app.openings),
        };
        self.connections.tell_all(&message);
        Ok(())
    }

    pub(super) async fn decline(&mut self) -> Result<(), Refused> {
        self.table.check_live()?;
        if self.table.stored.offer.is_none() {
            return Err(Refused::new(Refusal::Nothing));
        }
        self.set_offer(None).await
    }

    async fn set_offer(&mut self, offer: Option<Offer>) -> Result<(), Refused> {
        if self.table.stored.offer == offer {
            return Ok(());
        }
        let kept = self.app.store.offer(self.id(), self.version(), offer).await;
        let version = self.kept(kept).await?;
        self.table.stored.version = version;
        self.table.stored.offer = offer;
        let what = offer.map(|offer| views::offer(offer).what);
        let by = offer.map(|offer| Side::from(offerer(offer)));
        let version = self.table.version();
        self.connections.tell_all(&ServerMessage::Offered { version, by, what });
        Ok(())
    }
}
