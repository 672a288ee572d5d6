//! Threads that claim jobs and do them, until they are told to stop.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use engine::{Dice, Stop, search_thread};
use store::{Attempt, Claim, Desk, DeskError, JobKind, Progress, Report};
use tokio::runtime::Handle;
use tokio::sync::watch;
use tokio::time::sleep;

use super::perform::{Failed, Tools};

/// The first and the longest pause when there is nothing to do, or the server is away.
const SHORT: Duration = Duration::from_millis(500);
const LONG: Duration = Duration::from_secs(30);

/// How often the server hears of a job, at most a quarter of its lease.
const HEARTBEAT: Duration = Duration::from_secs(5);

/// How often a report is sent before it is given up: about five minutes.
const DELIVERIES: u32 = 15;

/// A worker's threads.
pub struct Shift {
    pub desk: Arc<dyn Desk>,
    pub kinds: Vec<JobKind>,
    /// The worker's name.
    pub name: String,
    /// The name of the engine in reports.
    pub engine: String,
    pub lease: Duration,
    pub until_empty: bool,
    pub quiet: bool,
    pub runtime: Handle,
    /// Becomes true when the worker must stop.
    pub stopped: watch::Receiver<bool>,
}

/// What was done.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    pub done: u64,
    pub given_back: u64,
    pub failed: u64,
}

impl Shift {
    /// Works until it is stopped, refused, or out of jobs if that is the end.
    pub fn run(&self, threads: NonZeroUsize) -> Result<Tally> {
        let total = Mutex::new(Tally::default());
        let work = || {
            lower_priority();
            self.work(&total)
        };
        thread::scope(|scope| {
            let start = |_| search_thread("worker").spawn_scoped(scope, work);
            let threads: Vec<_> = (0..threads.get()).map(start).collect();
            for thread in threads {
                match thread.context("starting a thread")?.join() {
                    Ok(ended) => ended?,
                    Err(_) => bail!("a thread has failed"),
                }
            }
            Ok(())
        })?;
        Ok(total.into_inner().unwrap_or_else(PoisonError::into_inner))
    }

    fn is_stopped(&self) -> bool {
        *self.stopped.borrow()
    }

    fn work(&self, total: &Mutex<Tally>) -> Result<()> {
        let mut tools = Tools::new(self.engine.clone());
        let mut pause = Pause::default();
        let mut is_silent = false;
        while !self.is_stopped() {
            match self.runtime.block_on(self.desk.claim(&self.kinds, &self.name, self.lease)) {
                Ok(Some(claim)) => {
                    (pause, is_silent) = (Pause::default(), false);
                    self.perform(claim, &mut tools, total);
                }
                Ok(None) if self.until_empty => return Ok(()),
                Ok(None) => {
                    tools.put_away();
                    self.rest(&mut pause);
                }
                Err(DeskError::Refused(why)) => bail!("the server refuses this worker: {why}"),
                Err(error) => {
                    if !is_silent {
                        eprintln!("warning: no job from the server: {error}; trying again");
                    }
                    is_silent = true;
                    self.rest(&mut pause);
                }
            }
        }
        Ok(())
    }

    fn perform(&self, claim: Claim, tools: &mut Tools, total: &Mutex<Tally>) {
        let Claim { attempt, job } = claim;
        let stop = Stop::new();
        let progress = Arc::new(Mutex::new(Progress::default()));
        let lost = Arc::new(AtomicBool::new(false));
        let heart = self.runtime.spawn(beat(
            Arc::clone(&self.desk),
            attempt,
            self.lease,
            Arc::clone(&progress),
            stop.clone(),
            Arc::clone(&lost),
            self.stopped.clone(),
        ));
        let ended = tools.perform(&job, &stop, &progress);
        let mut tally = Tally::default();
        let told = match ended {
            _ if lost.load(Ordering::Relaxed) => Err(DeskError::Lost),
            Ok(report) => {
                tally.done = 1;
                self.deliver(attempt, &report)
            }
            Err(Failed::Stopped) => {
                tally.given_back = 1;
                self.runtime.block_on(self.desk.give_back(attempt))
            }
            Err(Failed::Because(why)) => {
                tally.failed = 1;
                eprintln!("warning: job {} failed: {why}", attempt.job.0);
                self.runtime.block_on(self.desk.give_up(attempt, &why))
            }
        };
        heart.abort();
        if let Err(error) = told {
            eprintln!("warning: job {}: {error}", attempt.job.0);
            tally = Tally { failed: 1, ..Tally::default() };
        }
        let mut total = total.lock().unwrap_or_else(PoisonError::into_inner);
        total.done += tally.done;
        total.given_back += tally.given_back;
        total.failed += tally.failed;
        if !self.quiet && tally.done > 0 && total.done.is_multiple_of(100) {
            eprintln!("{} jobs done", total.done);
        }
    }

    /// Sends a report, several times if the server is away.
    fn deliver(&self, attempt: Attempt, report: &Report) -> Result<(), DeskError> {
        let mut pause = Pause::default();
        for _ in 1..DELIVERIES {
            match self.runtime.block_on(self.desk.finish(attempt, report)) {
                Err(DeskError::Failed(_)) if !self.is_stopped() => self.rest(&mut pause),
                told => return told,
            }
        }
        self.runtime.block_on(self.desk.finish(attempt, report))
    }

    /// Waits, longer each time, unless it is stopped.
    fn rest(&self, pause: &mut Pause) {
        let mut stopped = self.stopped.clone();
        let time = pause.next();
        self.runtime.block_on(async {
            tokio::select! {
                () = sleep(time) => {}
                _ = stopped.wait_for(|stopped| *stopped) => {}
            }
        });
    }
}

/// Tells the desk that a job goes on, and stops the job if it is lost or the worker must stop.
async fn beat(
    desk: Arc<dyn Desk>,
    attempt: Attempt,
    lease: Duration,
    progress: Arc<Mutex<Progress>>,
    stop: Stop,
    lost: Arc<AtomicBool>,
    mut stopped: watch::Receiver<bool>,
) {
    loop {
        tokio::select! {
            _ = stopped.wait_for(|stopped| *stopped) => return stop.stop(),
            () = sleep(HEARTBEAT.min(lease / 4)) => {}
        }
        let known = progress.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Err(DeskError::Lost) = desk.extend(attempt, lease, &known).await {
            lost.store(true, Ordering::Relaxed);
            return stop.stop();
        }
    }
}

/// Pauses that double, with jitter so that a room full of workers doesn't come back at once.
struct Pause {
    next: Duration,
    dice: Dice,
}

impl Default for Pause {
    fn default() -> Self {
        use std::hash::{BuildHasher, RandomState};
        Self { next: SHORT, dice: Dice::new(RandomState::new().hash_one(())) }
    }
}

impl Pause {
    fn next(&mut self) -> Duration {
        let time = self.next.mul_f64(0.5 + self.dice.below(1_000) as f64 / 1_000.0);
        self.next = LONG.min(self.next * 2);
        time
    }
}

/// Lets everything else on the machine run first.
fn lower_priority() {
    #[cfg(target_os = "linux")]
    if let Err(error) = rustix::process::setpriority_process(None, 19) {
        eprintln!("warning: the priority can't be lowered: {error}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_up_to_a_limit() {
        let mut pause = Pause::default();
        let first = pause.next();
        assert!(first >= SHORT / 2 && first <= SHORT.mul_f64(1.5), "{first:?}");
        for _ in 0..20 {
            assert!(pause.next() <= LONG.mul_f64(1.5));
        }
        assert!(pause.next() >= LONG / 2);
    }
}
