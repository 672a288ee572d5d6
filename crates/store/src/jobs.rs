//! The job queue.

use async_trait::async_trait;
use sqlx::Row;
use sqlx::any::AnyRow;

use crate::Timestamp;
use crate::database::{Database, query};
use crate::desk::{Job, JobId, JobKind};
use crate::dialect::Dialect;
use crate::error::{Result, StoreError, text};
use crate::statement::{Row as _, row};

/// A job for the queue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewJob {
    /// The job.
    pub job: Job,
    /// Higher priorities come first.
    pub priority: i64,
    /// Deduplication key: a job with the same key is added only once.
    pub once: Option<String>,
}

impl NewJob {
    /// A job with the default priority.
    pub const fn new(job: Job) -> Self {
        Self { job, priority: 0, once: None }
    }
}

/// The state of a job.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum JobState {
    /// Not claimed.
    Waiting,
    /// Claimed by a worker, which may have died.
    Running,
    /// Completed.
    Done,
    /// Failed too often.
    Failed,
}

chess::names! {
    JobState { Waiting = "waiting", Running = "running", Done = "done", Failed = "failed" }
}

/// A job in the queue with its state.
#[derive(Clone, Debug, PartialEq)]
pub struct QueuedJob {
    /// The job id.
    pub id: JobId,
    /// The job.
    pub job: Job,
    /// Its state.
    pub state: JobState,
    /// The number of attempts so far.
    pub attempts: i64,
    /// The current or last worker.
    pub worker: Option<String>,
    /// Progress, from 0 to 1.
    pub progress: f64,
    /// The error of the last failed attempt.
    pub error: Option<String>,
}

/// The number of jobs of a kind in a state.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it all")]
pub struct JobCount {
    pub kind: JobKind,
    pub state: JobState,
    pub jobs: u64,
}

/// The job queue, from the side that adds jobs. Workers use the [`Desk`](crate::Desk).
#[async_trait]
pub trait Jobs {
    /// Adds a job, unless there already is one with the same `once`.
    async fn push_job(&self, job: &NewJob) -> Result<JobId>;

    /// Adds many jobs, and returns the number of new ones.
    async fn push_jobs(&self, jobs: &[NewJob]) -> Result<u64>;

    /// A job.
    async fn job(&self, id: JobId) -> Result<QueuedJob>;

    /// The number of jobs by kind and state.
    async fn count_jobs(&self) -> Result<Vec<JobCount>>;
}

row! {
    new NewJobRow {
        kind: &'static str,
        payload: String,
        priority: i64,
        once: Option<String>,
        created: i64,
        updated: i64,
        state: &'static str,
        attempts: i64,
        progress: f64,
    }
}

impl NewJobRow {
    fn new(job: &NewJob, now: Timestamp) -> Result<Self> {
        let payload = match &job.job {
            Job::Review(review) => serde_json::to_string(review),
        };
        Ok(Self {
            kind: job.job.kind().as_str(),
            payload: payload.expect("a payload can be written as JSON"),
            priority: job.priority,
            once: job.once.as_deref().map(|once| text("key", once)).transpose()?.map(str::to_owned),
            created: now.0,
            updated: now.0,
            state: JobState::Waiting.as_str(),
            attempts: 0,
            progress: 0.0,
        })
    }
}

row! {
    read JobRow {
        id: i64,
        kind: String,
        payload: String,
        state: String,
        attempts: i64,
        worker: Option<String>,
        progress: f64,
        answer: Option<String>,
    }
}

impl JobRow {
    pub(crate) fn job(&self) -> Result<Job> {
        let job = match self.kind.parse()? {
            JobKind::Review => serde_json::from_str(&self.payload).map(Job::Review),
        };
        job.map_err(|error| StoreError::damaged(format!("job {}: {error}", self.id)))
    }
}

#[async_trait]
impl Jobs for Database {
    async fn push_job(&self, job: &NewJob) -> Result<JobId> {
        let row = NewJobRow::new(job, Timestamp::now())?;
        let once = row.once.clone();
        let mut transaction = self.begin().await?;
        let mut insert = self.statement("INSERT INTO jobs");
        insert.values([row]).push(" ON CONFLICT (once) DO NOTHING RETURNING id");
        let pushed = insert.query().fetch_optional(&mut *transaction).await?;
        let row = if let Some(row) = pushed {
            row
        } else {
            let known = query("SELECT id FROM jobs WHERE once = $1").bind(once);
            let known = known.fetch_optional(&mut *transaction).await?;
            known.ok_or(StoreError::NotFound("job"))?
        };
        let id = JobId(row.try_get("id")?);
        transaction.commit().await?;
        Ok(id)
    }

    async fn push_jobs(&self, jobs: &[NewJob]) -> Result<u64> {
        let now = Timestamp::now();
        let most = Dialect::MOST_VALUES / NewJobRow::COLUMNS.len();
        let mut pushed = 0;
        let mut transaction = self.begin().await?;
        for jobs in jobs.chunks(most) {
            let rows = jobs.iter().map(|job| NewJobRow::new(job, now));
            let mut insert = self.statement("INSERT INTO jobs");
            insert.values(rows.collect::<Result<Vec<_>>>()?).push(" ON CONFLICT (once) DO NOTHING");
            let done = insert.bulk(jobs.len() == most).execute(&mut *transaction).await?;
            pushed += done.rows_affected();
        }
        transaction.commit().await?;
        Ok(pushed)
    }

    async fn job(&self, id: JobId) -> Result<QueuedJob> {
        let select = query(
            "SELECT id, kind, payload, state, attempts, worker, progress, answer \
             FROM jobs WHERE id = $1",
        );
        let row = select.bind(id.0).fetch_optional(&self.readers).await?;
        let row = JobRow::read(&row.ok_or(StoreError::NotFound("job"))?)?;
        Ok(QueuedJob {
            id,
            job: row.job()?,
            state: row.state.parse()?,
            attempts: row.attempts,
            worker: row.worker,
            progress: row.progress,
            error: row.answer,
        })
    }

    async fn count_jobs(&self) -> Result<Vec<JobCount>> {
        let count = query(
            "SELECT kind, state, count(*) AS jobs FROM jobs GROUP BY kind, state \
             ORDER BY kind, state",
        );
        let rows = count.fetch_all(&self.readers).await?;
        let read = |row: &AnyRow| {
            Ok(JobCount {
                kind: row.try_get::<&str, _>("kind")?.parse()?,
                state: row.try_get::<&str, _>("state")?.parse()?,
                jobs: row.try_get::<i64, _>("jobs")?.unsigned_abs(),
            })
        };
        rows.iter().map(read).collect()
    }
}
