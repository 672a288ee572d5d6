//! Joining, leaving and taking seats.

use axum::extract::ws::Utf8Bytes;
use chess::Color;
use tokio::sync::mpsc;
use wire::{GameView, ServerMessage, Standing};

use super::{Claim, Room};
use crate::access::{Access, Who};
use crate::pool::Owner;
use crate::problem::{Failure, Kind};
use crate::room::connections::ConnectionId;
use crate::views;

impl Room {
    pub(super) fn join(
        &mut self,
        who: Who,
        owner: Owner,
        unhurried: bool,
        out: mpsc::Sender<Utf8Bytes>,
    ) -> Result<ConnectionId, Failure> {
        let access = Access::new(&self.table.head, &who, &self.app.config.mode);
        access.watch()?;
        let id = self.connections.add(who, owner, unhurried, access.sides, out);
        self.tell_state(id);
        self.tell_present();
        Ok(id)
    }

    pub(super) fn leave(&mut self, id: ConnectionId) {
        self.connections.remove(id);
        for color in Color::ALL {
            if self.premoved_by[color.index()].take_if(|by| *by == id).is_some() {
                self.table.live.forget_premove(color);
            }
        }
        self.tell_present();
    }

    pub(super) fn tell_state(&mut self, id: ConnectionId) {
        let (present, spectators) = self.connections.present();
        let state = ServerMessage::State {
            game: self.table.view(self.now(), &self.app.openings),
            sides: self.connections.sides(id).to_vec(),
            present,
            spectators,
        };
        self.connections.tell(id, &state);
    }

    pub(super) fn tell_state_to_all(&mut self) {
        for id in self.connections.ids() {
            self.tell_state(id);
        }
    }

    fn tell_present(&mut self) {
        let (present, spectators) = self.connections.present();
        self.connections.tell_all(&ServerMessage::Present { present, spectators });
    }

    pub(super) async fn sit(&mut self, claim: Claim) -> Result<GameView, Failure> {
        let color = self.seat_for(&claim)?;
        if let Some(color) = color {
            let Claim { player, own, .. } = claim;
            let own = own.hash();
            let asked = self.now();
            let kept =
                self.app.store.sit(self.id(), self.version(), color, &player, Some(&own)).await;
            let version = match kept {
                Ok(version) => version,
                Err(error) => {
                    self.write_failed(&error, asked).await;
                    return Err(error.into());
                }
            };
            self.table.sit(color, player, own, version);
            let message = ServerMessage::Seated {
                version: self.table.version(),
                white: views::player(&self.table.head.white),
                black: views::player(&self.table.head.black),
                standing: Standing::new(&self.table.live, self.now()),
            };
            self.connections.tell_all(&message);
            // The secret of the link is no longer valid.
            for id in self.admit_again() {
                self.tell_state(id);
            }
        }
        Ok(self.table.view(self.now(), &self.app.openings))
    }

    /// The seat that the claim is for; none if the claimant already has it.
    fn seat_for(&self, claim: &Claim) -> Result<Option<Color>, Failure> {
        let head = &self.table.head;
        let opened = head.seats.open.filter(|&color| head.seats.opens(&claim.link, color));
        if let Some(color) = opened {
            let player = &claim.player;
            let same = player.user().is_some() && head.player(!color).user() == player.user();
            if same {
                let detail = "you can't accept your own invitation";
                return Err(Failure::new(Kind::Forbidden, detail));
            }
            return Ok(Some(color));
        }
        // The claim may be a retry whose first answer was lost.
        if Color::ALL.into_iter().any(|color| head.seats.opens(&claim.own, color)) {
            return Ok(None);
        }
        Access::new(head, &claim.who, &self.app.config.mode).watch()?;
        Err(match head.seats.open {
            Some(_) => Failure::new(Kind::Forbidden, "the invitation link is not valid"),
            None => Failure::new(Kind::Taken, "the seat is taken"),
        })
    }

    /// Re-checks the access rights of all connections. Returns those whose sides have changed.
    pub(super) fn admit_again(&mut self) -> Vec<ConnectionId> {
        let (head, mode) = (&self.table.head, &self.app.config.mode);
        self.connections.admit_again(|who| {
            let access = Access::new(head, who, mode);
            access.watch().ok().map(|()| access.sides)
        })
    }
}
