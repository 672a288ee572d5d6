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

/// How far a run is.
#[derive(Clone, Debug)]
pub struct Progress {
    /// What the file held before.
    pub resumed: Resumed,
    /// What the games of this run come from; the same seed on the same file repeats them.
    pub seed: u64,
    /// Games of this run.
    pub games: u64,
    /// Positions of this run.
    pub positions: u64,
    /// Games that White won, nobody won, Black won.
    pub results: [u64; 3],
    /// Time since the start.
    pub time: Duration,
    /// Games at a time.
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

    /// Positions a second.
    pub fn speed(&self) -> f64 {
        self.positions as f64 / self.time.as_secs_f64().max(1e-9)
    }

    /// Positions a second on each of the cores that play.
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

/// Games are on disk after this long at the latest, so that little is lost by a kill.
/// A block of 5,000 positions is 1 % larger than its part of a full one.
const FLUSH: Duration = Duration::from_secs(5);
/// How often `watch` is called, and `stop` looked at.
const TICK: Duration = Duration::from_millis(100);

/// Plays until the plan is fulfilled or `stop` is pressed, and calls `watch` at the start and
/// every tenth of a second. Games that are not finished then are dropped.
pub fn run(
    plan: &Plan,
    stop: &Stop,
    watch: &mut dyn FnMut(&Progress),
) -> Result<Progress, DatagenError> {
    net_file::check(&plan.rules.engine)?;
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
        // The workers must end also when writing failed.
        halt.stop();
        collected
    })?;
    Ok(progress)
}

/// Names the file that failed.
fn failed(plan: &Plan, cause: DataError) -> DatagenError {
    DatagenError::File { path: plan.out.clone(), cause }
}

fn fulfilled(plan: &Plan, progress: &Progress) -> bool {
    plan.games.is_some_and(|games| progress.all_games() >= games)
        || plan.positions.is_some_and(|positions| progress.all_positions() >= positions)
}

/// A seed that no earlier run has had.
fn clock_seed() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Dice::new(now.as_nanos() as u64 ^ u64::from(std::process::id()) << 32).roll()
}

/// Plays games until there is no work, somebody stops it, or something fails.
fn worker(
    plan: &Plan,
    work: impl Fn() -> Option<(u64, Dice)>,
    halt: &Stop,
    games: &Sender<Result<Family, DatagenError>>,
) {
    // An engine takes a while to set up, and of many threads some start after a stop.
    if halt.is_stopped() {
        return;
    }
    let mut engine = Engine::new(plan.rules.engine.clone());
    // The search takes an advantage for less the fewer pieces are left. A network that learnt from
    // such scores would know that already, and the next search would do it once more.
    engine.set_params(Params { scale_base: 1_024, scale_material: 0, ..Params::default() });
    let messages = engine.take_messages();
    if !messages.is_empty() {
        // Games that are played with something else than was asked for are worth nothing.
        let _ = games.send(Err(DatagenError::Engine(messages.join("; "))));
        return;
    }
    while let Some((number, mut dice)) = work() {
        let played = play_family(&mut engine, &plan.rules, &mut dice, halt);
        let failed = played.is_err();
        let stopped = played.as_ref().is_ok_and(Vec::is_empty);
        // Nobody listens any more when writing has failed.
        if stopped || games.send(played.map(|games| (number, games))).is_err() || failed {
            return;
        }
    }
}

/// A game and what branches from it, with its number.
type Family = (u64, Vec<Game>);

/// Writes games by their number until all workers are gone: a seed then gives the same file of
/// so many games on any number of threads.
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
    // Games whose turn has not come, since one with a lower number is still being played.
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
    // What was stopped leaves gaps.
    for family in early.into_values() {
        write(plan, family, writer, progress)?;
    }
    writer.sync().map_err(|cause| failed(plan, cause))?;
    progress.time = start.elapsed();
    failure.map_or(Ok(()), Err)
}

/// Writes games, but none after the last one that was wanted.
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
