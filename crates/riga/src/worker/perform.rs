//! Doing a job, and checking what others have done.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, PoisonError};

use ::review::{Effort, Plan, ReviewError, own_options, review_with};
use engine::{Engine, Stop};
use game::pgn::Reader;
use store::{Job, NewReview, Progress, Report, ReviewJob};
use wire::JudgedMove;

use super::{data, part, segment};

/// Why there is no report.
pub enum Failed {
    /// It was stopped.
    Stopped,
    /// Something went wrong.
    Because(String),
}

impl From<String> for Failed {
    fn from(why: String) -> Self {
        Self::Because(why)
    }
}

/// What a thread needs for its jobs.
pub struct Tools {
    /// The name of the engine in reports.
    name: String,
    /// Made for the first review.
    engine: Option<Engine>,
}

impl Tools {
    pub const fn new(name: String) -> Self {
        Self { name, engine: None }
    }

    /// Frees the memory while there is nothing to do.
    pub fn put_away(&mut self) {
        self.engine = None;
    }

    /// Does a job.
    pub fn perform(
        &mut self,
        job: &Job,
        stop: &Stop,
        progress: &Mutex<Progress>,
    ) -> Result<Report, Failed> {
        let work = AssertUnwindSafe(|| match job {
            Job::Review(job) => self.review(job, stop, progress),
            Job::Data(job) => data::perform(job, stop, progress),
            Job::Match(job) => part::perform(job, stop, progress),
            Job::Segment(job) => segment::perform(job, stop, progress),
        });
        catch_unwind(work).unwrap_or_else(|_| {
            // A panic may leave the engine in an inconsistent state.
            self.engine = None;
            Err(Failed::Because("the engine failed".to_owned()))
        })
    }

    fn review(
        &mut self,
        job: &ReviewJob,
        stop: &Stop,
        progress: &Mutex<Progress>,
    ) -> Result<Report, Failed> {
        let game = match Reader::new(job.pgn.as_bytes()).games().next() {
            Some(game) => game.map_err(|error| error.to_string())?,
            None => return Err(Failed::Because("the PGN contains no game".to_owned())),
        };
        let engine = self.engine.get_or_insert_with(|| Engine::new(own_options()));
        let plan = Plan { effort: Effort::Nodes(job.nodes), ..Plan::default() };
        let mut moves: Vec<JudgedMove> = Vec::new();
        let mut tell = |one: ::review::Progress| {
            moves.push((&one).into());
            let share = one.done as f64 / one.of.max(1) as f64;
            let so_far = serde_json::to_value(&moves).ok();
            *progress.lock().unwrap_or_else(PoisonError::into_inner) = Progress { share, so_far };
        };
        match review_with(&game, engine, &plan, &self.name, stop, &mut tell) {
            Ok(report) => {
                let fingerprint = report.fingerprint();
                let report = serde_json::to_value(&report).map_err(|error| error.to_string())?;
                Ok(Report::Review(NewReview { fingerprint, report }))
            }
            Err(ReviewError::Stopped) => Err(Failed::Stopped),
            Err(error) => Err(Failed::Because(error.to_string())),
        }
    }
}

/// Whether a report of training data, match games or a segment is what the job asked for.
pub fn check_report(job: &Job, report: &Report) -> Result<(), String> {
    match (job, report) {
        (Job::Data(job), Report::Data(report)) => data::check(job, report).map(drop),
        (Job::Match(job), Report::Match(report)) => part::check(job, report).map(drop),
        (Job::Segment(_), Report::Segment(report)) => segment::check(report).map(drop),
        _ => Err("the report is of another kind".to_owned()),
    }
}
