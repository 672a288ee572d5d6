//! What is known of reviews under way, and the news that there are more.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use engine::{Engine, search_thread};
use review::{own_bench, own_options};
use store::JobId;
use tokio::sync::watch;
use wire::JudgedMove;

/// How long a worker's news and its bad name are kept.
const STALE: Duration = Duration::from_mins(10);

/// Reviews under way: here and on other machines.
pub(crate) struct Office {
    /// The name of our engine in reports.
    pub engine: String,
    /// The node count of its bench, once it is known.
    bench: Arc<OnceLock<u64>>,
    under_way: Mutex<HashMap<JobId, UnderWay>>,
    /// Workers whose reports were wrong, and when.
    distrusted: Mutex<HashMap<String, Instant>>,
    /// Changes when there are new jobs.
    news: watch::Sender<()>,
}

struct UnderWay {
    share: f64,
    moves: Vec<JudgedMove>,
    heard: Instant,
}

impl Office {
    pub fn new(engine: String) -> Self {
        Self {
            engine,
            bench: Arc::default(),
            under_way: Mutex::default(),
            distrusted: Mutex::default(),
            news: watch::Sender::new(()),
        }
    }

    /// Measures the engine that workers are compared with.
    pub fn measure(&self) {
        let bench = Arc::clone(&self.bench);
        let run = move || bench.set(own_bench(&mut Engine::new(own_options())));
        search_thread("bench").spawn(run).expect("the system can start a thread");
    }

    /// The node count that an engine like ours needs for the bench.
    pub fn bench(&self) -> Option<u64> {
        self.bench.get().copied()
    }

    /// A report of this worker was wrong.
    pub fn distrust(&self, worker: String) {
        let mut distrusted = self.distrusted.lock().unwrap_or_else(PoisonError::into_inner);
        distrusted.insert(worker, Instant::now());
    }

    /// Whether a report of this worker was wrong not long ago.
    pub fn is_distrusted(&self, worker: &str) -> bool {
        let distrusted = self.distrusted.lock().unwrap_or_else(PoisonError::into_inner);
        distrusted.get(worker).is_some_and(|since| since.elapsed() < STALE)
    }

    /// Wakes the threads that make reviews.
    pub fn tell_news(&self) {
        self.news.send_replace(());
    }

    pub fn news(&self) -> watch::Receiver<()> {
        self.news.subscribe()
    }

    /// One more move of a review has been judged.
    pub fn judged(&self, job: JobId, share: f64, one: JudgedMove) {
        let mut all = self.lock();
        let fresh = || UnderWay { share, moves: Vec::new(), heard: Instant::now() };
        let review = all.entry(job).or_insert_with(fresh);
        review.moves.push(one);
        review.share = share;
        review.heard = Instant::now();
    }

    /// A worker says how far it has come.
    pub fn heard(&self, job: JobId, share: f64, moves: Option<Vec<JudgedMove>>) {
        let review = UnderWay {
            share: share.clamp(0.0, 1.0),
            moves: moves.unwrap_or_default(),
            heard: Instant::now(),
        };
        self.lock().insert(job, review);
    }

    /// A review is over, or begins again.
    pub fn forget(&self, job: JobId) {
        self.lock().remove(&job);
    }

    /// How far a review has come, and its moves.
    pub fn so_far(&self, job: JobId) -> Option<(f64, Vec<JudgedMove>)> {
        self.lock().get(&job).map(|review| (review.share, review.moves.clone()))
    }

    /// Drops what workers that have died have told.
    pub fn tidy(&self) {
        self.lock().retain(|_, review| review.heard.elapsed() < STALE);
        let mut distrusted = self.distrusted.lock().unwrap_or_else(PoisonError::into_inner);
        distrusted.retain(|_, since| since.elapsed() < STALE);
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<JobId, UnderWay>> {
        self.under_way.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
