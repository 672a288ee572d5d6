//! The state of a live game, and queries on it.

use std::time::Duration;

use chess::{Color, Line, Outcome};

use super::offers::Outlook;
use super::{Command, End, Event, Moment, Offer, Premove, Record, Refusal, Sides, Terms};
use crate::{Clock, GameResult};

/// A game in progress.
///
/// It is only changed by [`apply`](Self::apply), and by what is lost with the process:
/// [`begin`](Self::begin), [`engine_thinks`](Self::engine_thinks),
/// [`forget_premove`](Self::forget_premove) and [`stop_clocks`](Self::stop_clocks).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LiveGame {
    pub(super) line: Line,
    /// The clocks; that of the side to move is running.
    pub(super) clock: Option<Clock>,
    /// The mover's time left after each move; empty without clocks.
    pub(super) lefts: Vec<Duration>,
    pub(super) engine: Option<Color>,
    pub(super) rated: bool,
    pub(super) waiting: bool,
    pub(super) running_since: Option<Moment>,
    pub(super) last_thought: Option<Duration>,
    pub(super) offer: Option<Offer>,
    pub(super) end: Option<End>,
    pub(super) rematch_agreed: bool,
    pub(super) unsaved: Unsaved,
}

/// State that is not stored.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Unsaved {
    pub premoves: [Option<Premove>; 2],
    pub rematch_wanted: [bool; 2],
    /// The engine's assessment of its position after its last search.
    pub outlook: Option<Outlook>,
    /// Since when the clocks are stopped.
    pub stopped: Option<Moment>,
}

impl LiveGame {
    /// How long an engine thinks about a move in a game without clocks.
    pub const TIME_WITHOUT_CLOCKS: Duration = Duration::from_secs(1);

    /// A game that starts now, or when the other player has joined.
    pub fn new(terms: Terms) -> Self {
        Self::restore(Record::new(terms)).expect("a game without moves can be played")
    }

    /// The start and the moves.
    pub const fn line(&self) -> &Line {
        &self.line
    }

    /// The number of plies played.
    pub fn plies(&self) -> usize {
        self.line.len()
    }

    /// The side to move.
    pub fn turn(&self) -> Color {
        self.line.position().turn()
    }

    /// The mover's time left after each move; empty without clocks.
    pub fn lefts(&self) -> &[Duration] {
        &self.lefts
    }

    /// The clocks after the last move, if the game is timed.
    pub const fn clock(&self) -> Option<&Clock> {
        self.clock.as_ref()
    }

    /// White's and Black's time left now.
    pub fn left(&self, now: Moment) -> Option<[Duration; 2]> {
        let clock = self.clock.as_ref()?;
        let thought = self.thought(now);
        Some(Color::ALL.map(|color| {
            if color == self.turn() { clock.left_after(thought) } else { clock.left(color) }
        }))
    }

    /// The side whose clock is running. None is before the first move, which is free, and while the
    /// clocks are stopped.
    pub fn clock_runs(&self) -> Option<Color> {
        let stopped = self.end.is_some() || self.unsaved.stopped.is_some();
        (!stopped && self.running_since.is_some()).then(|| self.turn())
    }

    /// How long the side to move has thought, or had when the game ended.
    pub fn thought(&self, now: Moment) -> Duration {
        match self.running_since {
            Some(since) => self.unsaved.stopped.unwrap_or(now).since(since),
            None => self.last_thought.unwrap_or_default(),
        }
    }

    /// When the flag of the side to move falls, if its clock is running.
    pub fn deadline(&self) -> Option<Moment> {
        self.clock_runs()?;
        let since = self.running_since?;
        Some(since.after(self.clock.as_ref()?.flag_in()))
    }

    /// Whether it is not over. It may still be waiting for a player.
    pub const fn is_live(&self) -> bool {
        self.end.is_none()
    }

    /// Whether it is waiting for the other player.
    pub const fn is_waiting(&self) -> bool {
        self.waiting && self.end.is_none()
    }

    /// The end, if it is over.
    pub const fn end(&self) -> Option<End> {
        self.end
    }

    /// The outcome, if it was played to its end.
    pub fn outcome(&self) -> Option<Outcome> {
        self.end.and_then(End::outcome)
    }

    /// The result, as in PGN.
    pub fn result(&self) -> GameResult {
        self.end.map_or(GameResult::Unknown, End::result)
    }

    /// The pending offer.
    pub const fn offer(&self) -> Option<Offer> {
        self.offer
    }

    /// Whether it is rated. A takeback makes it unrated, and a game that is not played to its end
    /// is never rated.
    pub const fn is_rated(&self) -> bool {
        self.rated && !matches!(self.end, Some(End::Closed(_)))
    }

    /// The side that the engine plays.
    pub const fn engine(&self) -> Option<Color> {
        self.engine
    }

    /// Whether the engine is to move.
    pub fn is_engines_turn(&self) -> bool {
        self.end.is_none() && !self.waiting && self.engine == Some(self.turn())
    }

    /// Whether a side has a premove.
    pub const fn has_premove(&self, color: Color) -> bool {
        self.unsaved.premoves[color.index()].is_some()
    }

    /// Judges a command and applies the event at once, for callers without a store.
    pub fn act(
        &mut self,
        by: Sides,
        command: &Command,
        now: Moment,
    ) -> Result<Option<Event>, Refusal> {
        let event = self.judge(by, command, now)?;
        if let Some(event) = &event {
            self.apply(event, now);
        }
        Ok(event)
    }

    /// The other player has joined.
    pub const fn begin(&mut self) {
        self.waiting = false;
    }

    /// Records the engine's assessment of its position after a search for its move.
    pub const fn engine_thinks(&mut self, outlook: Outlook) {
        self.unsaved.outlook = Some(outlook);
    }

    /// Drops the premove of a side whose player has left.
    pub fn forget_premove(&mut self, color: Color) {
        self.unsaved.premoves[color.index()] = None;
    }

    /// Takes over the state that is not stored from this game as it was before it was reloaded. The
    /// start of a clock is stored with the move, before the write is done; the game knows it better.
    pub fn keep_unsaved(&mut self, before: Self) {
        if self.running_since.is_some() && self.line.moves().eq(before.line.moves()) {
            self.running_since = before.running_since;
        }
        self.unsaved = before.unsaved;
    }

    /// Stops the clocks: no time is charged from this moment on, and no flag falls, until they are
    /// [started](Self::start_clocks). For times in which moves can't be accepted.
    pub fn stop_clocks(&mut self, at: Moment) {
        self.unsaved.stopped = Some(self.unsaved.stopped.map_or(at, |since| since.min(at)));
    }

    /// Starts the clocks again.
    pub fn start_clocks(&mut self, now: Moment) {
        let Some(stopped) = self.unsaved.stopped.take() else { return };
        let pause = now.since(stopped);
        self.running_since =
            self.running_since.map(|since| if since < stopped { since.after(pause) } else { now });
    }

    /// The rematch: the same game from the start, with sides swapped.
    pub fn rematch(&self) -> Self {
        Self::new(Terms {
            start: self.line.start().clone(),
            control: self.clock.as_ref().map(|clock| clock.control().clone()),
            engine: self.engine.map(|color| !color),
            rated: self.is_rated(),
            waiting: false,
        })
    }
}
