//! Several threads that review games, and one that takes the reports in order.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use anyhow::{Context, Result};
use engine::{Analyst, Stop, search_thread};
use game::Game;

use super::analyst::Maker;
use super::screen::Screen;
use ::review::{GameReport, Plan, ReviewError, review_with};

/// Games that may be unfinished or wait for an earlier one, per thread.
const AHEAD: usize = 16;

/// A game and what to do with it.
pub struct Job {
    /// Its number in the input, from 1.
    pub index: u64,
    pub game: Game,
    pub plan: Plan,
    pub task: Task,
}

/// What to do with a game.
pub enum Task {
    /// Review it.
    Review,
    /// Take this report.
    Keep(Box<GameReport>),
    /// Review it, and compare with this report.
    Compare(Box<GameReport>),
}

/// A finished job.
pub struct Done {
    pub index: u64,
    pub game: Game,
    /// The report; none if the review failed.
    pub report: Option<GameReport>,
    /// Whether the report was there before.
    pub kept: bool,
    /// The report to compare with.
    pub old: Option<Box<GameReport>>,
}

/// Those who review.
pub struct Crew<'a> {
    pub threads: NonZeroUsize,
    pub maker: &'a Maker,
    pub screen: &'a Screen,
    pub stop: &'a Stop,
}

/// Where threads get their jobs.
struct Queue<S> {
    /// None once it has failed or ended.
    source: Option<S>,
    /// A ticket is needed for each job, so that finished games don't pile up behind a long one.
    tickets: Receiver<()>,
    given: u64,
}

impl Crew<'_> {
    /// Does all jobs of a source and passes them to `sink` in their order. A stop ends it early,
    /// with the jobs up to the first unfinished one; so does an error of source or sink.
    pub fn run(
        &self,
        source: impl FnMut() -> Result<Option<Job>> + Send,
        sink: &mut dyn FnMut(Done) -> Result<()>,
    ) -> Result<()> {
        let (ticket, tickets) = channel();
        let queue = Mutex::new(Queue { source: Some(source), tickets, given: 0 });
        let queue = &queue;
        let (send, done) = channel();
        thread::scope(|scope| {
            // Dropped at the end of this closure, and then no thread waits for a ticket.
            let ticket: Sender<()> = ticket;
            let start = || -> Result<()> {
                for _ in 0..self.threads.get() {
                    let send = send.clone();
                    let work = move || self.work(queue, &send);
                    let thread = search_thread("review").spawn_scoped(scope, work);
                    thread.context("starting a thread")?;
                }
                for _ in 0..self.threads.get() * AHEAD {
                    // The queue holds the other end.
                    let _ = ticket.send(());
                }
                Ok(())
            };
            let started = start();
            drop(send);
            let ended = started.and_then(|()| pass_on(&done, &ticket, sink));
            if ended.is_err() {
                self.stop.stop();
            }
            ended
        })
    }

    /// Does jobs until there are none, or until it is stopped.
    fn work<S>(&self, queue: &Mutex<Queue<S>>, send: &Sender<(u64, Result<Option<Done>>)>)
    where
        S: FnMut() -> Result<Option<Job>>,
    {
        let mut analyst = None;
        while let Some((number, job)) = next(queue) {
            let done = if self.stop.is_stopped() {
                Ok(None)
            } else {
                job.and_then(|job| self.perform(job, &mut analyst))
            };
            let goes_on = matches!(done, Ok(Some(_)));
            if send.send((number, done)).is_err() || !goes_on {
                return;
            }
        }
    }

    /// Does a job; none if it was stopped. An engine that can't be started is an error.
    fn perform(&self, job: Job, analyst: &mut Option<Box<dyn Analyst>>) -> Result<Option<Done>> {
        let Job { index, game, plan, task } = job;
        let moves = game.tree.main_nodes().count() as u64;
        let old = match task {
            Task::Keep(report) => {
                self.screen.known(moves);
                let report = Some(*report);
                return Ok(Some(Done { index, game, report, kept: true, old: None }));
            }
            Task::Compare(report) => Some(report),
            Task::Review => None,
        };
        if analyst.is_none() {
            *analyst = Some(self.maker.make()?);
        }
        let engine = analyst.as_mut().expect("made above");
        let mut told = 0;
        let mut progress = |_| {
            told += 1;
            self.screen.reviewed(1);
        };
        let review = AssertUnwindSafe(|| {
            let name = self.maker.name();
            review_with(&game, &mut **engine, &plan, name, self.stop, &mut progress)
        });
        let report = match catch_unwind(review) {
            Ok(Ok(report)) => Some(report),
            Ok(Err(ReviewError::Stopped)) => return Ok(None),
            Ok(Err(_)) if self.stop.is_stopped() => return Ok(None),
            Ok(Err(error)) => {
                self.screen.skipped(&format!("game {index}: {error}"));
                None
            }
            Err(_) => {
                // A panic may leave the engine in an inconsistent state.
                *analyst = None;
                self.screen.skipped(&format!("game {index}: the review has failed"));
                None
            }
        };
        self.screen.reviewed(moves.saturating_sub(told));
        Ok(Some(Done { index, game, report, kept: false, old }))
    }
}

/// The next job and its place in the order; none if there are no more.
fn next<S: FnMut() -> Result<Option<Job>>>(queue: &Mutex<Queue<S>>) -> Option<(u64, Result<Job>)> {
    let mut queue = queue.lock().expect("no thread panics while it holds the queue");
    queue.tickets.recv().ok()?;
    let job = queue.source.as_mut()?().transpose();
    if !matches!(job, Some(Ok(_))) {
        queue.source = None;
    }
    let number = queue.given;
    queue.given += 1;
    Some((number, job?))
}

/// Passes finished jobs on in their order, until there are no more or one was stopped.
fn pass_on(
    done: &Receiver<(u64, Result<Option<Done>>)>,
    ticket: &Sender<()>,
    sink: &mut dyn FnMut(Done) -> Result<()>,
) -> Result<()> {
    let mut waiting = BTreeMap::new();
    let mut next = 0;
    for (number, one) in done {
        // Those after a stopped one can't be passed on, and wait for no more tickets.
        let Some(one) = one.transpose() else { return Ok(()) };
        waiting.insert(number, one);
        while let Some(one) = waiting.remove(&next) {
            sink(one?)?;
            next += 1;
            // Nobody may be left to take it.
            let _ = ticket.send(());
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::analyst::Setup;
    use super::*;
    use ::review::Effort;

    fn jobs(count: u64) -> impl FnMut() -> Result<Option<Job>> + Send {
        let mut index = 0;
        move || {
            index += 1;
            let game = Game::default();
            let effort = Effort::Nodes(50);
            let plan = Plan { effort, ..Plan::default() };
            Ok((index <= count).then_some(Job { index, game, plan, task: Task::Review }))
        }
    }

    fn run(
        stop: &Stop,
        source: impl FnMut() -> Result<Option<Job>> + Send,
        sink: &mut dyn FnMut(Done) -> Result<()>,
    ) -> Result<()> {
        let maker = Maker::new(&Setup { engine: None, hash: 1, syzygy: None })?;
        let screen = Screen::new(None, true);
        let threads = NonZeroUsize::new(3).expect("three");
        Crew { threads, maker: &maker, screen: &screen, stop }.run(source, sink)
    }

    #[test]
    fn games_come_out_in_the_order_they_went_in() {
        let mut seen = Vec::new();
        let mut sink = |done: Done| {
            assert!(done.report.is_some());
            seen.push(done.index);
            Ok(())
        };
        run(&Stop::new(), jobs(100), &mut sink).expect("no error");
        assert_eq!(seen, (1..=100).collect::<Vec<_>>());
    }

    #[test]
    fn an_error_at_either_end_ends_the_work() {
        let mut source = jobs(u64::MAX);
        let mut count = 0;
        let failing = move || {
            count += 1;
            if count < 5 { source() } else { Err(anyhow::anyhow!("unreadable")) }
        };
        let mut seen = 0;
        let error = run(&Stop::new(), failing, &mut |_| {
            seen += 1;
            Ok(())
        });
        assert_eq!((error.expect_err("it fails").to_string().as_str(), seen), ("unreadable", 4));
        let stop = Stop::new();
        let full = run(&stop, jobs(u64::MAX), &mut |_| anyhow::bail!("disk full"));
        assert_eq!(full.expect_err("it fails").to_string(), "disk full");
        assert!(stop.is_stopped());
    }

    #[test]
    fn a_stop_ends_the_work_without_an_error() {
        let stop = Stop::new();
        let mut sink = |done: Done| {
            if done.index == 10 {
                stop.stop();
            }
            Ok(())
        };
        run(&stop, jobs(u64::MAX), &mut sink).expect("no error");
    }
}
