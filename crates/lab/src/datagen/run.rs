//! Plays games on every core and appends them to a file.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use chess::Color;
use engine::{Dice, Engine, Params, Stop, search_thread};
use nnue::data::{DataError, Game, Resumed, Writer};

use super::{DatagenError, Plan, play_family};
use crate::net_file;

/// The progress of a run.
#[derive(Clone, Debug)]
pub struct Progress {
    /// The contents of the file before the run.
    pub resumed: Resumed,
    /// The seed of this run's games; the same seed on the same file repeats them.
    pub seed: u64,
    /// Games of this run.
    pub games: u64,
    /// Positions of this run.
    pub positions: u64,
    /// White wins, draws, Black wins.
    pub results: [u64; 3],
    /// Time since the start.
    pub time: Duration,
    /// Concurrent games.
    pub threads: usize,
}

impl Progress {
    /// Games in the file.
    pub const fn all_games(&self) -> u64 {
        self.resumed.games + self.games
    }

    /// Positions in the file.
    pub const fn all_positions(&self) -> u64 {
        self.resumed.positions + self.positions
    }

    /// Positions per second.
    pub fn speed(&self) -> f64 {
        self.positions as f64 / self.time.as_secs_f64().max(1e-9)
    }

    /// Positions per second and core.
    pub fn speed_per_core(&self) -> f64 {
        self.speed() / self.threads.max(1) as f64
    }

    fn add(&mut self, game: &Game) {
        self.games += 1;
        self.positions += game.scores().len() as u64;
        self.results[match game.winner() {
            Some(Color::White) => 0,
            None => 1,
            Some(Color::Black) => 2,
        }] += 1;
    }
}

/// Games are on disk after this time at the latest, so that a kill loses little. A block of 5,000
/// positions is 1 % larger than its share of a full one.
const FLUSH: Duration = Duration::from_secs(5);
/// Interval of `watch` calls and `stop` checks.
const TICK: Duration = Duration::from_millis(100);

/// Plays until the plan is fulfilled or `stop` is set, and calls `watch` at the start and every
/// tenth of a second. Unfinished games are dropped.
pub fn run(
    plan: &Plan,
    stop: &Stop,
    watch: &mut dyn FnMut(&Progress),
) -> Result<Progress, DatagenError> {
    net_file::check(&plan.game_plan.engine)?;
    let (mut writer, resumed) = Writer::append(&plan.out).map_err(|cause| failed(plan, cause))?;
    let seed = plan.seed.unwrap_or_else(clock_seed);
    let mut progress = Progress {
        resumed,
        seed,
        games: 0,
        positions: 0,
        results: [0; 3],
        time: Duration::ZERO,
        threads: plan.threads,
    };
    watch(&progress);
    if fulfilled(plan, &progress) {
        return Ok(progress);
    }
    // A file that is continued with the same seed must not get the same games again.
    let seed = if resumed.games == 0 { seed } else { Dice::stream(seed, resumed.bytes).roll() };
    let next = AtomicU64::new(0);
    let wanted = plan.games.map_or(u64::MAX, |games| games.saturating_sub(resumed.games));
    let halt = Stop::new();
    thread::scope(|scope| {
        let (sender, games) = mpsc::channel();
        for _ in 0..plan.threads.max(1) {
            if stop.is_stopped() {
                halt.stop();
                break;
            }
            let sender = sender.clone();
            let work = || {
                let number = next.fetch_add(1, Ordering::Relaxed);
                (number < wanted).then(|| (number, Dice::stream(seed, number)))
            };
            let halt = &halt;
            search_thread("self-play")
                .spawn_scoped(scope, move || worker(plan, work, halt, &sender))
                .inspect_err(|_| halt.stop())
                .map_err(DatagenError::Thread)?;
        }
        drop(sender);
        let collected = collect(plan, &games, &mut writer, &mut progress, &mut |progress| {
            if stop.is_stopped() || fulfilled(plan, progress) {
                halt.stop();
            }
            watch(progress);
        });
        // The workers must also end if writing failed.
        halt.stop();
        collected
    })?;
    Ok(progress)
}

/// Adds the file name to an error.
fn failed(plan: &Plan, cause: DataError) -> DatagenError {
    DatagenError::File { path: plan.out.clone(), cause }
}

fn fulfilled(plan: &Plan, progress: &Progress) -> bool {
    plan.games.is_some_and(|games| progress.all_games() >= games)
        || plan.positions.is_some_and(|positions| progress.all_positions() >= positions)
}

/// A new seed.
fn clock_seed() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Dice::new(now.as_nanos() as u64 ^ u64::from(std::process::id()) << 32).roll()
}

/// Plays games until there is no work left, it is stopped, or something fails.
fn worker(
    plan: &Plan,
    work: impl Fn() -> Option<(u64, Dice)>,
    halt: &Stop,
    games: &Sender<Result<Family, DatagenError>>,
) {
    // Setting up an engine takes time, and some of many threads only start after a stop.
    if halt.is_stopped() {
        return;
    }
    let mut engine = Engine::new(plan.game_plan.engine.clone());
    // The search scales scores down as material decreases. A network trained on such scores would
    // learn the scaling, and the next search would apply it again.
    engine.set_params(Params { scale_base: 1_024, scale_material: 0, ..Params::default() });
    let messages = engine.take_messages();
    if !messages.is_empty() {
        // Games played with other settings than requested are useless.
        let _ = games.send(Err(DatagenError::Engine(messages.join("; "))));
        return;
    }
    while let Some((number, mut dice)) = work() {
        let played = play_family(&mut engine, &plan.game_plan, &mut dice, halt);
        let failed = played.is_err();
        let stopped = played.as_ref().is_ok_and(Vec::is_empty);
        // The receiver is gone if writing has failed.
        if stopped || games.send(played.map(|games| (number, games))).is_err() || failed {
            return;
        }
    }
}

/// A game and its branches, with its number.
type Family = (u64, Vec<Game>);

/// Writes games in order of their number until all workers are done: a seed then gives the same
/// file for any number of threads.
fn collect(
    plan: &Plan,
    games: &Receiver<Result<Family, DatagenError>>,
    writer: &mut Writer<std::fs::File>,
    progress: &mut Progress,
    watch: &mut dyn FnMut(&Progress),
) -> Result<(), DatagenError> {
    let start = Instant::now();
    let (mut flushed, mut watched) = (start, start);
    let mut failure = None;
    // Games that wait for one with a lower number.
    let mut early = BTreeMap::new();
    let mut next = 0;
    loop {
        match games.recv_timeout(TICK) {
            Ok(Ok((number, family))) => {
                early.insert(number, family);
                while let Some(family) = early.remove(&next) {
                    write(plan, family, writer, progress)?;
                    next += 1;
                }
            }
            Ok(Err(error)) => failure = failure.or(Some(error)),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
        if failure.is_some() {
            break;
        }
        progress.time = start.elapsed();
        if flushed.elapsed() >= FLUSH {
            writer.sync().map_err(|cause| failed(plan, cause))?;
            flushed = Instant::now();
        }
        if watched.elapsed() >= TICK || fulfilled(plan, progress) {
            watch(progress);
            watched = Instant::now();
        }
    }
    // Stopped games leave gaps.
    for family in early.into_values() {
        write(plan, family, writer, progress)?;
    }
    writer.sync().map_err(|cause| failed(plan, cause))?;
    progress.time = start.elapsed();
    failure.map_or(Ok(()), Err)
}

/// Writes games, but none beyond the goal.
fn write(
    plan: &Plan,
    family: Vec<Game>,
    writer: &mut Writer<std::fs::File>,
    progress: &mut Progress,
) -> Result<(), DatagenError> {
    for game in family {
        if !fulfilled(plan, progress) {
            writer.push(&game).map_err(|cause| failed(plan, cause))?;
            progress.add(&game);
        }
    }
    Ok(())
}
