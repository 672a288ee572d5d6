//! A game in its room: the live game and the data around it.

use chess::Color;
use game::live::LiveGame;
use game::{Level, Source, TimeControl, Variant, Visibility};
use store::{
    GameId, Left, Player, Seats, SecretHash, StoreError, StoredGame, Timestamp, UserId, Version,
};

/// A game in its room. It matches the stored game except for the moment a clock was started: the
/// live game only changes by events that have been stored.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    pub head: Head,
    pub live: LiveGame,
}

/// Everything about a game besides moves, clocks and offers: players, visibility, version.
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
    pub left: Left,
    pub created: Timestamp,
    /// As agreed, or as read from a PGN file.
    pub time_control: Option<TimeControl>,
    /// The game that was started as its rematch.
    pub rematch: Option<GameId>,
}

impl Table {
    /// Loads a stored game.
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

    /// Assigns the open seat.
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
            left: stored.left,
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
