//! A contestant's engine while it runs: a foreign one or our own.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use chess::{Line, Move};
use engine::{Analyst, AnalystError, Limits, Score, Stop};
use uci::{Client, ClientError, EngineCommand, Patience, Settings};

use super::playing::Fault;
use super::{Contestant, Kind};
use crate::own_engine;

/// A running engine.
pub struct RunningEngine {
    analyst: Box<dyn Analyst>,
    /// The settings its questions are derived from. A program uses its own options instead.
    settings: Settings,
    contestant: Contestant,
}

/// A move and what the engine reported about it.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct PlayedMove {
    /// The move.
    pub m: Move,
    /// The score, for the side that moves; none from a book.
    pub score: Option<Score>,
    /// The depth it was searched to.
    pub depth: u32,
    /// Nodes searched.
    pub nodes: u64,
    /// The time it took.
    pub time: Duration,
}

/// Why there is no move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// Loses the game, and is counted.
    Fault(Fault, String),
    /// The engine can't play this game at all: the match can't go on.
    Unable(String),
}

/// Time losses are immediate; these timeouts only abandon an engine that doesn't answer.
const PATIENCE: Patience = Patience {
    start: Duration::from_secs(20),
    ready: Duration::from_mins(1),
    grace: Duration::from_secs(1),
    stop: Duration::from_secs(4),
    untimed: Some(Duration::from_hours(1)),
};

impl RunningEngine {
    /// Starts an engine and sets its options.
    pub fn start(contestant: &Contestant) -> Result<Self, String> {
        let contestant = contestant.clone();
        Ok(match &contestant.kind {
            Kind::Own => {
                let (engine, settings) = own_engine::build(&contestant.options)?;
                Self { analyst: Box::new(engine), settings, contestant }
            }
            Kind::Program(command) => {
                let client = start_program(command, &contestant.options);
                let analyst = Box::new(client.map_err(|error| error.to_string())?);
                Self { analyst, settings: Settings::default(), contestant }
            }
        })
    }

    /// Prepares for another game; restarts an engine that has crashed.
    pub fn new_game(&mut self) -> Result<(), String> {
        self.analyst.new_game().map_err(|error| error.to_string())
    }

    /// Searches for a move.
    pub fn think(
        &mut self,
        line: &Line,
        limits: &Limits,
        stop: &Stop,
    ) -> Result<PlayedMove, Failure> {
        let question = self.settings.question(line.clone(), *limits, Vec::new());
        // A panic in our engine is a crash like any other: it loses the game, not the match. The
        // engine is replaced.
        let search = || self.analyst.decide(&question, stop);
        let Ok(verdict) = catch_unwind(AssertUnwindSafe(search)) else {
            *self = Self::start(&self.contestant).map_err(Failure::Unable)?;
            return Err(Failure::Fault(Fault::Crash, "the search panicked".to_owned()));
        };
        let verdict = verdict.map_err(Failure::from)?;
        let opinion = verdict.lines.first();
        Ok(PlayedMove {
            m: verdict.best,
            score: opinion.map(|report| report.score),
            depth: opinion.map_or(0, |report| report.depth),
            nodes: opinion.map_or(0, |report| report.nodes),
            time: verdict.time,
        })
    }
}

impl fmt::Debug for RunningEngine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RunningEngine({})", self.contestant)
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

impl From<AnalystError> for Failure {
    fn from(error: AnalystError) -> Self {
        match error {
            AnalystError::Crashed(text) => Self::Fault(Fault::Crash, text),
            AnalystError::Silent(text) => Self::Fault(Fault::Hang, text),
            AnalystError::IllegalMove(text) => Self::Fault(Fault::IllegalMove, text),
            AnalystError::NoLegalMove | AnalystError::Unable(_) => Self::Unable(error.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tournament::Control;

    #[test]
    fn options_of_our_engine_count_in_its_questions() {
        let nodes = |options: &[(&str, &str)]| {
            let options = options.iter().map(|&(name, value)| (name.to_owned(), value.to_owned()));
            let contestant = Contestant {
                name: "Riga".to_owned(),
                kind: Kind::Own,
                options: options.collect(),
                control: Control::default(),
            };
            let mut engine = RunningEngine::start(&contestant).expect("it starts");
            engine.new_game().expect("it is ready");
            let answer = engine.think(&Line::default(), &Limits::depth(9), &Stop::new());
            answer.expect("a move").nodes
        };
        let strong = nodes(&[("Hash", "1")]);
        let weak = nodes(&[("Hash", "1"), ("UCI_LimitStrength", "true"), ("UCI_Elo", "600")]);
        assert!(weak < 1_300 && strong > 2 * weak, "{weak} {strong}");
        assert_eq!(nodes(&[("Hash", "1"), ("UCI_Elo", "600")]), strong);
    }
}
