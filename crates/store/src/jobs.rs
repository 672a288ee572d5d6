//! A queue of work, lent out for a time: whoever dies with a job in hand loses it to another.

use std::time::Duration;

use async_trait::async_trait;
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, Row};

use crate::Timestamp;
use crate::database::{Database, query};
use crate::dialect::Dialect;
use crate::error::{Result, StoreError, text};
use crate::statement::{Row as _, row};

/// The columns of a [`JobRow`].
macro_rules! job_columns {
    () => {
        "id, kind, payload, priority, state, attempts, worker, lease_until, progress, answer, \
         created, updated"
    };
}
/// How often a job is tried before it is given up.
const MOST_ATTEMPTS: i64 = 3;

/// The number of a job.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct JobId(pub i64);

/// A worker's right to a job: it ends when another worker gets the job.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct Attempt {
    /// Which job.
    pub job: JobId,
    /// The how-manieth time it is tried, from 1.
    pub number: i64,
}

/// Work to be done.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NewJob {
    /// What kind of work; workers say which kinds they do.
    pub kind: String,
    /// What a worker must know, as JSON.
    pub payload: String,
    /// The highest comes first.
    pub priority: i64,
    /// Two jobs with the same text here are one.
    pub once: Option<String>,
}

/// How far a job is.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum JobState {
    /// Nobody has it.
    Waiting,
    /// A worker has it, or had it and has died.
    Running,
    /// It is done.
    Done,
    /// It was tried too often.
    Failed,
}

chess::names! {
    JobState { Waiting = "waiting", Running = "running", Done = "done", Failed = "failed" }
}

/// A job and how far it is.
#[derive(Clone, Debug, PartialEq)]
pub struct Job {
    /// Its number.
    pub id: JobId,
    /// What kind of work.
    pub kind: String,
    /// What a worker must know, as JSON.
    pub payload: String,
    /// The highest comes first.
    pub priority: i64,
    /// How far it is.
    pub state: JobState,
    /// How often it has been begun.
    pub attempts: i64,
    /// Who has it, or had it last.
    pub worker: Option<String>,
    /// Until when it is lent out.
    pub lease_until: Option<Timestamp>,
    /// How much is done, from 0 to 1.
    pub progress: f64,
    /// The result of a job that is done, the last error of one that is not.
    pub answer: Option<String>,
    /// When it was pushed.
    pub created: Timestamp,
    /// When something happened to it last.
    pub updated: Timestamp,
}

impl Job {
    /// The right to it of whoever has just claimed it.
    pub const fn attempt(&self) -> Attempt {
        Attempt { job: self.id, number: self.attempts }
    }
}

/// How many jobs of a kind are in a state.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it all")]
pub struct JobCount {
    pub kind: String,
    pub state: JobState,
    pub jobs: u64,
}

/// A queue of work. `extend`, `finish` and `fail` are refused as
/// [`Stale`](crate::StoreError::Stale) when another worker has got the job since.
#[async_trait]
pub trait Jobs {
    /// Adds a job; one that is there already by its `once` stays as it is.
    async fn push_job(&self, job: &NewJob) -> Result<JobId>;

    /// Adds many jobs at once, and says how many were not there already.
    async fn push_jobs(&self, jobs: &[NewJob]) -> Result<u64>;

    /// Lends a worker a job of one of these kinds: one whose worker has died, or else the first
    /// that waits. No two workers get the same.
    async fn claim_job(&self, kinds: &[&str], worker: &str, lease: Duration)
    -> Result<Option<Job>>;

    /// Goes on with a job for another lease, and says how much is done.
    async fn extend_job(&self, attempt: Attempt, lease: Duration, progress: f64) -> Result<()>;

    /// Ends a job with a result.
    async fn finish_job(&self, attempt: Attempt, result: &str) -> Result<()>;

    /// Gives a job back with an error. It waits again, or is given up after the third time.
    async fn fail_job(&self, attempt: Attempt, error: &str) -> Result<()>;

    /// A job.
    async fn job(&self, id: JobId) -> Result<Job>;

    /// Jobs in a state, or in any, the newest first.
    async fn jobs(&self, state: Option<JobState>, most: usize) -> Result<Vec<Job>>;

    /// How many jobs there are of each kind in each state.
    async fn count_jobs(&self) -> Result<Vec<JobCount>>;

    /// Removes a job, whatever its state.
    async fn delete_job(&self, id: JobId) -> Result<()>;
}

#[async_trait]
impl Jobs for Database {
    async fn push_job(&self, job: &NewJob) -> Result<JobId> {
        let once = job.once.as_deref().map(|once| text("key", once)).transpose()?;
        let now = Timestamp::now().0;
        let mut transaction = self.begin().await?;
        let pushed = query(
            "INSERT INTO jobs \
             (kind, payload, priority, state, attempts, progress, once, created, updated) \
             VALUES ($1, $2, $3, 'waiting', 0, 0, $4, $5, $6) \
             ON CONFLICT (once) DO NOTHING RETURNING id",
        )
        .bind(text("kind", &job.kind)?.to_owned())
        .bind(text("payload", &job.payload)?.to_owned())
        .bind(job.priority)
        .bind(once.map(str::to_owned))
        .bind(now)
        .bind(now)
        .fetch_optional(&mut *transaction)
        .await?;
        let row = if let Some(row) = pushed {
            row
        } else {
            let known = query("SELECT id FROM jobs WHERE once = $1").bind(once.map(str::to_owned));
            let known = known.fetch_optional(&mut *transaction).await?;
            known.ok_or(StoreError::NotFound("job"))?
        };
        let id = JobId(row.try_get("id")?);
        transaction.commit().await?;
        Ok(id)
    }

    async fn push_jobs(&self, jobs: &[NewJob]) -> Result<u64> {
        for job in jobs {
            text("kind", &job.kind)?;
            text("payload", &job.payload)?;
            text("key", job.once.as_deref().unwrap_or_default())?;
        }
        let now = Timestamp::now().0;
        let most = Dialect::MOST_VALUES / NewJobRow::COLUMNS.len();
        let mut pushed = 0;
        let mut transaction = self.begin().await?;
        for jobs in jobs.chunks(most) {
            let mut insert = self.statement("INSERT INTO jobs");
            insert.values(jobs.iter().map(|job| NewJobRow {
                kind: &job.kind,
                payload: &job.payload,
                priority: job.priority,
                once: job.once.as_deref(),
                created: now,
                updated: now,
                state: JobState::Waiting.as_str(),
                attempts: 0,
                progress: 0.0,
            }));
            insert.push(" ON CONFLICT (once) DO NOTHING");
            let done = insert.bulk(jobs.len() == most).execute(&mut *transaction).await?;
            pushed += done.rows_affected();
        }
        transaction.commit().await?;
        Ok(pushed)
    }

    async fn claim_job(
        &self,
        kinds: &[&str],
        worker: &str,
        lease: Duration,
    ) -> Result<Option<Job>> {
        if kinds.is_empty() {
            return Ok(None);
        }
        text("worker", worker)?;
        for kind in kinds {
            text("kind", kind)?;
        }
        let mut transaction = self.begin().await?;
        // It may have waited long to begin: the lease runs from now.
        let now = Timestamp::now();
        give_up(&mut transaction, now).await?;
        let claim = Claim { kinds, worker, now, until: now.after(lease) };
        let mut row = claim.run(self, &mut transaction, Queue::Abandoned).await?;
        if row.is_none() {
            row = claim.run(self, &mut transaction, Queue::Waiting).await?;
        }
        transaction.commit().await?;
        row.as_ref().map(read).transpose()
    }

    async fn extend_job(&self, attempt: Attempt, lease: Duration, progress: f64) -> Result<()> {
        let now = Timestamp::now();
        let update = query(
            "UPDATE jobs SET lease_until = $1, progress = $2, updated = $3 \
             WHERE id = $4 AND attempts = $5 AND state = 'running'",
        );
        let update = update.bind(now.after(lease).0).bind(progress.clamp(0.0, 1.0)).bind(now.0);
        let update = update.bind(attempt.job.0).bind(attempt.number);
        self.fenced(update.execute(&self.writer).await?.rows_affected(), attempt).await
    }

    async fn finish_job(&self, attempt: Attempt, result: &str) -> Result<()> {
        let update = query(
            "UPDATE jobs SET state = 'done', lease_until = NULL, progress = 1, answer = $1, \
             updated = $2 WHERE id = $3 AND attempts = $4 AND state = 'running'",
        );
        let update = update.bind(text("result", result)?.to_owned()).bind(Timestamp::now().0);
        let update = update.bind(attempt.job.0).bind(attempt.number);
        self.fenced(update.execute(&self.writer).await?.rows_affected(), attempt).await
    }

    async fn fail_job(&self, attempt: Attempt, error: &str) -> Result<()> {
        let update = query(
            "UPDATE jobs SET state = CASE WHEN attempts < $1 THEN 'waiting' ELSE 'failed' END, \
             lease_until = NULL, answer = $2, updated = $3 \
             WHERE id = $4 AND attempts = $5 AND state = 'running'",
        );
        // What went wrong may be any bytes; it must not stand in the way of saying so.
        let update = update.bind(MOST_ATTEMPTS).bind(error.replace('\0', "\u{2400}"));
        let update = update.bind(Timestamp::now().0).bind(attempt.job.0).bind(attempt.number);
        self.fenced(update.execute(&self.writer).await?.rows_affected(), attempt).await
    }

    async fn job(&self, id: JobId) -> Result<Job> {
        let row = query(JOB).bind(id.0).fetch_optional(&self.readers).await?;
        read(&row.ok_or(StoreError::NotFound("job"))?)
    }

    async fn jobs(&self, state: Option<JobState>, most: usize) -> Result<Vec<Job>> {
        let mut select =
            self.statement(concat!("SELECT ", job_columns!(), " FROM jobs WHERE TRUE"));
        if let Some(state) = state {
            select.push(" AND state = ?").bind(state.as_str());
        }
        select.push(" ORDER BY id DESC LIMIT ?").bind(i64::try_from(most).unwrap_or(i64::MAX));
        select.query().fetch_all(&self.readers).await?.iter().map(read).collect()
    }

    async fn count_jobs(&self) -> Result<Vec<JobCount>> {
        let count = query(
            "SELECT kind, state, count(*) AS jobs FROM jobs GROUP BY kind, state \
             ORDER BY kind, state",
        );
        let rows = count.fetch_all(&self.readers).await?;
        let read = |row: &AnyRow| {
            Ok(JobCount {
                kind: row.try_get("kind")?,
                state: row.try_get::<&str, _>("state")?.parse()?,
                jobs: row.try_get::<i64, _>("jobs")?.unsigned_abs(),
            })
        };
        rows.iter().map(read).collect()
    }

    async fn delete_job(&self, id: JobId) -> Result<()> {
        let delete = query("DELETE FROM jobs WHERE id = $1").bind(id.0);
        match delete.execute(&self.writer).await?.rows_affected() {
            0 => Err(StoreError::NotFound("job")),
            _ => Ok(()),
        }
    }
}

impl Database {
    /// Says why a write by right of an attempt has found nothing to write to.
    async fn fenced(&self, rows: u64, attempt: Attempt) -> Result<()> {
        if rows > 0 {
            return Ok(());
        }
        Err(StoreError::Stale { found: self.job(attempt.job).await?.attempts })
    }
}

const JOB: &str = concat!("SELECT ", job_columns!(), " FROM jobs WHERE id = $1");

row! {
    new NewJobRow<'a> {
        kind: &'a str,
        payload: &'a str,
        priority: i64,
        once: Option<&'a str>,
        created: i64,
        updated: i64,
        state: &'static str,
        attempts: i64,
        progress: f64,
    }
}

row! {
    read JobRow {
        id: i64,
        kind: String,
        payload: String,
        priority: i64,
        state: String,
        attempts: i64,
        worker: Option<String>,
        lease_until: Option<i64>,
        progress: f64,
        answer: Option<String>,
        created: i64,
        updated: i64,
    }
}

/// Gives up jobs whose last worker has died.
async fn give_up(connection: &mut AnyConnection, now: Timestamp) -> Result<()> {
    query(
        "UPDATE jobs SET state = 'failed', lease_until = NULL, updated = $1, \
         answer = coalesce(answer, 'the workers that tried it have not come back') \
         WHERE state = 'running' AND lease_until <= $2 AND attempts >= $3",
    )
    .bind(now.0)
    .bind(now.0)
    .bind(MOST_ATTEMPTS)
    .execute(connection)
    .await?;
    Ok(())
}

/// Where a worker looks for a job.
#[derive(Copy, Clone)]
enum Queue {
    /// Jobs whose worker has not come back in time.
    Abandoned,
    Waiting,
}

struct Claim<'a> {
    kinds: &'a [&'a str],
    worker: &'a str,
    now: Timestamp,
    until: Timestamp,
}

impl Claim<'_> {
    async fn run(
        &self,
        database: &Database,
        connection: &mut AnyConnection,
        queue: Queue,
    ) -> Result<Option<AnyRow>> {
        let mut claim = database.statement(
            "UPDATE jobs SET state = 'running', attempts = attempts + 1, progress = 0, worker = ?, \
             lease_until = ?, updated = ? WHERE id = (SELECT id FROM jobs WHERE kind IN ",
        );
        claim.bind(self.worker).bind(self.until.0).bind(self.now.0);
        claim.list(self.kinds.iter().copied());
        match queue {
            Queue::Abandoned => {
                claim.push(" AND state = 'running' AND lease_until <= ?").bind(self.now.0);
            }
            Queue::Waiting => {
                claim.push(" AND state = 'waiting'");
            }
        }
        claim.push(" ORDER BY priority DESC, id LIMIT 1").push(database.dialect.skip_locked());
        claim.push(concat!(") RETURNING ", job_columns!()));
        Ok(claim.query().fetch_optional(connection).await?)
    }
}

fn read(row: &AnyRow) -> Result<Job> {
    let row = JobRow::read(row)?;
    Ok(Job {
        id: JobId(row.id),
        kind: row.kind,
        payload: row.payload,
        priority: row.priority,
        state: row.state.parse()?,
        attempts: row.attempts,
        worker: row.worker,
        lease_until: row.lease_until.map(Timestamp),
        progress: row.progress,
        answer: row.answer,
        created: Timestamp(row.created),
        updated: Timestamp(row.updated),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sqlite;

    #[tokio::test]
    async fn a_lease_does_not_run_while_its_worker_waits() {
        sqlx::any::install_default_drivers();
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("riga.db");
        let database = sqlite::open(path.to_str().expect("UTF-8")).await.expect("it opens");
        let job = NewJob { kind: "review".to_owned(), ..NewJob::default() };
        database.push_job(&job).await.expect("pushed");
        let writing = database.begin().await.expect("a transaction");
        let lease = Duration::from_mins(1);
        let claim = database.claim_job(&["review"], "w", lease);
        let (job, written) = tokio::join!(claim, async {
            tokio::time::sleep(Duration::from_millis(200)).await;
            let written = Timestamp::now();
            writing.commit().await.expect("nothing was written");
            written
        });
        let job = job.expect("asked").expect("it waits");
        assert!(job.lease_until >= Some(written.after(lease)));
    }
}
