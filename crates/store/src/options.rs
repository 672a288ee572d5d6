//! How a database is opened.

use std::time::Duration;

/// How a database is opened.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// The longest time that a statement or a transaction may take; then the call fails as
    /// [`Unavailable`](crate::StoreError::Unavailable).
    pub patience: Duration,
    /// Whether to be the one server of this database. Opening fails while there is another.
    pub serves: bool,
    /// Number of read connections, at least one. By default SQLite has four, each with a cache of its
    /// own, and PostgreSQL twelve.
    pub readers: Option<u32>,
    /// Number of write connections to PostgreSQL, at least one. They are separate from the read
    /// connections, so that a move never waits for a search. SQLite always has one.
    pub writers: u32,
}

impl Options {
    /// For the server: players are waiting.
    pub const SERVER: Self =
        Self { patience: Duration::from_secs(2), serves: true, readers: None, writers: 4 };

    /// For a tool that works beside the server, or without one.
    pub const TOOL: Self =
        Self { patience: Duration::from_mins(10), serves: false, readers: Some(4), writers: 4 };
}
