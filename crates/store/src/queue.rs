//! Looking at the job queue, and changing it by hand.

use sqlx::Row;

use crate::database::{Database, query};
use crate::desk::{JobId, JobKind};
use crate::dialect::Dialect;
use crate::error::{Result, StoreError, text};
use crate::jobs::{DoneJob, JobRow, JobState, QueuedJob, job_columns};
use crate::statement::Statement;
use crate::transaction::TimedConnection;
use crate::{GameId, Timestamp, UserId};

/// A filter for jobs; all conditions must match.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct JobFilter {
    /// A single job.
    pub id: Option<JobId>,
    /// Of this kind.
    pub kind: Option<JobKind>,
    /// In this state.
    pub state: Option<JobState>,
    /// After so many attempts: nothing has happened to it since it was looked at.
    pub attempts: Option<i64>,
    /// Wanted by this user, or by nobody in particular.
    pub asker: Option<Option<UserId>>,
}

impl JobFilter {
    /// Jobs of a kind.
    pub fn of_kind(kind: JobKind) -> Self {
        Self { kind: Some(kind), ..Self::default() }
    }

    /// The same jobs in a state.
    pub fn in_state(&self, state: JobState) -> Self {
        Self { state: Some(state), ..self.clone() }
    }

    fn conditions(&self, statement: &mut Statement) {
        if let Some(JobId(id)) = self.id {
            statement.push(" AND id = ?").bind(id);
        }
        if let Some(kind) = self.kind {
            statement.push(" AND kind = ?").bind(kind.as_str());
        }
        if let Some(state) = self.state {
            statement.push(" AND state = ?").bind(state.as_str());
        }
        if let Some(attempts) = self.attempts {
            statement.push(" AND attempts = ?").bind(attempts);
        }
        match self.asker {
            Some(Some(UserId(user))) => {
                statement.push(" AND asker = ?").bind(user);
            }
            Some(None) => {
                statement.push(" AND asker IS NULL");
            }
            None => {}
        }
    }
}

pub(crate) async fn count(database: &Database, filter: &JobFilter) -> Result<u64> {
    let mut count = database.statement("SELECT count(*) FROM jobs WHERE TRUE");
    filter.conditions(&mut count);
    let row = count.query().fetch_one(&database.readers).await?;
    Ok(row.try_get::<i64, _>(0)?.unsigned_abs())
}

pub(crate) async fn known(database: &Database, keys: &[String]) -> Result<Vec<String>> {
    let mut known = Vec::new();
    for keys in keys.chunks(Dialect::MOST_VALUES) {
        let mut select =
            database.statement("SELECT once FROM jobs WHERE state <> 'failed' AND once IN ");
        select.list(keys.iter().cloned());
        for row in select.query().persistent(false).fetch_all(&database.readers).await? {
            known.push(row.try_get("once")?);
        }
    }
    Ok(known)
}

/// Queues jobs with these keys again that have failed.
pub(crate) async fn revive(
    database: &Database,
    connection: &mut TimedConnection,
    keys: Vec<String>,
) -> Result<u64> {
    if keys.is_empty() {
        return Ok(0);
    }
    let mut update = database.statement(
        "UPDATE jobs SET state = 'waiting', allowed = attempts + 3, progress = 0, updated = ? \
         WHERE state = 'failed' AND once IN ",
    );
    update.bind(Timestamp::now().0).list(keys);
    Ok(update.query().persistent(false).execute(connection).await?.rows_affected())
}

pub(crate) async fn list(
    database: &Database,
    filter: &JobFilter,
    most: usize,
) -> Result<Vec<QueuedJob>> {
    let mut jobs = Vec::new();
    for state in JobState::IN_ORDER {
        if jobs.len() >= most || filter.state.is_some_and(|wanted| wanted != state) {
            continue;
        }
        let mut select =
            database.statement(concat!("SELECT ", job_columns!(), " FROM jobs WHERE TRUE"));
        filter.in_state(state).conditions(&mut select);
        select.push(match state {
            JobState::Waiting | JobState::Running => " ORDER BY priority DESC, id LIMIT ?",
            JobState::Failed | JobState::Done => " ORDER BY id DESC LIMIT ?",
        });
        select.bind((most - jobs.len()) as i64);
        for row in select.query().fetch_all(&database.readers).await? {
            jobs.push(JobRow::read(&row)?.queued()?);
        }
    }
    Ok(jobs)
}

pub(crate) async fn of_game(database: &Database, game: &GameId) -> Result<Option<QueuedJob>> {
    let select = query(concat!(
        "SELECT ",
        job_columns!(),
        " FROM jobs WHERE game = $1 ORDER BY id DESC LIMIT 1"
    ));
    let row = select.bind(game.to_string()).fetch_optional(&database.readers).await?;
    row.map(|row| JobRow::read(&row)?.queued()).transpose()
}

pub(crate) async fn ahead(database: &Database, job: &QueuedJob) -> Result<u64> {
    let count = query(
        "SELECT count(*) FROM jobs WHERE state = 'waiting' AND kind = $1 \
         AND (priority > $2 OR priority = $2 AND id < $3)",
    );
    let count = count.bind(job.job.kind().as_str()).bind(job.priority).bind(job.id.0);
    Ok(count.fetch_one(&database.readers).await?.try_get::<i64, _>(0)?.unsigned_abs())
}

pub(crate) async fn retry(database: &Database, filter: &JobFilter) -> Result<u64> {
    // Attempts go on counting, so that no late worker can be taken for a new one.
    let mut update = database.statement(
        "UPDATE jobs SET state = 'waiting', allowed = attempts + 3, progress = 0, updated = ? \
         WHERE state IN ('failed', 'done')",
    );
    update.bind(Timestamp::now().0);
    let state = filter.state.unwrap_or(JobState::Failed);
    filter.in_state(state).conditions(&mut update);
    Ok(update.query().execute(&database.writer).await?.rows_affected())
}

pub(crate) async fn cancel(database: &Database, filter: &JobFilter) -> Result<u64> {
    let mut delete = database.statement("DELETE FROM jobs WHERE state IN ('waiting', 'failed')");
    filter.conditions(&mut delete);
    Ok(delete.query().execute(&database.writer).await?.rows_affected())
}

pub(crate) async fn purge(database: &Database, before: Timestamp) -> Result<u64> {
    let delete =
        query("DELETE FROM jobs WHERE state = 'done' AND kind = 'review' AND updated < $1");
    Ok(delete.bind(before.0).execute(&database.writer).await?.rows_affected())
}

pub(crate) async fn release(database: &Database, worker: &str) -> Result<u64> {
    let update = query(
        "UPDATE jobs SET state = 'waiting', allowed = allowed + 1, lease_until = NULL, \
         progress = 0, updated = $1 WHERE state = 'running' AND worker = $2",
    );
    let update = update.bind(Timestamp::now().0).bind(text("worker", worker)?.to_owned());
    Ok(update.execute(&database.writer).await?.rows_affected())
}

pub(crate) async fn done_after(
    database: &Database,
    kind: JobKind,
    after: JobId,
) -> Result<Option<DoneJob>> {
    let select = query(concat!(
        "SELECT collected, answer AS report, ",
        job_columns!(),
        " FROM jobs WHERE state = 'done' AND kind = $1 AND id > $2 AND answer IS NOT NULL \
         ORDER BY id LIMIT 1"
    ));
    let select = select.bind(kind.as_str()).bind(after.0);
    let Some(found) = select.fetch_optional(&database.readers).await? else { return Ok(None) };
    let row = JobRow::read(&found)?;
    let report = serde_json::from_str(found.try_get("report")?);
    let report = report.map_err(|error| StoreError::damaged(format!("job {}: {error}", row.id)))?;
    let collected = found.try_get::<i64, _>("collected")? != 0;
    Ok(Some(DoneJob { id: JobId(row.id), job: row.job()?, report, collected }))
}

pub(crate) async fn collect(
    database: &Database,
    id: JobId,
    usable: std::result::Result<(), String>,
) -> Result<()> {
    let now = Timestamp::now().0;
    let update = match usable {
        Ok(()) => {
            query("UPDATE jobs SET collected = 1, updated = $1 WHERE id = $2").bind(now).bind(id.0)
        }
        Err(why) => query(
            "UPDATE jobs SET state = CASE WHEN attempts < allowed THEN 'waiting' ELSE 'failed' END, \
             answer = $1, progress = 0, updated = $2 WHERE id = $3 AND state = 'done'",
        )
        .bind(why.replace('\0', "\u{2400}"))
        .bind(now)
        .bind(id.0),
    };
    update.execute(&database.writer).await?;
    Ok(())
}

pub(crate) async fn remove_done(database: &Database, id: JobId) -> Result<()> {
    let delete = query("DELETE FROM jobs WHERE id = $1 AND state = 'done'").bind(id.0);
    delete.execute(&database.writer).await?;
    Ok(())
}
