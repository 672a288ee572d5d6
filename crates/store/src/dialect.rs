//! Differences between the two databases.

use std::fmt::Write;
use std::time::Duration;

/// The kind of database.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Dialect {
    Sqlite,
    Postgres,
}

impl Dialect {
    /// Starts a write transaction. SQLite must take the lock at once: of two transactions that read
    /// first and then write, one would fail.
    pub const fn begin(self) -> &'static str {
        match self {
            Self::Sqlite => "BEGIN IMMEDIATE",
            Self::Postgres => "BEGIN",
        }
    }

    /// The placeholder of the `n`-th bound value. SQLite accepts `$1` too, but as a name, and looks
    /// names up one by one: with thousands of values that takes longer than the insert.
    pub fn placeholder(self, n: usize, sql: &mut String) {
        match self {
            Self::Sqlite => sql.push('?'),
            Self::Postgres => write!(sql, "${n}").expect("a string takes any text"),
        }
    }

    /// Skips rows locked by others, so that workers don't wait for each other. SQLite has one
    /// writer at a time anyway.
    pub const fn skip_locked(self) -> &'static str {
        match self {
            Self::Sqlite => "",
            Self::Postgres => " FOR UPDATE SKIP LOCKED",
        }
    }

    /// Lets the statements of a transaction take longer than usual, where the database itself limits
    /// them.
    pub fn limit(self, most: Duration) -> Option<String> {
        match self {
            Self::Sqlite => None,
            Self::Postgres => Some(format!("SET LOCAL statement_timeout = {}", most.as_millis())),
        }
    }

    /// Locks the selected rows until the transaction ends. SQLite has one writer at a time anyway.
    pub const fn for_update(self) -> &'static str {
        match self {
            Self::Sqlite => "",
            Self::Postgres => " FOR UPDATE",
        }
    }

    /// The statement to run after a large import. PostgreSQL updates its statistics only
    /// periodically, and until then plans as if its tables were empty; SQLite plans well without.
    pub const fn after_import(self) -> Option<&'static str> {
        match self {
            Self::Sqlite => None,
            Self::Postgres => Some("ANALYZE games, positions"),
        }
    }

    /// Maximum number of values per statement: half of SQLite's limit, a quarter of PostgreSQL's.
    /// More is no faster.
    pub const MOST_VALUES: usize = 16_383;
}
