//! A live game in the browser's storage, and as PGN.

use std::time::Duration;

use chess::Outcome;
use game::live::{End, LiveGame, Moment, Offer, Record, Terms};
use game::{Game, GameResult, TimeControl, Variant};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use wire::{OutcomeView, PlayerView};

use super::live::{Head, Table};
use crate::Trouble;

/// A live game in the browser's storage.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct SavedGame {
    /// Its id.
    pub id: String,
    /// Its version.
    pub version: u64,
    /// When it was created, in milliseconds since 1970.
    pub created: i64,
    /// The variant.
    pub rules: Variant,
    /// The white player.
    pub white: PlayerView,
    /// The black player.
    pub black: PlayerView,
    /// The start position, as FEN.
    pub start: String,
    /// The time control, as in PGN.
    pub time: Option<String>,
    /// The moves, in UCI notation.
    pub moves: Vec<String>,
    /// The mover's time left after each move, in milliseconds.
    pub clocks: Vec<u64>,
    /// When the clock of the side to move started, in milliseconds since 1970.
    pub running_since: Option<i64>,
    /// How long the side to move had thought when the game ended other than by a move.
    pub last_thought: Option<u64>,
    /// The pending offer.
    pub offer: Option<Offer>,
    /// The result.
    pub result: GameResult,
    /// How it ended, if it was played to its end.
    pub outcome: Option<OutcomeView>,
    /// Whether it is over.
    pub over: bool,
}

/// Continues a saved game.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RestoreGame {
    /// The game.
    pub saved: SavedGame,
    /// Milliseconds since 1970.
    pub now: i64,
}

impl SavedGame {
    pub(super) fn new(table: &Table) -> Self {
        let (record, head) = (table.live.record(), table.head.clone());
        let line = table.live.line();
        let castling = head.rules.castling();
        let millis = |time: Duration| time.as_millis() as u64;
        Self {
            id: head.id,
            version: table.version,
            created: head.created,
            rules: head.rules,
            white: head.white,
            black: head.black,
            start: line.start().to_string(),
            time: head.time,
            moves: line
                .moves()
                .zip(line.positions())
                .map(|(m, at)| m.to_uci(at, castling).to_string())
                .collect(),
            clocks: record.lefts.into_iter().map(millis).collect(),
            running_since: record.running_since.map(|moment| moment.0),
            last_thought: record.last_thought.map(millis),
            offer: record.offer,
            result: table.live.result(),
            outcome: table.live.outcome().map(OutcomeView::from),
            over: !table.live.is_live(),
        }
    }

    pub(super) fn into_table(self) -> Result<Table, Trouble> {
        let control = self.time.as_deref().map(str::parse::<TimeControl>).transpose();
        let control = control.map_err(|error| Trouble::new(error.to_string()))?;
        let start: chess::Position = self.start.parse()?;
        let mut position = start.clone();
        let mut moves = Vec::with_capacity(self.moves.len());
        for text in &self.moves {
            let m = position.parse_move(text)?;
            position.play_unchecked(m);
            moves.push(m);
        }
        let engine = match (self.white.level, self.black.level) {
            (Some(_), _) => Some(chess::Color::White),
            (_, Some(_)) => Some(chess::Color::Black),
            _ => None,
        };
        let end = match (&self.outcome, self.over) {
            (Some(view), _) => {
                let outcome = Outcome::try_from(view);
                Some(End::Over(outcome.map_err(|error| Trouble::new(error.to_string()))?))
            }
            (None, true) => Some(End::Closed(self.result)),
            (None, false) => None,
        };
        let record = Record {
            terms: Terms { start, control, engine, rated: false, waiting: false },
            moves,
            lefts: self.clocks.into_iter().map(Duration::from_millis).collect(),
            running_since: self.running_since.map(Moment),
            last_thought: self.last_thought.map(Duration::from_millis),
            offer: self.offer,
            end,
            rematch_agreed: false,
        };
        let live = LiveGame::restore(record).map_err(|error| Trouble::new(error.to_string()))?;
        let head = Head {
            id: self.id,
            rules: self.rules,
            white: self.white,
            black: self.black,
            created: self.created,
            time: self.time,
        };
        Ok(Table { live, head, version: self.version })
    }
}

/// The game, to be written as PGN.
pub(super) fn game(table: &Table) -> Game {
    let mut game = table.live.to_game(table.head.rules);
    game.tags.set("White", &table.head.white.name);
    game.tags.set("Black", &table.head.black.name);
    game
}
