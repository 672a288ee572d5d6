//! Database connections: one implementation of the store for both dialects.

use std::sync::atomic::AtomicI64;
use std::sync::{Arc, Weak};
use std::time::Duration;

use game::Openings;
use sqlx::any::AnyArguments;
use sqlx::query::Query;
use sqlx::{Any, AnyPool, AssertSqlSafe, Executor};
use tokio::time::Instant;

use crate::Options;
use crate::bounded::Bounded;
use crate::dialect::Dialect;
use crate::error::Result;
use crate::hold::Hold;
use crate::statement::Statement;
use crate::transaction::Transaction;
use crate::writes::Writes;

/// An open database. It uses sqlx's `Any` driver, which supports integers, floats, text and blobs:
/// all that is stored here.
pub(crate) struct Database {
    pub dialect: Dialect,
    /// The pool for writes. For SQLite it is one connection: writers wait in a fair queue instead
    /// of failing with "busy".
    pub writer: Bounded,
    pub readers: Bounded,
    pub patience: Duration,
    pub hold: Arc<Hold>,
    pub openings: Openings,
    pub writes: Writes,
    /// When the server was last known to be alive, by its own clock.
    pub alive: AtomicI64,
}

impl Database {
    pub fn new(
        dialect: Dialect,
        writer: AnyPool,
        readers: AnyPool,
        hold: Hold,
        options: &Options,
    ) -> Arc<Self> {
        let openings = Openings::new();
        let (hold, patience) = (Arc::new(hold), options.patience);
        let writer = Bounded::writer(writer, patience, Arc::clone(&hold));
        let readers = Bounded::reader(readers, patience);
        Arc::new_cyclic(|this: &Weak<Self>| Self {
            dialect,
            writer,
            readers,
            patience,
            hold,
            openings,
            writes: Writes::new(this.clone()),
            alive: AtomicI64::new(i64::MIN),
        })
    }

    /// A write transaction, which must be done in time.
    pub async fn begin(&self) -> Result<Transaction> {
        let begun = self.writer.begin(self.dialect.begin()).await?;
        Ok(Transaction::new(begun, Instant::now() + self.patience, self.writer.clone()))
    }

    /// A write transaction that may take longer.
    pub async fn begin_for(&self, most: Duration) -> Result<Transaction> {
        let begun = self.writer.begin(self.dialect.begin()).await?;
        let mut transaction = Transaction::new(begun, Instant::now() + most, self.writer.clone());
        if let Some(limit) = self.dialect.limit(most) {
            transaction.execute(sqlx::raw_sql(AssertSqlSafe(limit))).await?;
        }
        Ok(transaction)
    }

    pub fn statement(&self, sql: &'static str) -> Statement {
        Statement::new(self.dialect, sql)
    }
}

/// A query with a static text.
pub(crate) fn query(sql: &'static str) -> Query<'static, Any, AnyArguments> {
    sqlx::query(sql)
}
