//! A game in its room: the live game, and what belongs to the people around it.

use chess::Color;
use game::live::LiveGame;
use game::{Level, Source, TimeControl, Variant, Visibility};
use store::{
    GameId, Player, Seats, SecretHash, StoreError, StoredGame, Timestamp, UserId, Version,
};

/// A game in its room. It is what the store has, but for the moment since when a clock runs: the
/// live game changes by events that the store has written.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    pub head: Head,
    pub live: LiveGame,
}

/// What a game has besides moves, clocks and offers: who plays, who may see it, how often it was written.
#[derive(Clone, Debug)]
pub(crate) struct Head {
    pub id: GameId,
    pub version: Version,
    pub variant: Variant,
    pub source: Source,
    pub visibility: Visibility,
    pub owner: Option<UserId>,
    pub white: Player,
    pub black: Player,
    pub seats: Seats,
    pub created: Timestamp,
    /// As it was agreed on, or written in a file.
    pub time_control: Option<TimeControl>,
    /// The game that was begun as its rematch.
    pub rematch: Option<GameId>,
}

impl Table {
    /// Sets up what is stored.
    pub fn new(stored: &StoredGame) -> Result<Self, StoreError> {
        Ok(Self { live: stored.to_live()?, head: Head::new(stored) })
    }

    /// The level of the engine, if it is to move.
    pub fn level_to_move(&self) -> Option<Level> {
        let turn = self.live.turn();
        match self.head.player(turn) {
            Player::Engine { level, .. } if self.live.is_engines_turn() => Some(*level),
            _ => None,
        }
    }

    /// Somebody has taken the open seat.
    pub fn sit(&mut self, color: Color, player: Player, secret: SecretHash, version: Version) {
        let head = &mut self.head;
        head.version = version;
        head.seats.open = None;
        let (name, seat) = match color {
            Color::White => (&mut head.white, &mut head.seats.white),
            Color::Black => (&mut head.black, &mut head.seats.black),
        };
        (*name, *seat) = (player, Some(secret));
        self.live.begin();
    }
}

impl Head {
    pub fn new(stored: &StoredGame) -> Self {
        Self {
            id: stored.id.clone(),
            version: stored.version,
            variant: stored.variant,
            source: stored.source,
            visibility: stored.visibility,
            owner: stored.owner,
            white: stored.white.clone(),
            black: stored.black.clone(),
            seats: stored.seats.clone(),
            created: stored.created,
            time_control: stored.time_control.clone(),
            rematch: stored.rematch.clone(),
        }
    }

    pub const fn player(&self, color: Color) -> &Player {
        match color {
            Color::White => &self.white,
            Color::Black => &self.black,
        }
    }
}
