//! Converts live games to and from their stored form, and to games as PGN has them.

use std::time::Duration;

use chess::{Color, Line, Move, Outcome, Position};

use super::ending::leads_to;
use super::live_game::Unsaved;
use super::{End, LiveGame, Moment, Offer};
use crate::{Clock, Game, TimeControl, Tree, Variant};

/// The terms of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Terms {
    /// The position before the first move.
    pub start: Position,
    /// The time control, if the game is timed.
    pub control: Option<TimeControl>,
    /// The side that the engine plays.
    pub engine: Option<Color>,
    /// Whether it is rated.
    pub rated: bool,
    /// Whether the other player hasn't joined yet.
    pub waiting: bool,
}

/// The stored form of a live game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The terms, with the current state of `rated` and `waiting`.
    pub terms: Terms,
    /// The moves.
    pub moves: Vec<Move>,
    /// The mover's time left after each move; empty without clocks.
    pub lefts: Vec<Duration>,
    /// When the clock of the side to move started.
    pub running_since: Option<Moment>,
    /// How long the side to move had thought when the game ended other than by a move.
    pub last_thought: Option<Duration>,
    /// The pending offer.
    pub offer: Option<Offer>,
    /// The end, if it is over.
    pub end: Option<End>,
    /// Whether a rematch was agreed on.
    pub rematch_agreed: bool,
}

/// Why a record is not that of a possible game.
#[derive(Copy, Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RestoreError {
    /// A move is not legal.
    #[error("ply {ply} is not legal")]
    IllegalMove {
        /// The ply, counted from 1.
        ply: usize,
    },
    /// There must be a clock time for each move; without a time control there may be none.
    #[error("there are {clocks} clock times for {moves} moves")]
    ClockCount {
        /// The number of clock times.
        clocks: usize,
        /// The number of moves.
        moves: usize,
    },
    /// The time control doesn't allow this clock time.
    #[error("the clock can't have shown that after ply {ply}")]
    ImpossibleClock {
        /// The ply, counted from 1.
        ply: usize,
    },
    /// The game can't have ended this way.
    #[error("the moves don't lead to this end: {0}")]
    ImpossibleEnd(Outcome),
}

impl Record {
    /// The record of a game that has not started.
    pub const fn new(terms: Terms) -> Self {
        Self {
            terms,
            moves: Vec::new(),
            lefts: Vec::new(),
            running_since: None,
            last_thought: None,
            offer: None,
            end: None,
            rematch_agreed: false,
        }
    }
}

impl LiveGame {
    /// The stored form of the game.
    pub fn record(&self) -> Record {
        Record {
            terms: Terms {
                start: self.line.start().clone(),
                control: self.clock.as_ref().map(|clock| clock.control().clone()),
                engine: self.engine,
                rated: self.rated,
                waiting: self.waiting,
            },
            moves: self.line.moves().collect(),
            lefts: self.lefts.clone(),
            running_since: self.running_since,
            last_thought: self.last_thought,
            offer: self.offer,
            end: self.end,
            rematch_agreed: self.rematch_agreed,
        }
    }

    /// The game as PGN has it: moves, the clock after each, time control, variant, and how it
    /// ended. The players and other tags are the caller's.
    pub fn to_game(&self, variant: Variant) -> Game {
        let mut game = Game::new(self.line.start().clone());
        if variant == Variant::Chess960 {
            game.tags.set("Variant", Variant::CHESS960_TAG);
        }
        if let Some(clock) = &self.clock {
            game.tags.set("TimeControl", &clock.control().to_string());
        }
        let added = game.tree.extend(Tree::ROOT, self.line.moves());
        added.expect("the moves of a live game are legal");
        let nodes: Vec<_> = game.tree.main_nodes().collect();
        for (node, &left) in nodes.into_iter().zip(&self.lefts) {
            game.tree.comment_mut(node).clock = Some(left);
        }
        match self.end {
            Some(End::Over(outcome)) => {
                game.finish(outcome);
            }
            Some(End::Closed(result)) => game.result = result,
            None => {}
        }
        game
    }

    /// Restores a game by replaying every move.
    pub fn restore(record: Record) -> Result<Self, RestoreError> {
        let Terms { start, control, engine, rated, waiting } = record.terms;
        let mut line = Line::new(start);
        for (i, &m) in record.moves.iter().enumerate() {
            line.play(m).map_err(|_| RestoreError::IllegalMove { ply: i + 1 })?;
        }
        let (clocks, moves) = (record.lefts.len(), line.len());
        let complete = clocks == moves || clocks == 0 && control.is_none();
        if !complete {
            return Err(RestoreError::ClockCount { clocks, moves });
        }
        let clock = match control {
            None => None,
            Some(control) => Some(clock_after(control, line.start().turn(), &record.lefts)?),
        };
        if let Some(End::Over(outcome)) = record.end
            && !leads_to(&line, outcome)
        {
            return Err(RestoreError::ImpossibleEnd(outcome));
        }
        Ok(Self {
            line,
            clock,
            lefts: record.lefts,
            engine,
            rated,
            waiting,
            running_since: record.running_since,
            last_thought: record.last_thought,
            offer: record.offer,
            end: record.end,
            rematch_agreed: record.rematch_agreed,
            unsaved: Unsaved::default(),
        })
    }
}

/// The clocks after some moves, given each mover's time left.
pub(super) fn clock_after(
    control: TimeControl,
    first: Color,
    lefts: &[Duration],
) -> Result<Clock, RestoreError> {
    let mut clock = Clock::new(control, first);
    for (i, &left) in lefts.iter().enumerate() {
        let wrong = RestoreError::ImpossibleClock { ply: i + 1 };
        let thought = clock.thought(left).ok_or(wrong)?;
        clock.press(thought).map_err(|_| wrong)?;
    }
    Ok(clock)
}
