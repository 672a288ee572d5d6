//! A game on a table: what is stored of it, the board, and the clocks.

use std::time::Duration;

use chess::{Color, Line, Move, Outcome};
use engine::Level;
use game::{Bonus, Game, Openings, PlayError};
use store::{Offer, Played, Player, SecretHash, StoreError, StoredGame, Timestamp, Version};
use wire::{ClockView, GameView, OutcomeView, PlayedMove, PositionView, Refusal};

use super::refusal::Refused;
use crate::views::{self, read_move};

/// A game with its board and clocks. It is always what the store has, but for the moment since when
/// a clock runs: whoever changes it has written the change before.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    pub stored: StoredGame,
    game: Game,
    line: Line,
}

impl Table {
    /// Sets up what is stored.
    pub fn new(stored: StoredGame) -> Result<Self, StoreError> {
        Ok(Self { game: stored.to_game()?, line: stored.to_line()?, stored })
    }

    pub fn line(&self) -> &Line {
        &self.line
    }

    pub fn plies(&self) -> usize {
        self.line.len()
    }

    pub fn turn(&self) -> Color {
        self.line.position().turn()
    }

    pub fn is_live(&self) -> bool {
        self.stored.state.is_live()
    }

    pub fn rules(&self) -> wire::Rules {
        views::rules(self.stored.rules)
    }

    pub fn player(&self, color: Color) -> &Player {
        match color {
            Color::White => &self.stored.white,
            Color::Black => &self.stored.black,
        }
    }

    /// The level of a side that the engine plays.
    pub fn level(&self, color: Color) -> Option<Level> {
        match self.player(color) {
            Player::Level { number, .. } => Level::new(*number),
            _ => None,
        }
    }

    /// The side that the engine plays, if there is one.
    pub fn engine(&self) -> Option<Color> {
        Color::ALL.into_iter().find(|&color| self.level(color).is_some())
    }

    /// Refuses if nothing can be played here any more, or yet.
    pub fn check_live(&self) -> Result<(), Refused> {
        if !self.is_live() {
            Err(Refused::new(Refusal::Over))
        } else if self.stored.seats.open.is_some() {
            Err(Refused::new(Refusal::NotBegun))
        } else {
            Ok(())
        }
    }

    /// A move of the position after so many moves, as UCI or SAN text.
    pub fn read_move(&self, ply: usize, text: &str) -> Result<Move, Refused> {
        let position = self.line.positions().nth(ply).expect("the ply has been played");
        read_move(position, text)
            .map_err(|error| Refused::because(Refusal::IllegalMove, format!("{text}: {error}")))
    }

    /// The move that was played after so many.
    pub fn played(&self, ply: usize) -> Option<Move> {
        self.line.moves().nth(ply)
    }

    /// How long the side to move has thought, or had when the game ended.
    pub fn thought(&self, now: Timestamp) -> Duration {
        match self.stored.clock_running_since {
            Some(since) => now.since(since),
            None => self.stored.last_thought.unwrap_or_default(),
        }
    }

    /// When the flag of the side to move falls, if its clock runs.
    pub fn flag_at(&self) -> Option<Timestamp> {
        let since = self.stored.clock_running_since.filter(|_| self.is_live())?;
        Some(since.after(self.game.clock()?.flag_in()))
    }

    /// What the clocks of White and Black show now.
    pub fn left(&self, now: Timestamp) -> Option<[Duration; 2]> {
        let clock = self.game.clock()?;
        Some(Color::ALL.map(|color| {
            if color == self.turn() {
                clock.left_after(self.thought(now))
            } else {
                clock.left(color)
            }
        }))
    }

    /// What the side to move gets for a move, and how many moves it has to make before it gets more.
    pub fn stage(&self) -> Option<(Bonus, Option<u32>)> {
        let (clock, turn) = (self.game.clock()?, self.turn());
        Some((clock.stage(turn).bonus, clock.moves_to_go(turn)))
    }

    /// The game after a move of the side to move, as the store is to keep it.
    pub fn after(&self, m: Move, now: Timestamp, free: bool) -> Result<Next, Refused> {
        let color = self.turn();
        let mut game = self.game.clone();
        let thought = if free { Duration::ZERO } else { self.thought(now) };
        match game.play_timed(m, thought) {
            Ok(()) => {}
            Err(PlayError::Over(_)) => return Ok(Next::Flagged),
            Err(PlayError::Illegal(error)) => {
                return Err(Refused::because(Refusal::IllegalMove, error.to_string()));
            }
        }
        let outcome = game.outcome();
        let clock = game
            .clock()
            .map(|clock| u32::try_from(clock.left(color).as_millis()).unwrap_or(u32::MAX));
        let running = clock.is_some() && outcome.is_none();
        let played = Played {
            m,
            clock,
            clock_running_since: running.then_some(now),
            // One's own offer stands until the other side has moved.
            offer: self.stored.offer.filter(|offer| offerer(*offer) == color && outcome.is_none()),
            outcome,
        };
        Ok(Next::Played(Box::new(game), played))
    }

    /// A move has been kept.
    pub fn play(&mut self, game: Game, played: &Played, version: Version) {
        self.game = game;
        self.line.play(played.m).expect("the game has played it");
        let stored = &mut self.stored;
        stored.moves.push(played.m);
        stored.clocks.extend(played.clock);
        stored.clock_running_since = played.clock_running_since;
        stored.offer = played.offer;
        stored.version = version;
        if let Some(outcome) = played.outcome {
            stored.state = store::State::Over(outcome);
        }
    }

    /// Somebody has taken the open seat.
    pub fn sit(&mut self, color: Color, player: Player, secret: SecretHash, version: Version) {
        let stored = &mut self.stored;
        stored.version = version;
        stored.seats.open = None;
        let (name, seat) = match color {
            Color::White => (&mut stored.white, &mut stored.seats.white),
            Color::Black => (&mut stored.black, &mut stored.seats.black),
        };
        (*name, *seat) = (player, Some(secret));
    }

    /// Moves have been taken back.
    pub fn take_back(&mut self, plies: usize, since: Option<Timestamp>, version: Version) {
        for _ in 0..plies {
            self.game.undo();
        }
        let left = self.line.len().saturating_sub(plies);
        self.line.truncate(left);
        let stored = &mut self.stored;
        stored.moves.truncate(left);
        stored.clocks.truncate(left);
        stored.clock_running_since = since;
        stored.offer = None;
        stored.rated = store::Rated::No;
        stored.version = version;
    }

    /// Since when a clock runs after moves were taken back: the first move of a game is free.
    pub fn since_after_take_back(&self, plies: usize, now: Timestamp) -> Option<Timestamp> {
        (self.game.clock().is_some() && self.plies() > plies).then_some(now)
    }

    /// How the game would end by something else than a move.
    pub fn end(&self, end: impl FnOnce(&mut Game) -> Option<Outcome>) -> Option<(Game, Outcome)> {
        let mut game = self.game.clone();
        let outcome = end(&mut game)?;
        Some((game, outcome))
    }

    /// The game has ended.
    pub fn finish(&mut self, game: Game, outcome: Outcome, thought: Duration, version: Version) {
        self.game = game;
        let stored = &mut self.stored;
        stored.state = store::State::Over(outcome);
        stored.clock_running_since = None;
        stored.last_thought = Some(thought);
        stored.offer = None;
        stored.version = version;
    }

    /// The position on the board.
    pub fn position(&self) -> PositionView {
        let mut view = PositionView::new(&self.line, self.rules());
        if !self.is_live() {
            view.moves.clear();
        }
        view
    }

    pub fn clock(&self, now: Timestamp) -> Option<ClockView> {
        let [white, black] = self.left(now)?.map(|left| left.as_millis() as u64);
        let runs = self.is_live() && self.stored.clock_running_since.is_some();
        Some(ClockView { white, black, running: runs.then(|| self.turn().into()) })
    }

    pub fn outcome(&self) -> Option<OutcomeView> {
        match self.stored.state {
            store::State::Over(outcome) => Some(outcome.into()),
            _ => None,
        }
    }

    pub fn opening(&self, openings: &Openings) -> Option<wire::Opening> {
        openings.find(&self.line).map(wire::Opening::from)
    }

    /// The last move.
    pub fn last_move(&self) -> Option<PlayedMove> {
        let mut positions = self.line.positions().rev();
        let (after, before) = (positions.next()?, positions.next()?);
        let clock = self.stored.clocks.last().copied().map(u64::from);
        Some(PlayedMove::new(before, self.line.moves().next_back()?, after, clock, self.rules()))
    }

    pub fn version(&self) -> u64 {
        self.stored.version.0.unsigned_abs()
    }

    /// All there is to know.
    pub fn view(&self, now: Timestamp, openings: &Openings) -> GameView {
        let stored = &self.stored;
        GameView {
            id: stored.id.to_string(),
            version: self.version(),
            rules: self.rules(),
            white: views::player(&stored.white),
            black: views::player(&stored.black),
            time: stored.time_control.as_ref().map(ToString::to_string),
            status: views::status(stored.state, stored.seats.open.is_some()),
            source: views::source(stored.source),
            visibility: views::visibility(stored.visibility),
            created: stored.created.0,
            start: self.line.start().to_string(),
            moves: PlayedMove::all(&self.line, &stored.clocks, self.rules()),
            position: self.position(),
            clock: self.clock(now),
            offer: stored.offer.map(views::offer),
            rated: stored.rated != store::Rated::No,
            outcome: self.outcome(),
            result: stored.state.result().text().to_owned(),
            opening: self.opening(openings),
            open: stored.seats.open.map(Into::into),
            rematch: stored.rematch.as_ref().map(ToString::to_string),
        }
    }
}

/// What comes of a move.
#[derive(Debug)]
pub(crate) enum Next {
    /// It can be kept.
    Played(Box<Game>, Played),
    /// It came too late: the time was up.
    Flagged,
}

/// Who has made an offer.
pub(crate) const fn offerer(offer: Offer) -> Color {
    match offer {
        Offer::Draw(by) | Offer::TakeBack(by) => by,
    }
}
