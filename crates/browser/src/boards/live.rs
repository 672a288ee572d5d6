//! A game played in the browser: the shell around `game::live`, as the server's room is another.

use std::time::Duration;

use chess::{Color, Move};
use game::live::{Command, Event, LiveGame, Moment, Outlook, Refusal, Sides};
use game::{Level, Openings, Variant};
use wire::{
    Actions, ClientMessage, ClockView, GameView, Limits, LiveView, OutcomeView, PlayedMove,
    PlayerView, PositionRequest, ServerMessage, Status,
};

use super::live_calls::Think;
use crate::{Ask, AskClocks};

/// A game played in the browser.
#[derive(Debug)]
pub(super) struct Table {
    pub(super) live: LiveGame,
    pub(super) head: Head,
    /// Increases by one with each change.
    pub(super) version: u64,
}

/// What doesn't change during a game.
#[derive(Clone, Debug)]
pub(super) struct Head {
    pub(super) id: String,
    pub(super) rules: Variant,
    pub(super) white: PlayerView,
    pub(super) black: PlayerView,
    /// When it was created, in milliseconds since 1970.
    pub(super) created: i64,
    pub(super) time: Option<String>,
}

impl Table {
    /// The sides of the people at the board.
    pub(super) fn sides(&self) -> Sides {
        self.live.engine().map_or(Sides::Both, |engine| Sides::One(!engine))
    }

    /// Hears a message of the player, and returns what there is to tell, the reply last.
    pub(super) fn hear(
        &mut self,
        message: ClientMessage,
        now: Moment,
        openings: &Openings,
    ) -> Vec<ServerMessage> {
        let Some(id) = message.id() else { return vec![self.state(now, openings)] };
        let Some(command) = message.into_command() else {
            return vec![ServerMessage::Pong { id, clock: ClockView::new(&self.live, now) }];
        };
        let mut told = self.settle(now, openings);
        match self.live.judge(self.sides(), &command, now) {
            Ok(event) => {
                told.extend(
                    event.map(|event| self.happen(&event, now, openings)).unwrap_or_default(),
                );
                told.push(ServerMessage::Done { id, version: self.version });
            }
            Err(refusal) => told.push(ServerMessage::Refused {
                id: Some(id),
                reason: (&refusal).into(),
                detail: refusal.to_string(),
            }),
        }
        told.extend(self.settle(now, openings));
        told
    }

    /// Plays the engine's move, unless the game has moved on.
    pub(super) fn engine_plays(
        &mut self,
        ply: usize,
        m: Move,
        outlook: Option<Outlook>,
        now: Moment,
        openings: &Openings,
    ) -> Result<Vec<ServerMessage>, Refusal> {
        let mut told = self.settle(now, openings);
        if !self.live.is_engines_turn() || self.live.plies() != ply {
            return Ok(told);
        }
        let by = Sides::One(self.live.turn());
        if let Some(event) = self.live.judge(by, &Command::play(ply, m), now)? {
            told.extend(self.happen(&event, now, openings));
        }
        if let Some(outlook) = outlook {
            self.live.engine_thinks(outlook);
        }
        told.extend(self.settle(now, openings));
        Ok(told)
    }

    /// What happens without a command: premoves and flags.
    pub(super) fn settle(&mut self, now: Moment, openings: &Openings) -> Vec<ServerMessage> {
        let mut told = Vec::new();
        while let Some(event) = self.live.due(now) {
            told.extend(self.happen(&event, now, openings));
        }
        told
    }

    fn happen(&mut self, event: &Event, now: Moment, openings: &Openings) -> Vec<ServerMessage> {
        self.live.apply(event, now);
        if event.is_stored() {
            self.version += 1;
        }
        let mut told: Vec<ServerMessage> =
            self.shown(now, openings).message(event).into_iter().collect();
        match event {
            // An end without an outcome has no message.
            Event::Ended(_) if told.is_empty() => told.push(self.state(now, openings)),
            Event::Played(played) if played.premove => {
                told.push(ServerMessage::Premoved { played: true });
            }
            Event::PremoveFailed { .. } => told.push(ServerMessage::Premoved { played: false }),
            // The page starts it and knows its id.
            Event::RematchAgreed => told.push(ServerMessage::Rematch { game: String::new() }),
            _ => {}
        }
        told
    }

    fn shown<'a>(&'a self, now: Moment, openings: &'a Openings) -> LiveView<'a> {
        let rules = self.head.rules;
        LiveView { live: &self.live, rules, version: self.version, rematch: None, now, openings }
    }

    /// The whole game.
    pub(super) fn state(&self, now: Moment, openings: &Openings) -> ServerMessage {
        let sides: Vec<Color> =
            Color::ALL.into_iter().filter(|&color| self.sides().plays(color)).collect();
        let game = self.view(now, openings);
        ServerMessage::State { game, present: sides.clone(), sides, spectators: 0 }
    }

    fn view(&self, now: Moment, openings: &Openings) -> GameView {
        let (head, live, shown) = (&self.head, &self.live, self.shown(now, openings));
        GameView {
            id: head.id.clone(),
            version: self.version,
            rules: head.rules,
            white: head.white.clone(),
            black: head.black.clone(),
            time: head.time.clone(),
            status: Status::new(live),
            source: game::Source::Played,
            visibility: game::Visibility::Private,
            created: head.created,
            start: live.line().start().to_string(),
            moves: PlayedMove::all(live.line(), live.lefts(), head.rules),
            position: shown.position(),
            clock: ClockView::new(live, now),
            offer: live.offer(),
            rated: live.is_rated(),
            actions: Actions::new(live, now),
            outcome: live.outcome().map(OutcomeView::from),
            result: live.result().as_str().to_owned(),
            opening: shown.opening(),
            open: None,
            rematch: None,
        }
    }

    fn level_to_move(&self) -> Option<Level> {
        let player = match self.live.turn() {
            Color::White => &self.head.white,
            Color::Black => &self.head.black,
        };
        player.level.filter(|_| self.live.is_engines_turn())
    }

    /// What to ask the engine, if it is to move.
    pub(super) fn thinks(&self, now: Moment) -> Option<Think> {
        let level = self.level_to_move()?;
        let line = self.live.line();
        let castling = self.head.rules.castling();
        let positions = line.positions();
        let moves = line.moves().zip(positions).map(|(m, at)| m.to_uci(at, castling).to_string());
        let clocks = self.live.left(now).zip(self.live.clock()).map(|(left, clock)| {
            let turn = self.live.turn();
            let [white, black] = left.map(millis);
            let (increment, moves_to_go) = (millis(clock.bonus(turn)), clock.moves_to_go(turn));
            AskClocks { white, black, increment, moves_to_go }
        });
        let time = clocks.is_none().then(|| millis(LiveGame::TIME_WITHOUT_CLOCKS));
        let position = PositionRequest {
            fen: Some(line.start().to_string()),
            moves: moves.collect(),
            rules: self.head.rules,
        };
        let ask = Ask {
            position,
            limits: Limits { time, ..Limits::default() },
            clocks,
            lines: None,
            level: Some(level),
            seed: Some(seed(&self.head.id)),
        };
        let human_time = millis(self.live.human_time(level, now));
        Some(Think { ply: self.live.plies() as u32, ask, human_time })
    }
}

const fn millis(time: Duration) -> u64 {
    time.as_millis() as u64
}

/// The seed of the engine's errors in a game: FNV-1a of the game's id.
fn seed(id: &str) -> u32 {
    id.bytes().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}
