//! The connections to a database: one implementation of the store for both kinds.

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

/// An open database. Its SQL goes through sqlx's `Any` driver, which knows whole numbers,
/// fractions, texts and bytes: all that is kept here.
pub(crate) struct Database {
    pub dialect: Dialect,
    /// Where writes go. For SQLite it is one connection: writers wait in a fair queue instead of
    /// trying and failing.
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

    /// A transaction that writes. It is rolled back unless it is committed.
    pub async fn begin(&self) -> Result<Transaction<'static, Any>> {
        Ok(self.writer.begin_with(self.dialect.begin()).await?)
    }

    pub fn statement(&self, sql: &'static str) -> Statement {
        Statement::new(self.dialect, sql)
    }
}

/// A query with a fixed text.
pub(crate) fn query(sql: &'static str) -> Query<'static, Any, AnyArguments> {
    sqlx::query(sql)
}
