//! Who thinks on a thread of the pool.

use std::time::Duration;

use chess::Line;
use engine::{
    Analyst, AnalystError, Engine, Level, Limits, Options, Report, Stop, Thinking, Verdict,
};

use crate::budget::Meter;
use crate::queue::Work;

/// Something to think about.
pub(crate) struct Task {
    pub line: Line,
    pub limits: Limits,
    pub role: Role,
    pub work: Work,
    /// Who pays for it.
    pub meter: Option<Meter>,
}

impl Task {
    /// The thinking begins, so long after it was asked for: a clock has run meanwhile.
    pub fn begin(&mut self, waited: Duration) {
        let turn = self.line.position().turn();
        if let Thinking::Clock(clocks) = &mut self.limits.thinking {
            let left = &mut clocks.remaining[turn.index()];
            *left = left.saturating_sub(waited);
        }
        if let Some(meter) = &mut self.meter {
            meter.start();
        }
    }
}

/// As what the engine thinks.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// As a player of a level. In a game the seed is always the same, so that the player errs alike.
    Player { level: Level, seed: u64 },
    /// As an analyst who shows so many lines.
    Analyst { lines: usize },
}

/// Somebody who can think about a task. It lives on one thread.
pub(crate) trait Thinker {
    fn think(
        &mut self,
        task: &Task,
        stop: &Stop,
        report: &mut dyn FnMut(Report),
    ) -> Result<Verdict, AnalystError>;
}

/// Memory of the weak players' engine, in mebibytes: it is emptied before each move.
const SMALL_HASH: usize = 2;

/// Our engine, twice: at full strength, and for the weak players, who need little memory and
/// begin each move with an empty table.
pub(crate) struct Engines {
    options: Options,
    full: Engine,
    limited: Engine,
}

impl Engines {
    pub fn new(options: &Options) -> Self {
        let small = Options { hash: SMALL_HASH, threads: 1, ..options.clone() };
        Self {
            options: options.clone(),
            full: Engine::new(options.clone()),
            limited: Engine::new(small),
        }
    }
}

impl Thinker for Engines {
    fn think(
        &mut self,
        task: &Task,
        stop: &Stop,
        report: &mut dyn FnMut(Report),
    ) -> Result<Verdict, AnalystError> {
        let mut options = self.options.clone();
        let engine = match task.role {
            Role::Analyst { lines } => {
                options.own_book = false;
                options.multi_pv = lines;
                &mut self.full
            }
            Role::Player { level, .. } if level.elo().is_none() => {
                options.own_book = true;
                &mut self.full
            }
            Role::Player { level, .. } => {
                level.limit(&mut options);
                options.own_book = true;
                options.hash = SMALL_HASH;
                options.threads = 1;
                &mut self.limited
            }
        };
        for message in engine.set_options(options) {
            tracing::warn!(message, "engine");
        }
        if let Role::Player { level, seed } = task.role
            && level.elo().is_some()
        {
            engine.set_seed(seed);
        }
        engine.analyse(&task.line, &task.limits, stop, report)
    }
}
