//! The threads that make reviews. Each has an engine of its own and a gate of the pool, which closes
//! when its core is needed for a move or an analysis: the search then waits where it is, and goes on
//! as if nothing had happened.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use engine::{Engine, Gate, Stop, search_thread};
use review::{Effort, Plan, ReviewError, own_options, review_with};
use store::{Attempt, Claim, Desk, DeskError, Job, JobKind, Progress, Report, ReviewJob};
use tokio::runtime::Handle;
use tokio::sync::watch;
use tokio::time::{sleep, timeout};
use wire::JudgedMove;

use super::check::{Maker, game, keep};
use crate::app::App;
use crate::pool::lower_priority;

/// The name under which the server claims jobs.
const NAME: &str = "server";

/// How long a job is claimed at a time, and how often the claim is extended.
const LEASE: Duration = Duration::from_mins(1);
const EXTEND: Duration = Duration::from_secs(15);

/// How often to look for jobs that nobody has told of: those that a dead worker has left, or that
/// were queued by hand.
const LOOK: Duration = Duration::from_secs(3);

/// The nice value of the threads: the lowest priority.
const NICE: i32 = 19;

/// The threads.
pub(crate) struct Crew(Mutex<Vec<JoinHandle<()>>>);

impl Crew {
    /// Starts a thread for each gate.
    pub async fn start(app: &Arc<App>) -> Self {
        if let Err(error) = app.store.release_jobs(NAME).await {
            tracing::error!(%error, "failed to take up the reviews of the last run");
        }
        let desk = Arc::clone(&app.store).desk();
        let start = |(number, gate): (usize, &Arc<Gate>)| {
            let reviewer = Reviewer {
                app: Arc::clone(app),
                desk: Arc::clone(&desk),
                gate: Arc::clone(gate),
                news: app.office.news(),
                runtime: Handle::current(),
            };
            search_thread(&format!("review {number}"))
                .spawn(move || reviewer.work())
                .expect("the system can start a thread")
        };
        let gates = app.pool.gates().iter().take(app.config.reviewers());
        Self(Mutex::new(gates.enumerate().map(start).collect()))
    }

    /// Waits for the threads to end, which they do when the server stops.
    pub fn join(&self) {
        let threads = std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner));
        for thread in threads {
            // Panics in reviews are caught, so the thread itself doesn't fail.
            let _ = thread.join();
        }
    }
}

struct Reviewer {
    app: Arc<App>,
    desk: Arc<dyn Desk>,
    gate: Arc<Gate>,
    news: watch::Receiver<()>,
    runtime: Handle,
}

impl Reviewer {
    fn work(mut self) {
        lower_priority(NICE);
        let runtime = self.runtime.clone();
        let mut engine = None;
        loop {
            match runtime.block_on(self.desk.claim(&[JobKind::Review], NAME, LEASE)) {
                Ok(Some(Claim { attempt, job: Job::Review(job) })) => {
                    self.perform(attempt, &job, &mut engine);
                }
                Ok(_) => {
                    // The engine's memory is only needed for work.
                    engine = None;
                    runtime.block_on(self.wait(LOOK));
                }
                Err(error) => {
                    tracing::error!(%error, "failed to claim a review");
                    runtime.block_on(self.wait(LOOK));
                }
            }
            if *self.app.stopping.borrow() {
                return;
            }
        }
    }

    /// Waits for news, for a while.
    async fn wait(&mut self, most: Duration) {
        tokio::select! {
            () = self.app.stopped() => {}
            _ = timeout(most, self.news.changed()) => {}
        }
    }

    fn perform(&self, attempt: Attempt, job: &ReviewJob, engine: &mut Option<Engine>) {
        self.app.office.forget(attempt.job);
        let stop = Stop::behind(&self.gate);
        let lost = Arc::new(AtomicBool::new(false));
        let lease = self.runtime.spawn(keep_lease(
            Arc::clone(&self.app),
            Arc::clone(&self.desk),
            attempt,
            stop.clone(),
            Arc::clone(&lost),
        ));
        let reviewed = self.review(attempt, job, engine, &stop);
        lease.abort();
        let told = match reviewed {
            _ if lost.load(Ordering::Relaxed) => Ok(()),
            Ok(report) => {
                let told = self.runtime.block_on(self.desk.finish(attempt, &report));
                if told.is_ok() {
                    self.app.metrics.reports.inc();
                }
                told
            }
            Err(Failed::Stopped) => self.runtime.block_on(self.desk.give_back(attempt)),
            Err(Failed::Because(why)) => {
                tracing::error!(game = %job.game, why, "review failed");
                self.runtime.block_on(self.desk.give_up(attempt, &why))
            }
        };
        match told {
            // The game may have been deleted in the meantime.
            Ok(()) | Err(DeskError::Lost) => {}
            // The lease expires, and somebody does it again.
            Err(error) => tracing::error!(game = %job.game, %error, "failed to store a review"),
        }
        self.app.office.forget(attempt.job);
    }

    fn review(
        &self,
        attempt: Attempt,
        job: &ReviewJob,
        engine: &mut Option<Engine>,
        stop: &Stop,
    ) -> Result<Report, Failed> {
        let game = game(job).map_err(Failed::Because)?;
        let plan = Plan { effort: Effort::Nodes(job.nodes), ..Plan::default() };
        let office = &self.app.office;
        let analyst = engine.get_or_insert_with(|| Engine::new(own_options()));
        let mut progress = |progress: review::Progress| {
            let share = progress.done as f64 / progress.of.max(1) as f64;
            office.judged(attempt.job, share, JudgedMove::from(&progress));
        };
        let review = AssertUnwindSafe(|| {
            review_with(&game, analyst, &plan, &office.engine, stop, &mut progress)
        });
        match catch_unwind(review) {
            Ok(Ok(report)) => Ok(Report::Review(keep(&report, Maker::Server))),
            Ok(Err(ReviewError::Stopped)) => Err(Failed::Stopped),
            Ok(Err(error)) => Err(Failed::Because(error.to_string())),
            Err(_) => {
                self.app.metrics.engine_panics.inc();
                // A panic may leave the engine in an inconsistent state.
                *engine = None;
                Err(Failed::Because("the engine failed".to_owned()))
            }
        }
    }
}

enum Failed {
    Stopped,
    Because(String),
}

/// Extends a claim until the review is over; stops the review if the job is lost or the server stops.
async fn keep_lease(
    app: Arc<App>,
    desk: Arc<dyn Desk>,
    attempt: Attempt,
    stop: Stop,
    lost: Arc<AtomicBool>,
) {
    loop {
        tokio::select! {
            () = app.stopped() => return stop.stop(),
            () = sleep(EXTEND) => {}
        }
        let share = app.office.so_far(attempt.job).map_or(0.0, |(share, _)| share);
        if let Err(DeskError::Lost) = desk.extend(attempt, LEASE, &Progress::of(share)).await {
            lost.store(true, Ordering::Relaxed);
            return stop.stop();
        }
    }
}

#[cfg(test)]
mod tests {
    use review::{GameReport, review};

    use super::*;

    fn reviewed(stop: Stop) -> GameReport {
        let pgn = "1. e4 e5 2. Qh5 Ke7 3. Nf3 Nf6 4. Qxe5# 1-0".to_owned();
        let game = "abcdefghijklmn".parse().expect("it looks like one");
        let game = self::game(&ReviewJob { game, pgn, nodes: 1 }).expect("a game");
        let search = move || {
            let mut engine = Engine::new(own_options());
            let plan = Plan { effort: Effort::Nodes(20_000), ..Plan::default() };
            // The first review leaves its traces in the engine.
            review(&game, &mut engine, &plan, "Riga").expect("a report");
            review_with(&game, &mut engine, &plan, "Riga", &stop, &mut |_| {}).expect("a report")
        };
        search_thread("test").spawn(search).expect("a thread").join().expect("no panic")
    }

    #[test]
    fn a_review_that_was_paused_is_the_same() {
        let gate = Arc::new(Gate::default());
        let stop = Stop::behind(&gate);
        let paused = std::thread::spawn(move || reviewed(stop));
        let mut count = 0;
        while !paused.is_finished() {
            gate.close();
            std::thread::sleep(Duration::from_millis(5));
            gate.open();
            std::thread::sleep(Duration::from_millis(5));
            count += 1;
        }
        assert!(count > 3, "{count}");
        assert_eq!(paused.join().expect("no panic"), reviewed(Stop::new()));
    }
}
