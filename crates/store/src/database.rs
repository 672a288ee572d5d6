//! Database connections: one implementation of the store for both dialects.

use std::sync::atomic::AtomicI64;
use std::sync::{Arc, Weak};

use game::Openings;
use sqlx::any::AnyArguments;
use sqlx::query::Query;
use sqlx::{Any, AnyPool, Transaction};

use crate::dialect::Dialect;
use crate::error::Result;
use crate::statement::Statement;
use crate::writes::Writes;

/// An open database. It uses sqlx's `Any` driver, which supports integers, floats, text and blobs:
/// all that is stored here.
pub(crate) struct Database {
    pub dialect: Dialect,
    /// The pool for writes. For SQLite it is one connection: writers wait in a fair queue instead
    /// of failing with "busy".
    pub writer: AnyPool,
    pub readers: AnyPool,
    pub openings: Openings,
    pub writes: Writes,
    /// When the server was last known to be alive, by its own clock.
    pub alive: AtomicI64,
}

impl Database {
    pub fn new(dialect: Dialect, writer: AnyPool, readers: AnyPool) -> Arc<Self> {
        let openings = Openings::new();
        Arc::new_cyclic(|this: &Weak<Self>| Self {
            dialect,
            writer,
            readers,
            openings,
            writes: Writes::new(this.clone()),
            alive: AtomicI64::new(i64::MIN),
        })
    }

    /// A write transaction. It is rolled back unless committed.
    pub async fn begin(&self) -> Result<Transaction<'static, Any>> {
        Ok(self.writer.begin_with(self.dialect.begin()).await?)
    }

    pub fn statement(&self, sql: &'static str) -> Statement {
        Statement::new(self.dialect, sql)
    }
}

/// A query with a static text.
pub(crate) fn query(sql: &'static str) -> Query<'static, Any, AnyArguments> {
    sqlx::query(sql)
}
