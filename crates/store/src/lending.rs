//! The store as a desk: a job queue with leases.

use std::time::Duration;

use async_trait::async_trait;

use crate::database::{Database, query};
use crate::desk::{Attempt, Claim, Desk, DeskError, Job, JobId, JobKind, Progress, Report};
use crate::error::{StoreError, text};
use crate::jobs::{JobRow, job_columns};
use crate::transaction::TimedConnection;
use crate::{Timestamp, reviews};

#[async_trait]
impl Desk for Database {
    async fn claim(
        &self,
        kinds: &[JobKind],
        worker: &str,
        lease: Duration,
    ) -> Result<Option<Claim>, DeskError> {
        let worker = text("worker", worker)?;
        if kinds.is_empty() || !is_work(self, kinds).await? {
            return Ok(None);
        }
        Ok(lend(self, kinds, worker, lease).await?)
    }

    async fn extend(
        &self,
        attempt: Attempt,
        lease: Duration,
        progress: &Progress,
    ) -> Result<(), DeskError> {
        let now = Timestamp::now();
        let update = query(
            "UPDATE jobs SET lease_until = $1, progress = $2, updated = $3 \
             WHERE id = $4 AND attempts = $5 AND state = 'running'",
        );
        let update =
            update.bind(now.after(lease).0).bind(progress.share.clamp(0.0, 1.0)).bind(now.0);
        let update = update.bind(attempt.job.0).bind(attempt.number);
        found(update.execute(&self.writer).await.map_err(StoreError::from)?.rows_affected())
    }

    async fn finish(&self, attempt: Attempt, report: &Report) -> Result<(), DeskError> {
        let mut transaction = self.begin().await?;
        let job = end(&mut transaction, attempt).await?.ok_or(DeskError::Lost)?;
        match (job, report) {
            (Job::Review(job), Report::Review(review)) => {
                // If the game is gone, nobody needs the review.
                reviews::put(&mut transaction, &job.game, review).await?;
            }
            (Job::Data(_), Report::Data(_))
            | (Job::Match(_), Report::Match(_))
            | (Job::Segment(_), Report::Segment(_)) => {
                keep(&mut transaction, attempt.job, report).await?;
            }
            (job, _) => {
                let why = format!("a {} needs another kind of report", job.kind());
                return Err(DeskError::Refused(why));
            }
        }
        transaction.commit().await.map_err(StoreError::from)?;
        Ok(())
    }

    async fn give_up(&self, attempt: Attempt, why: &str) -> Result<(), DeskError> {
        let update = query(
            "UPDATE jobs SET state = CASE WHEN attempts < allowed THEN 'waiting' ELSE 'failed' END, \
             lease_until = NULL, answer = $1, updated = $2 \
             WHERE id = $3 AND attempts = $4 AND state = 'running'",
        );
        // The error text may contain anything; that must not prevent storing it.
        let update = update.bind(why.replace('\0', "\u{2400}"));
        let update = update.bind(Timestamp::now().0).bind(attempt.job.0).bind(attempt.number);
        found(update.execute(&self.writer).await.map_err(StoreError::from)?.rows_affected())
    }

    async fn give_back(&self, attempt: Attempt) -> Result<(), DeskError> {
        // The number of the attempt stays used, so that a late message can't be taken for the next.
        let update = query(
            "UPDATE jobs SET state = 'waiting', allowed = allowed + 1, lease_until = NULL, \
             progress = 0, updated = $1 WHERE id = $2 AND attempts = $3 AND state = 'running'",
        );
        let update = update.bind(Timestamp::now().0).bind(attempt.job.0).bind(attempt.number);
        found(update.execute(&self.writer).await.map_err(StoreError::from)?.rows_affected())
    }
}

/// A write guarded by an attempt matches no row if the attempt is over.
const fn found(rows: u64) -> Result<(), DeskError> {
    if rows == 0 { Err(DeskError::Lost) } else { Ok(()) }
}

/// Store errors as desk errors.
impl From<StoreError> for DeskError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Refused { .. } => Self::Refused(error.to_string()),
            _ => Self::Failed(error.to_string()),
        }
    }
}

/// Whether there is something to lend: idle workers must not keep others from writing.
async fn is_work(database: &Database, kinds: &[JobKind]) -> crate::Result<bool> {
    let mut look = database.statement("SELECT 1 FROM jobs WHERE state = 'waiting' AND kind IN ");
    look.list(kinds.iter().map(|kind| kind.as_str()));
    look.push(" UNION ALL SELECT 1 FROM jobs WHERE state = 'running' AND lease_until <= ? LIMIT 1");
    look.bind(Timestamp::now().0);
    Ok(look.query().fetch_optional(&database.readers).await?.is_some())
}

async fn lend(
    database: &Database,
    kinds: &[JobKind],
    worker: &str,
    lease: Duration,
) -> crate::Result<Option<Claim>> {
    let mut transaction = database.begin().await?;
    // The transaction may have waited long to start: the lease runs from now.
    let now = Timestamp::now();
    fail_abandoned(&mut transaction, now).await?;
    let mut row = None;
    for queue in [Queue::Abandoned, Queue::Waiting] {
        let mut claim = database.statement(
            "UPDATE jobs SET state = 'running', attempts = attempts + 1, progress = 0, worker = ?, \
             lease_until = ?, updated = ? WHERE id = (SELECT id FROM jobs WHERE kind IN ",
        );
        claim.bind(worker).bind(now.after(lease).0).bind(now.0);
        claim.list(kinds.iter().map(|kind| kind.as_str()));
        match queue {
            Queue::Abandoned => {
                claim.push(" AND state = 'running' AND lease_until <= ?").bind(now.0);
            }
            Queue::Waiting => {
                claim.push(" AND state = 'waiting'");
            }
        }
        claim.push(" ORDER BY priority DESC, id LIMIT 1").push(database.dialect.skip_locked());
        claim.push(concat!(") RETURNING ", job_columns!()));
        row = claim.query().fetch_optional(&mut *transaction).await?;
        if row.is_some() {
            break;
        }
    }
    transaction.commit().await?;
    let Some(row) = row else { return Ok(None) };
    let row = JobRow::read(&row)?;
    let attempt = Attempt { job: JobId(row.id), number: row.attempts };
    Ok(Some(Claim { attempt, job: row.job()? }))
}

/// Where to look for a job.
#[derive(Copy, Clone)]
enum Queue {
    /// Jobs whose lease has expired.
    Abandoned,
    Waiting,
}

/// Fails jobs whose last attempt has expired.
async fn fail_abandoned(connection: &mut TimedConnection, now: Timestamp) -> crate::Result<()> {
    query(
        "UPDATE jobs SET state = 'failed', lease_until = NULL, updated = $1, \
         answer = coalesce(answer, 'the workers that tried it have not come back') \
         WHERE state = 'running' AND lease_until <= $1 AND attempts >= allowed",
    )
    .bind(now.0)
    .execute(connection)
    .await?;
    Ok(())
}

/// Completes the job of an attempt; none if the attempt is over.
async fn end(connection: &mut TimedConnection, attempt: Attempt) -> crate::Result<Option<Job>> {
    let row = query(concat!(
        "UPDATE jobs SET state = 'done', lease_until = NULL, progress = 1, answer = NULL, \
         updated = $1 WHERE id = $2 AND attempts = $3 AND state = 'running' RETURNING ",
        job_columns!()
    ))
    .bind(Timestamp::now().0)
    .bind(attempt.job.0)
    .bind(attempt.number)
    .fetch_optional(connection)
    .await?;
    row.map(|row| JobRow::read(&row)?.job()).transpose()
}

/// Keeps the report of a job that belongs to nothing else.
async fn keep(connection: &mut TimedConnection, job: JobId, report: &Report) -> crate::Result<()> {
    let json = serde_json::to_string(report).expect("a report can be written as JSON");
    let update = query("UPDATE jobs SET answer = $1 WHERE id = $2");
    update.bind(json).bind(job.0).execute(connection).await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use sqlx::Row;

    use super::*;
    use crate::{GameId, Jobs, NewJob, Options, ReviewJob, sqlite};

    #[tokio::test]
    async fn a_lease_does_not_run_while_its_worker_waits() {
        sqlx::any::install_default_drivers();
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("riga.db");
        let database =
            sqlite::open(path.to_str().expect("UTF-8"), &Options::TOOL).await.expect("it opens");
        let job = ReviewJob { game: GameId::random(), pgn: "*".to_owned(), nodes: 1 };
        database.push_job(&NewJob::new(Job::Review(job))).await.expect("pushed");
        let writing = database.begin().await.expect("a transaction");
        let lease = Duration::from_mins(1);
        let claim = database.claim(&JobKind::ALL, "w", lease);
        let (claim, written) = tokio::join!(claim, async {
            tokio::time::sleep(Duration::from_millis(200)).await;
            let written = Timestamp::now();
            writing.commit().await.expect("nothing was written");
            written
        });
        claim.expect("asked").expect("it waits");
        let row = query("SELECT lease_until FROM jobs").fetch_one(&database.readers).await;
        let until: i64 = row.expect("a row").try_get("lease_until").expect("it is lent");
        assert!(until >= written.after(lease).0);
    }
}
