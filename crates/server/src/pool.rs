//! The engine threads: the only bridge between the server's tasks, which never block, and the
//! engine, which does nothing else.

use std::net::IpAddr;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use engine::{Analyst, Gate, Report, Stop, Verdict, search_thread};
use store::UserId;
use tokio::sync::{oneshot, watch};

use crate::metrics::Metrics;
use crate::problem::{Failure, Kind};
use crate::queue::{Queue, Work};
use crate::task::Task;

/// How long an analysis may run while other analyses are waiting.
const SLICE: Duration = Duration::from_secs(3);

/// How long any search may run while a move of somebody else is waiting. That is as long as the
/// engine thinks in a game without clocks.
const MOVE_SLICE: Duration = Duration::from_secs(1);

/// On whose behalf the engine searches.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Owner {
    User(UserId),
    /// A visitor who hasn't signed in, by address prefix.
    Address(IpAddr),
    /// All guests who have left a game while the engine's clock was running.
    Nobody,
}

/// The threads and their queue.
pub(crate) struct Pool {
    shared: Arc<Shared>,
    threads: Mutex<Vec<JoinHandle<()>>>,
}

struct Shared {
    state: Mutex<State>,
    wake: Condvar,
    metrics: Arc<Metrics>,
    /// Other work on the pool's cores: the first gates are open if there are cores without a search.
    gates: Vec<Arc<Gate>>,
}

struct State {
    threads: usize,
    queue: Queue<Owner, Job>,
    running: Vec<Running>,
    /// Number of searches started so far.
    begun: u64,
    closed: bool,
}

/// A running search.
struct Running {
    number: u64,
    owner: Owner,
    work: Work,
    stop: Stop,
    start: Instant,
}

struct Job {
    task: Task,
    /// When it was requested.
    asked: Instant,
    stop: Stop,
    lines: watch::Sender<Vec<Report>>,
    done: oneshot::Sender<Result<Verdict, String>>,
}

/// A requested search, waiting or running. Dropping the handle stops it.
pub(crate) struct SearchHandle {
    stop: Stop,
    /// The best lines so far.
    pub lines: watch::Receiver<Vec<Report>>,
    /// The final result; the error explains why there is no verdict.
    pub done: oneshot::Receiver<Result<Verdict, String>>,
}

impl Drop for SearchHandle {
    fn drop(&mut self) {
        self.stop.stop();
    }
}

impl Pool {
    /// Starts the threads, each with its own analyst.
    pub fn new<A: Analyst>(
        threads: usize,
        metrics: Arc<Metrics>,
        make: impl Fn() -> A + Clone + Send + 'static,
    ) -> Self {
        let threads = threads.max(2);
        let shared = Arc::new(Shared {
            state: Mutex::new(State {
                threads,
                queue: Queue::new(threads - 1),
                running: Vec::new(),
                begun: 0,
                closed: false,
            }),
            wake: Condvar::new(),
            metrics,
            gates: (1..threads).map(|_| Arc::default()).collect(),
        });
        let start = |number| {
            let (shared, make) = (Arc::clone(&shared), make.clone());
            search_thread(&format!("engine {number}"))
                .spawn(move || work(&shared, &make))
                .expect("the system can start a thread")
        };
        let threads = (0..threads).map(start).collect();
        Self { shared, threads: Mutex::new(threads) }
    }

    /// Gates for work that gives way to searches, one less than threads.
    pub fn gates(&self) -> &[Arc<Gate>] {
        &self.shared.gates
    }

    /// Queues a search.
    pub fn search(&self, owner: &Owner, task: Task) -> Result<SearchHandle, Failure> {
        let work = task.work;
        let stop = Stop::new();
        let (lines, lines_seen) = watch::channel(Vec::new());
        let (done, done_seen) = oneshot::channel();
        let job = Job { task, asked: Instant::now(), stop: stop.clone(), lines, done };
        let mut state = self.shared.lock();
        state.forget();
        let full = |_| Failure::new(Kind::Busy, "too many searches are waiting");
        state.queue.push(owner, work, job).map_err(full)?;
        self.shared.metrics.searches_waiting.set(state.queue.len() as i64);
        self.shared.make_way(&state);
        drop(state);
        self.shared.wake.notify_one();
        Ok(SearchHandle { stop, lines: lines_seen, done: done_seen })
    }

    /// Stops the longest search if others are waiting and its time slice is used up. A move is then
    /// the best one found so far. Called periodically.
    pub fn share(&self) {
        let mut state = self.shared.lock();
        state.forget();
        self.shared.make_way(&state);
        let State { threads, queue, running, .. } = &*state;
        let stop_longest = |slice, gives_way: &dyn Fn(&Running) -> bool| {
            let candidates = running.iter().filter(|running| gives_way(running));
            let longest = candidates.min_by_key(|running| running.start);
            if let Some(longest) = longest.filter(|longest| longest.start.elapsed() >= slice) {
                longest.stop.stop();
            }
        };
        if running.len() == *threads {
            stop_longest(MOVE_SLICE, &|running| queue.keeps_waiting(&running.owner));
        }
        if queue.is_crowded() {
            stop_longest(SLICE, &|running| running.work == Work::Analysis);
        }
    }

    /// Stops all searches and waits for the threads to end.
    pub fn close(&self) {
        let mut state = self.shared.lock();
        state.closed = true;
        for running in &state.running {
            running.stop.stop();
        }
        drop(state);
        self.shared.wake.notify_all();
        let threads =
            std::mem::take(&mut *self.threads.lock().unwrap_or_else(PoisonError::into_inner));
        for thread in threads {
            // Panics in searches are caught, so the thread itself doesn't fail.
            let _ = thread.join();
        }
    }
}

impl State {
    /// Drops queued searches whose handles are gone.
    fn forget(&mut self) {
        self.queue.retain(|job| !job.stop.is_stopped());
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Closes a gate for each search, running or waiting, that needs its core.
    fn make_way(&self, state: &State) {
        let free = state.threads.saturating_sub(state.running.len() + state.queue.len());
        for (number, gate) in self.gates.iter().enumerate() {
            if number < free { gate.open() } else { gate.close() }
        }
    }

    /// Waits for the next job; `None` when the pool is closed.
    fn next(&self) -> Option<(u64, Job)> {
        let mut state = self.lock();
        loop {
            if state.closed {
                return None;
            }
            if let Some((work, owner, job)) = state.queue.pop() {
                self.metrics.searches_waiting.set(state.queue.len() as i64);
                if job.stop.is_stopped() {
                    // Its handle was dropped.
                    state.queue.done(work);
                    self.make_way(&state);
                    continue;
                }
                state.begun += 1;
                let (number, stop) = (state.begun, job.stop.clone());
                let start = Instant::now();
                state.running.push(Running { number, owner, work, stop, start });
                return Some((number, job));
            }
            state = self.wake.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn done(&self, number: u64) {
        let mut state = self.lock();
        let place = state.running.iter().position(|running| running.number == number);
        let running = state.running.swap_remove(place.expect("it was begun"));
        state.queue.done(running.work);
        self.make_way(&state);
        drop(state);
        self.wake.notify_one();
    }
}

/// The nice value of the pool's threads: those that answer players run before them.
const NICE: i32 = 5;

/// Lets threads with a lower nice value run before this one.
pub(crate) fn lower_priority(nice: i32) {
    #[cfg(target_os = "linux")]
    if let Err(error) = rustix::process::setpriority_process(None, nice) {
        tracing::warn!(%error, "failed to lower the priority of an engine thread");
    }
    #[cfg(not(target_os = "linux"))]
    let _ = nice;
}

fn work<A: Analyst>(shared: &Shared, make: &dyn Fn() -> A) {
    lower_priority(NICE);
    let mut analyst = make();
    while let Some((number, job)) = shared.next() {
        shared.metrics.searches.inc();
        let Job { mut task, asked, stop, lines, done } = job;
        task.begin(asked.elapsed());
        let mut report = |report: Report| {
            lines.send_modify(|lines| {
                let place = report.multi_pv.max(1) - 1;
                // Lines arrive in order, the best first.
                lines.truncate(lines.len().max(place));
                if place < lines.len() {
                    lines[place] = report;
                } else {
                    lines.push(report);
                }
            });
        };
        let question = &task.question;
        let think = AssertUnwindSafe(|| analyst.analyse(question, &stop, &mut report));
        let thought = catch_unwind(think);
        shared.done(number);
        let answer = match thought {
            Ok(Ok(verdict)) => {
                shared.metrics.nodes.inc_by(verdict.lines.first().map_or(0, |line| line.nodes));
                Ok(verdict)
            }
            Ok(Err(error)) => Err(error.to_string()),
            Err(_) => {
                shared.metrics.engine_panics.inc();
                tracing::error!(line = ?question.position().to_string(), "engine panicked");
                // A panic may leave the analyst in an inconsistent state.
                analyst = make();
                Err("the engine failed".to_owned())
            }
        };
        // The receiver may be gone by now.
        let _ = done.send(answer);
    }
}

#[cfg(test)]
mod tests;
