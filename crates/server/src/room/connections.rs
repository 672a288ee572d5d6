//! The connections of a room: players and spectators.

use std::collections::HashMap;

use axum::extract::ws::Utf8Bytes;
use chess::Color;
use tokio::sync::mpsc;
use wire::ServerMessage;

use crate::access::Who;
use crate::pool::Owner;

/// Identifies a connection within its room.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ConnectionId(pub u64);

/// Maximum number of queued messages before a slow connection is dropped.
pub(crate) const MOST_WAITING: usize = 64;

/// One connection.
#[derive(Debug)]
struct Connection {
    who: Who,
    /// On whose behalf the engine searches for this connection.
    owner: Owner,
    /// Whether a weak engine shall take as long for its moves as a person would.
    unhurried: bool,
    sides: Vec<Color>,
    out: mpsc::Sender<Utf8Bytes>,
}

/// All connections of a room.
#[derive(Debug, Default)]
pub(crate) struct Connections {
    all: HashMap<ConnectionId, Connection>,
    next: u64,
}

impl Connections {
    pub fn add(
        &mut self,
        who: Who,
        owner: Owner,
        unhurried: bool,
        sides: Vec<Color>,
        out: mpsc::Sender<Utf8Bytes>,
    ) -> ConnectionId {
        self.next += 1;
        let id = ConnectionId(self.next);
        self.all.insert(id, Connection { who, owner, unhurried, sides, out });
        id
    }

    pub fn remove(&mut self, id: ConnectionId) {
        self.all.remove(&id);
    }

    /// Re-evaluates everyone's sides and drops those who may no longer watch. Returns the
    /// connections whose sides have changed.
    pub fn admit_again(&mut self, sides: impl Fn(&Who) -> Option<Vec<Color>>) -> Vec<ConnectionId> {
        let mut changed = Vec::new();
        self.all.retain(|&id, connection| {
            let Some(sides) = sides(&connection.who) else { return false };
            if connection.sides != sides {
                connection.sides = sides;
                changed.push(id);
            }
            true
        });
        changed
    }

    pub fn sides(&self, id: ConnectionId) -> &[Color] {
        self.all.get(&id).map_or(&[], |connection| &connection.sides)
    }

    /// On whose behalf the engine searches: that of its opponent, who plays this side, or else of
    /// the first spectator. None if nobody is connected.
    pub fn owner(&self, opponent: Color) -> Option<&Owner> {
        let first =
            |(id, one): &(&ConnectionId, &Connection)| (!one.sides.contains(&opponent), id.0);
        self.all.iter().min_by_key(first).map(|(_, one)| &one.owner)
    }

    /// Whether the player of a side wants to wait for the engine as for a person.
    pub fn is_unhurried(&self, player: Color) -> bool {
        self.all.values().any(|one| one.unhurried && one.sides.contains(&player))
    }

    pub fn ids(&self) -> Vec<ConnectionId> {
        self.all.keys().copied().collect()
    }

    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// The sides that are connected, and the number of spectators.
    pub fn present(&self) -> (Vec<Color>, u32) {
        let plays = |color: Color| self.all.values().any(|one| one.sides.contains(&color));
        let present = Color::ALL.into_iter().filter(|&color| plays(color));
        let watching = self.all.values().filter(|one| one.sides.is_empty()).count();
        (present.collect(), watching as u32)
    }

    /// Sends to one connection. If its queue is full it is dropped: it will reconnect and get the
    /// full state.
    pub fn tell(&mut self, id: ConnectionId, message: &ServerMessage) {
        if let Some(connection) = self.all.get(&id)
            && connection.out.try_send(text(message)).is_err()
        {
            self.all.remove(&id);
        }
    }

    /// Broadcasts a message.
    pub fn tell_all(&mut self, message: &ServerMessage) {
        if !self.all.is_empty() {
            let text = text(message);
            self.all.retain(|_, connection| connection.out.try_send(text.clone()).is_ok());
        }
    }
}

fn text(message: &ServerMessage) -> Utf8Bytes {
    serde_json::to_string(message).expect("messages can be written as JSON").into()
}

#[cfg(test)]
mod tests {
    use store::UserId;

    use super::*;

    #[test]
    fn the_engine_searches_for_its_opponent_and_otherwise_for_a_spectator() {
        let mut connections = Connections::default();
        let mut add = |user, sides: &[Color]| {
            let (out, _) = mpsc::channel(1);
            connections.add(Who::default(), Owner::User(UserId(user)), false, sides.to_vec(), out)
        };
        let [spectator, player, _] =
            [add(1, &[]), add(2, &[Color::White]), add(3, &[Color::White])];
        let owner = |connections: &Connections| connections.owner(Color::White).cloned();
        assert_eq!(owner(&connections), Some(Owner::User(UserId(2))));
        connections.remove(player);
        assert_eq!(owner(&connections), Some(Owner::User(UserId(3))));
        connections.remove(ConnectionId(3));
        assert_eq!(owner(&connections), Some(Owner::User(UserId(1))));
        connections.remove(spectator);
        assert_eq!(owner(&connections), None);
    }

    #[test]
    fn a_spectator_has_no_say_in_how_fast_the_engine_moves() {
        let mut connections = Connections::default();
        let mut add = |unhurried, sides: &[Color]| {
            let (out, _) = mpsc::channel(1);
            connections.add(Who::default(), Owner::Nobody, unhurried, sides.to_vec(), out)
        };
        let [_, player] = [add(true, &[]), add(true, &[Color::White])];
        assert!(connections.is_unhurried(Color::White));
        connections.remove(player);
        assert!(!connections.is_unhurried(Color::White));
    }
}
