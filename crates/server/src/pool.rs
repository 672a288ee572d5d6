//! The threads on which the engine thinks: the only bridge between the server's tasks, which never
//! block, and the engine, which does nothing else.

use std::net::IpAddr;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use engine::{Analyst, Report, Stop, Verdict, search_thread};
use store::{GameId, UserId};
use tokio::sync::{oneshot, watch};

use crate::metrics::Metrics;
use crate::problem::{Failure, Kind};
use crate::queue::{Queue, Work};
use crate::task::Task;

/// How long an analysis may go on when others wait for their turn.
const SLICE: Duration = Duration::from_secs(3);

/// For whom the engine thinks.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Owner {
    User(UserId),
    Address(IpAddr),
    Game(GameId),
}

/// The threads, and what waits for them.
pub(crate) struct Pool {
    shared: Arc<Shared>,
    threads: Mutex<Vec<JoinHandle<()>>>,
}

struct Shared {
    state: Mutex<State>,
    wake: Condvar,
    metrics: Arc<Metrics>,
}

struct State {
    queue: Queue<Owner, Job>,
    running: Vec<Running>,
    /// Searches begun so far.
    begun: u64,
    closed: bool,
}

/// A search that goes on.
struct Running {
    number: u64,
    work: Work,
    stop: Stop,
    start: Instant,
}

struct Job {
    task: Task,
    /// When it was asked for.
    asked: Instant,
    stop: Stop,
    lines: watch::Sender<Vec<Report>>,
    done: oneshot::Sender<Result<Verdict, String>>,
}

/// A search that was asked for. It is stopped when this is dropped.
pub(crate) struct Search {
    stop: Stop,
    /// The best lines so far.
    pub lines: watch::Receiver<Vec<Report>>,
    /// The end; an error says in words why there is no verdict.
    pub done: oneshot::Receiver<Result<Verdict, String>>,
}

impl Drop for Search {
    fn drop(&mut self) {
        self.stop.stop();
    }
}

impl Pool {
    /// Starts so many threads, each with its own analyst.
    pub fn new<A: Analyst>(
        threads: usize,
        metrics: Arc<Metrics>,
        make: impl Fn() -> A + Clone + Send + 'static,
    ) -> Self {
        let threads = threads.max(2);
        let shared = Arc::new(Shared {
            state: Mutex::new(State {
                queue: Queue::new(threads - 1),
                running: Vec::new(),
                begun: 0,
                closed: false,
            }),
            wake: Condvar::new(),
            metrics,
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

    /// Asks for a search.
    pub fn search(&self, owner: &Owner, task: Task) -> Result<Search, Failure> {
        let work = task.work;
        let stop = Stop::new();
        let (lines, lines_seen) = watch::channel(Vec::new());
        let (done, done_seen) = oneshot::channel();
        let job = Job { task, asked: Instant::now(), stop: stop.clone(), lines, done };
        let mut state = self.shared.lock();
        state.forget();
        let full = |_| Failure::new(Kind::Busy, "too many searches wait already");
        state.queue.push(owner, work, job).map_err(full)?;
        self.shared.metrics.searches_waiting.set(state.queue.len() as i64);
        drop(state);
        self.shared.wake.notify_one();
        Ok(Search { stop, lines: lines_seen, done: done_seen })
    }

    /// Ends the longest analysis if others wait and it has had its time. Called now and then.
    pub fn share(&self) {
        let mut state = self.shared.lock();
        state.forget();
        let analyses = state.running.iter().filter(|running| running.work == Work::Analysis);
        if state.queue.is_crowded()
            && let Some(longest) = analyses.min_by_key(|running| running.start)
            && longest.start.elapsed() >= SLICE
        {
            longest.stop.stop();
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
            // Its panics were caught, so that it ends well.
            let _ = thread.join();
        }
    }
}

impl State {
    /// Forgets searches that wait while nobody waits for them.
    fn forget(&mut self) {
        self.queue.retain(|job| !job.stop.is_stopped());
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next job, when there is one; none when the pool is closed.
    fn next(&self) -> Option<(u64, Job)> {
        let mut state = self.lock();
        loop {
            if state.closed {
                return None;
            }
            if let Some((work, job)) = state.queue.pop() {
                self.metrics.searches_waiting.set(state.queue.len() as i64);
                if job.stop.is_stopped() {
                    // Nobody waits for it any more.
                    state.queue.done(work);
                    continue;
                }
                state.begun += 1;
                let (number, stop) = (state.begun, job.stop.clone());
                state.running.push(Running { number, work, stop, start: Instant::now() });
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
        drop(state);
        self.wake.notify_one();
    }
}

fn work<A: Analyst>(shared: &Shared, make: &dyn Fn() -> A) {
    let mut analyst = make();
    while let Some((number, job)) = shared.next() {
        shared.metrics.searches.inc();
        let Job { mut task, asked, stop, lines, done } = job;
        task.begin(asked.elapsed());
        let mut report = |report: Report| {
            lines.send_modify(|lines| {
                let place = report.multi_pv.max(1) - 1;
                // Lines come in order, the first one first.
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
                tracing::error!(line = ?question.position().to_string(), "the engine has failed");
                // What it had in mind may be broken.
                analyst = make();
                Err("the engine has failed".to_owned())
            }
        };
        // Who has gone in the meantime doesn't hear it.
        let _ = done.send(answer);
    }
}

#[cfg(test)]
mod tests {
    use chess::Line;
    use engine::{AnalystError, Question};

    use super::*;

    /// Thinks until it is stopped about what no book may answer, fails at a position with few men, and
    /// plays the first legal move otherwise.
    struct Fake;

    impl Analyst for Fake {
        fn analyse(
            &mut self,
            question: &Question,
            stop: &Stop,
            _: &mut dyn FnMut(Report),
        ) -> Result<Verdict, AnalystError> {
            while !question.book && !stop.is_stopped() {
                std::thread::sleep(Duration::from_millis(1));
            }
            assert!(question.position().occupied().count() > 3, "a test wants it to fail");
            let best = question.position().legal_moves()[0];
            Ok(Verdict { best, ponder: None, lines: Vec::new(), time: Duration::ZERO })
        }

        fn new_game(&mut self) -> Result<(), AnalystError> {
            Ok(())
        }
    }

    fn pool() -> Pool {
        Pool::new(2, Arc::new(Metrics::new()), || Fake)
    }

    fn owner(number: i64) -> Owner {
        Owner::User(UserId(number))
    }

    fn player(line: Line) -> Task {
        Task { question: Question::new(line).book(true), work: Work::Move, meter: None }
    }

    fn analysis() -> Task {
        Task { question: Question::default(), work: Work::Analysis, meter: None }
    }

    #[tokio::test]
    async fn a_panic_is_an_answer_and_the_pool_goes_on() {
        let pool = pool();
        for _ in 0..5 {
            let lonely = Line::new("8/8/8/4k3/8/8/4P3/4K3 w - - 0 1".parse().expect("a FEN"));
            let mut search = pool.search(&owner(1), player(lonely)).expect("there is room");
            let answer = (&mut search.done).await.expect("an answer");
            assert_eq!(answer, Err("the engine has failed".to_owned()));
        }
        let mut search = pool.search(&owner(1), player(Line::default())).expect("there is room");
        assert!((&mut search.done).await.expect("an answer").is_ok());
        pool.close();
    }

    #[tokio::test]
    async fn analyses_leave_a_thread_for_moves_and_end_when_nobody_listens() {
        let pool = pool();
        let mut first = pool.search(&owner(1), analysis()).expect("there is room");
        let mut second = pool.search(&owner(2), analysis()).expect("there is room");
        let mut search = pool.search(&owner(1), player(Line::default())).expect("there is room");
        assert!((&mut search.done).await.expect("an answer").is_ok());
        assert!(first.done.try_recv().is_err() && second.done.try_recv().is_err());
        drop(first);
        // The second begins now, and ends when the pool does.
        std::thread::sleep(Duration::from_millis(50));
        pool.close();
        assert!((&mut second.done).await.expect("it was begun").is_ok());
    }

    #[tokio::test]
    async fn a_search_that_nobody_waits_for_is_not_begun() {
        let pool = pool();
        let running = pool.search(&owner(1), analysis()).expect("there is room");
        for _ in 0..100 {
            drop(pool.search(&owner(2), analysis()).expect("nobody waits for the others"));
        }
        drop(running);
        let mut last = pool.search(&owner(3), player(Line::default())).expect("there is room");
        assert!((&mut last.done).await.expect("an answer").is_ok());
        pool.close();
        assert!(pool.shared.metrics.searches.get() < 20);
    }
}
