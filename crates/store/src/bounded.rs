//! A pool whose statements end in time, and whose writes are checked before they are acknowledged.

use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use futures_util::stream::BoxStream;
use sqlx::any::{AnyQueryResult, AnyRow, AnyStatement, AnyTypeInfo};
use sqlx::{Any, AnyPool, Either, Execute, Executor, SqlStr, Transaction};
use tokio::time::timeout;

use crate::error::{StoreError, disk_trouble, is_outage};
use crate::hold::Hold;

/// How long a failure of the disk is reported.
const REMEMBERED: Duration = Duration::from_secs(10);

type BoxFuture<'e, T> = Pin<Box<dyn Future<Output = sqlx::Result<T>> + Send + 'e>>;

/// A connection pool with a time limit. The database may hang: a statement that isn't answered in
/// time fails, and its connection is replaced.
#[derive(Clone, Debug)]
pub(crate) struct Bounded {
    pool: AnyPool,
    patience: Duration,
    writes: Option<Writing>,
}

/// What the write connections share.
#[derive(Clone, Debug)]
struct Writing {
    hold: Arc<Hold>,
    /// Whether the last write has failed.
    failed: Arc<AtomicBool>,
    /// When and how the disk has last failed to take a write. A small one may succeed meanwhile.
    disk: Arc<Mutex<Option<(Instant, StoreError)>>>,
}

impl Bounded {
    pub fn reader(pool: AnyPool, patience: Duration) -> Self {
        Self { pool, patience, writes: None }
    }

    pub fn writer(pool: AnyPool, patience: Duration, hold: Arc<Hold>) -> Self {
        let writes = Some(Writing { hold, failed: Arc::default(), disk: Arc::default() });
        Self { pool, patience, writes }
    }

    pub async fn begin(&self, statement: &'static str) -> sqlx::Result<Transaction<'static, Any>> {
        let begun = timeout(self.patience, self.pool.begin_with(statement)).await;
        self.note_failure(begun.unwrap_or(Err(sqlx::Error::PoolTimedOut)))
    }

    pub async fn commit(&self, transaction: Transaction<'static, Any>) -> sqlx::Result<()> {
        self.within(transaction.commit()).await
    }

    /// Closes the connections, but doesn't wait for a database that doesn't answer.
    pub async fn close(&self) {
        let _ = timeout(self.patience, self.pool.close()).await;
    }

    /// Whether the last write has failed. Reading may be possible nevertheless, for example if the
    /// disk is full.
    pub fn has_failed(&self) -> bool {
        self.writes.as_ref().is_some_and(|writes| writes.failed.load(Ordering::Relaxed))
    }

    /// Fails if the disk has failed to take a write in the last ten seconds.
    pub fn check_disk(&self) -> Result<(), StoreError> {
        let Some(writes) = &self.writes else { return Ok(()) };
        let disk = writes.disk.lock().unwrap_or_else(PoisonError::into_inner);
        match &*disk {
            Some((at, error)) if at.elapsed() < REMEMBERED => Err(error.again()),
            _ => Ok(()),
        }
    }

    /// Does some work in time. A write is acknowledged only if the database is still ours when it
    /// is done: into a file that was deleted, SQLite writes without any error.
    async fn within<T>(&self, work: impl Future<Output = sqlx::Result<T>>) -> sqlx::Result<T> {
        let done = timeout(self.patience, work).await.unwrap_or(Err(sqlx::Error::PoolTimedOut));
        let Some(writes) = &self.writes else { return done };
        let done = done.and_then(|done| writes.hold.check().map(|()| done));
        if done.is_ok() {
            writes.failed.store(false, Ordering::Relaxed);
        }
        self.note_failure(done)
    }

    /// Remembers that writing has failed, if it has.
    pub fn note_failure<T>(&self, done: sqlx::Result<T>) -> sqlx::Result<T> {
        if let (Some(writes), Err(error)) = (&self.writes, &done)
            && is_outage(error)
        {
            writes.failed.store(true, Ordering::Relaxed);
            if let Some(error) = disk_trouble(error) {
                let mut disk = writes.disk.lock().unwrap_or_else(PoisonError::into_inner);
                *disk = Some((Instant::now(), error));
            }
        }
        done
    }
}

impl<'p> Executor<'p> for &'p Bounded {
    type Database = Any;

    fn execute<'e, 'q: 'e, E>(self, query: E) -> BoxFuture<'e, AnyQueryResult>
    where
        'p: 'e,
        E: 'q + Execute<'q, Any>,
    {
        Box::pin(self.within(self.pool.execute(query)))
    }

    fn fetch_all<'e, 'q: 'e, E>(self, query: E) -> BoxFuture<'e, Vec<AnyRow>>
    where
        'p: 'e,
        E: 'q + Execute<'q, Any>,
    {
        Box::pin(self.within(self.pool.fetch_all(query)))
    }

    fn fetch_optional<'e, 'q: 'e, E>(self, query: E) -> BoxFuture<'e, Option<AnyRow>>
    where
        'p: 'e,
        E: 'q + Execute<'q, Any>,
    {
        Box::pin(self.within(self.pool.fetch_optional(query)))
    }

    /// Without a limit: a stream is as slow as its reader.
    fn fetch_many<'e, 'q: 'e, E>(
        self,
        query: E,
    ) -> BoxStream<'e, sqlx::Result<Either<AnyQueryResult, AnyRow>>>
    where
        'p: 'e,
        E: 'q + Execute<'q, Any>,
    {
        self.pool.fetch_many(query)
    }

    fn prepare_with<'e>(
        self,
        sql: SqlStr,
        parameters: &'e [AnyTypeInfo],
    ) -> BoxFuture<'e, AnyStatement>
    where
        'p: 'e,
    {
        Box::pin(self.within(self.pool.prepare_with(sql, parameters)))
    }
}
