//! What the two databases say differently.

use std::fmt::Write;

/// Which database it is.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Dialect {
    Sqlite,
    Postgres,
}

impl Dialect {
    /// How a transaction begins that is going to write. SQLite must take the lock at once: two
    /// that read first and then want to write can't both go on.
    pub const fn begin(self) -> &'static str {
        match self {
            Self::Sqlite => "BEGIN IMMEDIATE",
            Self::Postgres => "BEGIN",
        }
    }

    /// The place of the `n`-th bound value. SQLite takes `$1` too, but as a name, and looks names
    /// up one by one: with thousands of values that takes longer than the insert.
    pub fn placeholder(self, n: usize, sql: &mut String) {
        match self {
            Self::Sqlite => sql.push('?'),
            Self::Postgres => write!(sql, "${n}").expect("a string takes any text"),
        }
    }

    /// Leaves out what others are about to change, so that workers don't wait for each other.
    /// SQLite has one writer at a time anyway.
    pub const fn skip_locked(self) -> &'static str {
        match self {
            Self::Sqlite => "",
            Self::Postgres => " FOR UPDATE SKIP LOCKED",
        }
    }

    /// Keeps a row as it is until the transaction ends. SQLite has one writer at a time anyway.
    pub const fn for_update(self) -> &'static str {
        match self {
            Self::Sqlite => "",
            Self::Postgres => " FOR UPDATE",
        }
    }

    /// What must be said after many games have come in. PostgreSQL counts what it holds from time to
    /// time, and until then plans as if its tables were empty; SQLite plans well without.
    pub const fn after_import(self) -> Option<&'static str> {
        match self {
            Self::Sqlite => None,
            Self::Postgres => Some("ANALYZE games, positions"),
        }
    }

    /// Values to put into one statement: half of what SQLite takes, a quarter of what PostgreSQL
    /// does. More is no faster.
    pub const MOST_VALUES: usize = 16_383;
}
