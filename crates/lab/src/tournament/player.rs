//! An engine that sits at a board: a foreign one or our own.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use chess::{Line, Move};
use engine::{Analyst, AnalystError, Engine, Limits, Score, Stop};
use uci::{Client, ClientError, EngineCommand, Patience};

use super::playing::Fault;
use super::{Contestant, Kind};
use crate::own_engine;

/// A running engine.
#[derive(Debug)]
pub struct Player {
    seat: Seat,
    options: Vec<(String, String)>,
}

#[derive(Debug)]
enum Seat {
    Foreign(Box<Client>),
    Own(Box<Engine>),
}

/// A move and what the engine thought of it.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Thought {
    /// The move.
    pub played: Move,
    /// The score, for the side that moves; none from a book.
    pub score: Option<Score>,
    /// The depth it was searched to.
    pub depth: u32,
    /// Positions visited.
    pub nodes: u64,
    /// How long it took.
    pub time: Duration,
}

/// Why there is no move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The game is lost by this, and goes on record.
    Fault(Fault, String),
    /// The engine can't play this game at all: the match makes no sense.
    Unable(String),
}

/// Games are lost on time at once; only after this is an engine given up that doesn't answer.
const PATIENCE: Patience = Patience {
    start: Duration::from_secs(20),
    ready: Duration::from_mins(1),
    grace: Duration::from_secs(1),
    stop: Duration::from_secs(4),
    untimed: Some(Duration::from_hours(1)),
};

impl Player {
    /// Starts an engine and sets its options.
    pub fn start(contestant: &Contestant) -> Result<Self, String> {
        let seat = match &contestant.kind {
            Kind::Own => Seat::Own(Box::new(own_engine::build(&contestant.options)?)),
            Kind::Program(command) => {
                let client = start_program(command, &contestant.options);
                Seat::Foreign(Box::new(client.map_err(|error| error.to_string())?))
            }
        };
        Ok(Self { seat, options: contestant.options.clone() })
    }

    /// Gets ready for another game; an engine that has crashed is started again.
    pub fn new_game(&mut self) -> Result<(), String> {
        match &mut self.seat {
            Seat::Own(engine) => engine.new_game().map_err(|error| error.to_string()),
            Seat::Foreign(client) => {
                if client.is_running() && client.new_game().is_ok() {
                    return Ok(());
                }
                // It may have died between two games.
                client.restart().map_err(|error| error.to_string())?;
                client.new_game().map_err(|error| error.to_string())
            }
        }
    }

    /// Thinks about a move.
    pub fn think(&mut self, line: &Line, limits: &Limits, stop: &Stop) -> Result<Thought, Failure> {
        let (verdict, time) = match &mut self.seat {
            Seat::Own(engine) => {
                let start = Instant::now();
                // A panic of our engine is a crash like any other: it costs the game, not the
                // match. What it left behind is thrown away.
                let search = || engine.decide(line, limits, stop);
                let Ok(verdict) = catch_unwind(AssertUnwindSafe(search)) else {
                    **engine = own_engine::build(&self.options).map_err(Failure::Unable)?;
                    return Err(Failure::Fault(Fault::Crash, "the search panicked".to_owned()));
                };
                let time = start.elapsed();
                let verdict = verdict.map_err(|error| match error {
                    AnalystError::NoLegalMove => Failure::Unable(error.to_string()),
                    AnalystError::Failed(text) => Failure::Fault(Fault::Crash, text),
                });
                (verdict?, time)
            }
            Seat::Foreign(client) => {
                let verdict = client
                    .think(line, limits, stop, &mut |_| {})
                    .map_err(|error| failure(&error))?;
                (verdict, client.thinking_time())
            }
        };
        let opinion = verdict.lines.first();
        Ok(Thought {
            played: verdict.best,
            score: opinion.map(|report| report.score),
            depth: opinion.map_or(0, |report| report.depth),
            nodes: opinion.map_or(0, |report| report.nodes),
            time,
        })
    }
}

fn start_program(
    command: &EngineCommand,
    options: &[(String, String)],
) -> Result<Client, ClientError> {
    let mut client = Client::start(command.clone(), PATIENCE)?;
    for (name, value) in options {
        client.set_option(name, value)?;
    }
    client.ready()?;
    Ok(client)
}

fn failure(error: &ClientError) -> Failure {
    let text = error.to_string();
    match error {
        ClientError::Crashed { .. } | ClientError::NotRunning { .. } => {
            Failure::Fault(Fault::Crash, text)
        }
        ClientError::Silent { .. } => Failure::Fault(Fault::Hang, text),
        ClientError::IllegalMove { .. } => Failure::Fault(Fault::IllegalMove, text),
        _ => Failure::Unable(text),
    }
}
