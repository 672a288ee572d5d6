//! The job queue.

use async_trait::async_trait;
use sqlx::Row;
use sqlx::any::AnyRow;

use crate::database::{Database, query};
use crate::desk::{Job, JobId, JobKind, ReviewJob};
use crate::dialect::Dialect;
use crate::error::{Result, StoreError, text};
use crate::statement::{Row as _, row};
use crate::{GameId, JobFilter, Report, StoredGame, Timestamp, UserId, queue};

/// A job for the queue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewJob {
    /// The job.
    pub job: Job,
    /// Higher priorities come first.
    pub priority: i64,
    /// Deduplication key: a job with the same key is added only once.
    pub once: Option<String>,
    /// The user who wants it done.
    pub asker: Option<UserId>,
}

impl NewJob {
    /// A job with the default priority.
    pub const fn new(job: Job) -> Self {
        Self { job, priority: 0, once: None, asker: None }
    }

    /// A review of a game, which is added only once for each number of nodes.
    pub fn review(game: &StoredGame, nodes: u64) -> Result<Self> {
        let pgn = game.to_game()?.to_string();
        let job = ReviewJob { game: game.id.clone(), pgn, nodes };
        Ok(Self { once: Some(Self::review_key(&game.id, nodes)), ..Self::new(Job::Review(job)) })
    }

    /// The key of a review. The engine isn't part of it: servers of different versions must not
    /// queue the same game twice.
    pub fn review_key(game: &GameId, nodes: u64) -> String {
        format!("review {game} {nodes}")
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

impl JobState {
    /// The states in the order in which jobs are listed.
    pub(crate) const IN_ORDER: [Self; 4] = [Self::Running, Self::Waiting, Self::Failed, Self::Done];
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
    /// Higher priorities come first.
    pub priority: i64,
    /// The number of attempts so far.
    pub attempts: i64,
    /// The current or last worker.
    pub worker: Option<String>,
    /// Progress, from 0 to 1.
    pub progress: f64,
    /// The error of the last failed attempt.
    pub error: Option<String>,
    /// When it was added.
    pub created: Timestamp,
    /// When something happened to it last.
    pub updated: Timestamp,
}

/// A job that is done, with its report.
#[derive(Clone, Debug, PartialEq)]
pub struct DoneJob {
    /// The job id.
    pub id: JobId,
    /// The job.
    pub job: Job,
    /// Its report.
    pub report: Report,
    /// Whether the report was collected.
    pub collected: bool,
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
    /// Adds a job, unless there already is one with the same `once`; that one gets the higher of the
    /// two priorities.
    async fn push_job(&self, job: &NewJob) -> Result<JobId>;

    /// Adds many jobs, and returns the number of new ones. Those that have failed are queued again,
    /// and count as new.
    async fn push_jobs(&self, jobs: &[NewJob]) -> Result<u64>;

    /// Those of these keys whose jobs wait, run or are done.
    async fn known_jobs(&self, keys: &[String]) -> Result<Vec<String>>;

    /// A job.
    async fn job(&self, id: JobId) -> Result<QueuedJob>;

    /// The number of jobs by kind and state.
    async fn count_jobs(&self) -> Result<Vec<JobCount>>;

    /// The number of matching jobs.
    async fn count_matching(&self, filter: &JobFilter) -> Result<u64>;

    /// At most `most` matching jobs: those that run first, then those that wait, in their order,
    /// then those that have failed or are done, newest first.
    async fn jobs(&self, filter: &JobFilter, most: usize) -> Result<Vec<QueuedJob>>;

    /// The newest job about a game.
    async fn job_of_game(&self, game: &GameId) -> Result<Option<QueuedJob>>;

    /// The number of waiting jobs of the same kind that come before one.
    async fn jobs_ahead(&self, job: &QueuedJob) -> Result<u64>;

    /// Queues matching jobs that have failed again, or those that are done if the filter says so, and
    /// returns their number.
    async fn retry_jobs(&self, filter: &JobFilter) -> Result<u64>;

    /// Removes matching jobs that wait or have failed, and returns their number.
    async fn cancel_jobs(&self, filter: &JobFilter) -> Result<u64>;

    /// Removes reviews that were done before this time, and returns their number. Their reports stay.
    async fn purge_jobs(&self, before: Timestamp) -> Result<u64>;

    /// Queues jobs again that a worker has left behind: it has just started, so it can't be at work.
    async fn release_jobs(&self, worker: &str) -> Result<u64>;

    /// The next job of a kind, by id, that is done and has kept its report.
    async fn done_after(&self, kind: JobKind, after: JobId) -> Result<Option<DoneJob>>;

    /// Marks the report of a job as collected, or queues the job again if the report is unusable.
    async fn collect_job(&self, id: JobId, usable: std::result::Result<(), String>) -> Result<()>;

    /// Removes a job that is done, with its report.
    async fn remove_done(&self, id: JobId) -> Result<()>;
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
        asker: Option<i64>,
        game: Option<String>,
    }
}

impl NewJobRow {
    fn new(job: &NewJob, now: Timestamp) -> Result<Self> {
        let payload = match &job.job {
            Job::Review(review) => serde_json::to_string(review),
            Job::Data(data) => serde_json::to_string(data),
            Job::Match(part) => serde_json::to_string(part),
            Job::Segment(part) => serde_json::to_string(part),
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
            asker: job.asker.map(|user| user.0),
            game: job.job.game().map(ToString::to_string),
        })
    }
}

row! {
    read JobRow {
        id: i64,
        kind: String,
        payload: String,
        state: String,
        priority: i64,
        attempts: i64,
        worker: Option<String>,
        progress: f64,
        answer: Option<String>,
        created: i64,
        updated: i64,
    }
}

/// The columns of a [`JobRow`], without the report of a job that is done, which may be large.
macro_rules! job_columns {
    () => {
        "id, kind, payload, state, priority, attempts, worker, progress, created, updated, \
         CASE WHEN state = 'done' THEN NULL ELSE answer END AS answer"
    };
}
pub(crate) use job_columns;

impl JobRow {
    pub(crate) fn job(&self) -> Result<Job> {
        let job = match self.kind.parse()? {
            JobKind::Review => serde_json::from_str(&self.payload).map(Job::Review),
            JobKind::Data => serde_json::from_str(&self.payload).map(Job::Data),
            JobKind::Match => serde_json::from_str(&self.payload).map(Job::Match),
            JobKind::Segment => serde_json::from_str(&self.payload).map(Job::Segment),
        };
        job.map_err(|error| StoreError::damaged(format!("job {}: {error}", self.id)))
    }

    pub(crate) fn queued(self) -> Result<QueuedJob> {
        Ok(QueuedJob {
            id: JobId(self.id),
            job: self.job()?,
            state: self.state.parse()?,
            priority: self.priority,
            attempts: self.attempts,
            worker: self.worker,
            progress: self.progress,
            error: self.answer,
            created: Timestamp(self.created),
            updated: Timestamp(self.updated),
        })
    }
}

#[async_trait]
impl Jobs for Database {
    async fn push_job(&self, job: &NewJob) -> Result<JobId> {
        let row = NewJobRow::new(job, Timestamp::now())?;
        let mut insert = self.statement("INSERT INTO jobs");
        insert.values([row]).push(
            " ON CONFLICT (once) DO UPDATE SET priority = CASE WHEN jobs.priority < excluded.priority \
             THEN excluded.priority ELSE jobs.priority END RETURNING id",
        );
        let mut transaction = self.begin().await?;
        let row = insert.query().fetch_one(&mut *transaction).await?;
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
            let keys = jobs.iter().filter_map(|job| job.once.clone()).collect();
            pushed += queue::revive(self, &mut transaction, keys).await?;
        }
        transaction.commit().await?;
        Ok(pushed)
    }

    async fn known_jobs(&self, keys: &[String]) -> Result<Vec<String>> {
        queue::known(self, keys).await
    }

    async fn job(&self, id: JobId) -> Result<QueuedJob> {
        let select = query(concat!("SELECT ", job_columns!(), " FROM jobs WHERE id = $1"));
        let row = select.bind(id.0).fetch_optional(&self.readers).await?;
        JobRow::read(&row.ok_or(StoreError::NotFound("job"))?)?.queued()
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

    async fn count_matching(&self, filter: &JobFilter) -> Result<u64> {
        queue::count(self, filter).await
    }

    async fn jobs(&self, filter: &JobFilter, most: usize) -> Result<Vec<QueuedJob>> {
        queue::list(self, filter, most).await
    }

    async fn job_of_game(&self, game: &GameId) -> Result<Option<QueuedJob>> {
        queue::of_game(self, game).await
    }

    async fn jobs_ahead(&self, job: &QueuedJob) -> Result<u64> {
        queue::ahead(self, job).await
    }

    async fn retry_jobs(&self, filter: &JobFilter) -> Result<u64> {
        queue::retry(self, filter).await
    }

    async fn cancel_jobs(&self, filter: &JobFilter) -> Result<u64> {
        queue::cancel(self, filter).await
    }

    async fn purge_jobs(&self, before: Timestamp) -> Result<u64> {
        queue::purge(self, before).await
    }

    async fn release_jobs(&self, worker: &str) -> Result<u64> {
        queue::release(self, worker).await
    }

    async fn done_after(&self, kind: JobKind, after: JobId) -> Result<Option<DoneJob>> {
        queue::done_after(self, kind, after).await
    }

    async fn collect_job(&self, id: JobId, usable: std::result::Result<(), String>) -> Result<()> {
        queue::collect(self, id, usable).await
    }

    async fn remove_done(&self, id: JobId) -> Result<()> {
        queue::remove_done(self, id).await
    }
}
