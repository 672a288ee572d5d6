//! Write transactions that end in time.

use std::future::Future;
use std::ops::{Deref, DerefMut};
use std::pin::Pin;

use futures_util::stream::BoxStream;
use sqlx::any::{AnyQueryResult, AnyRow, AnyStatement, AnyTypeInfo};
use sqlx::{Any, Either, Execute, Executor, SqlStr};
use tokio::time::{Instant, timeout_at};

use crate::bounded::Bounded;

/// A write transaction. It is rolled back unless committed.
#[derive(Debug)]
pub(crate) struct Transaction(TimedConnection);

/// The connection of a transaction. Its statements fail when the time is up.
#[derive(Debug)]
pub(crate) struct TimedConnection {
    inner: sqlx::Transaction<'static, Any>,
    until: Instant,
    writer: Bounded,
}

impl Transaction {
    pub const fn new(
        inner: sqlx::Transaction<'static, Any>,
        until: Instant,
        writer: Bounded,
    ) -> Self {
        Self(TimedConnection { inner, until, writer })
    }

    /// Commits. Everything is on disk, in the database that was opened, when this returns.
    pub async fn commit(self) -> sqlx::Result<()> {
        let TimedConnection { inner, writer, .. } = self.0;
        writer.commit(inner).await
    }
}

impl Deref for Transaction {
    type Target = TimedConnection;

    fn deref(&self) -> &TimedConnection {
        &self.0
    }
}

impl DerefMut for Transaction {
    fn deref_mut(&mut self) -> &mut TimedConnection {
        &mut self.0
    }
}

type BoxFuture<'e, T> = Pin<Box<dyn Future<Output = sqlx::Result<T>> + Send + 'e>>;

/// Does a part of the work until the time is up.
fn until<'e, T: 'e>(
    until: Instant,
    writer: &'e Bounded,
    work: impl Future<Output = sqlx::Result<T>> + Send + 'e,
) -> BoxFuture<'e, T> {
    Box::pin(async move {
        let done = timeout_at(until, work).await.unwrap_or(Err(sqlx::Error::PoolTimedOut));
        writer.note_failure(done)
    })
}

impl<'c> Executor<'c> for &'c mut TimedConnection {
    type Database = Any;

    fn execute<'e, 'q: 'e, E>(self, query: E) -> BoxFuture<'e, AnyQueryResult>
    where
        'c: 'e,
        E: 'q + Execute<'q, Any>,
    {
        until(self.until, &self.writer, self.inner.execute(query))
    }

    fn fetch_all<'e, 'q: 'e, E>(self, query: E) -> BoxFuture<'e, Vec<AnyRow>>
    where
        'c: 'e,
        E: 'q + Execute<'q, Any>,
    {
        until(self.until, &self.writer, self.inner.fetch_all(query))
    }

    fn fetch_optional<'e, 'q: 'e, E>(self, query: E) -> BoxFuture<'e, Option<AnyRow>>
    where
        'c: 'e,
        E: 'q + Execute<'q, Any>,
    {
        until(self.until, &self.writer, self.inner.fetch_optional(query))
    }

    /// Without a limit: a stream is as slow as its reader.
    fn fetch_many<'e, 'q: 'e, E>(
        self,
        query: E,
    ) -> BoxStream<'e, sqlx::Result<Either<AnyQueryResult, AnyRow>>>
    where
        'c: 'e,
        E: 'q + Execute<'q, Any>,
    {
        self.inner.fetch_many(query)
    }

    fn prepare_with<'e>(
        self,
        sql: SqlStr,
        parameters: &'e [AnyTypeInfo],
    ) -> BoxFuture<'e, AnyStatement>
    where
        'c: 'e,
    {
        until(self.until, &self.writer, self.inner.prepare_with(sql, parameters))
    }
}
