//! Errors of the store.

use chess::UnknownName;
use sqlx::migrate::MigrateError;

/// The result of a store operation.
pub type Result<T> = std::result::Result<T, StoreError>;

/// Errors of the store.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// No such user, game, review or job.
    #[error("there is no such {0}")]
    NotFound(&'static str),
    /// Another user has this name.
    #[error("the name `{0}` is taken")]
    Taken(String),
    /// Another write came first: the game or the job has changed since it was read.
    #[error("outdated version: the current one is {found}")]
    Stale {
        /// The current version of the game, or attempt of the job.
        found: i64,
    },
    /// The game has ended and can no longer be changed.
    #[error("the game is over")]
    Over,
    /// A game whose rating is pending can't be deleted for good.
    #[error("the game has yet to be rated")]
    Unrated,
    /// The value can't be stored.
    #[error("the {what} {why}")]
    Refused {
        /// The value.
        what: &'static str,
        /// What is wrong with it.
        why: &'static str,
    },
    /// The database was written by a newer version of Riga.
    #[error(
        "the database was created by a newer version of Riga (schema {found}, ours is {known}); \
         install that version or use another database"
    )]
    Newer {
        /// The latest migration applied to the database.
        found: i64,
        /// The latest migration known to this version.
        known: i64,
    },
    /// The database contains something that Riga can't have written.
    #[error("the database is damaged: {what}")]
    Damaged {
        /// What is wrong, and where.
        what: String,
    },
    /// Neither a path nor a supported database URL.
    #[error("`{0}` is neither a path nor a URL such as postgres://user@host/name")]
    Address(String),
    /// The directory of the database can't be created.
    #[error("can't create the directory {folder}: {why}")]
    Folder {
        /// The directory.
        folder: String,
        /// The cause.
        why: std::io::Error,
    },
    /// The schema can't be migrated.
    #[error("failed to migrate the database: {0}")]
    Migration(#[source] MigrateError),
    /// An error from the database.
    #[error("database: {0}")]
    Database(#[from] sqlx::Error),
}

impl StoreError {
    pub(crate) fn damaged(what: impl Into<String>) -> Self {
        Self::Damaged { what: what.into() }
    }

    /// Maps a unique violation to `taken`.
    pub(crate) fn or_taken(error: sqlx::Error, taken: Self) -> Self {
        match &error {
            sqlx::Error::Database(cause) if cause.is_unique_violation() => taken,
            _ => error.into(),
        }
    }

    /// Maps a foreign key violation to [`NotFound`](Self::NotFound).
    pub(crate) fn or_missing(error: sqlx::Error, what: &'static str) -> Self {
        match &error {
            sqlx::Error::Database(cause) if cause.is_foreign_key_violation() => {
                Self::NotFound(what)
            }
            _ => error.into(),
        }
    }
}

/// An unknown name in a column means that the database is damaged.
impl From<UnknownName> for StoreError {
    fn from(error: UnknownName) -> Self {
        Self::damaged(error.to_string())
    }
}

/// Rejects NUL, which PostgreSQL can't store, in both databases.
pub(crate) fn text<'a>(what: &'static str, text: &'a str) -> Result<&'a str> {
    if text.contains('\0') {
        return Err(StoreError::Refused { what, why: "contains a NUL character" });
    }
    Ok(text)
}

/// Checks a display name: not empty, not too long, one line.
pub(crate) fn name<'a>(what: &'static str, name: &'a str, longest: usize) -> Result<&'a str> {
    let refuse = |why| Err(StoreError::Refused { what, why });
    // Check the byte length first: the name may be a megabyte.
    if name.len() > 8 * longest {
        return refuse("is too long");
    }
    let name = name.trim();
    if name.is_empty() {
        refuse("is empty")
    } else if name.chars().any(char::is_control) {
        refuse("contains control characters")
    } else if name.chars().count() > longest {
        refuse("is too long")
    } else {
        Ok(name)
    }
}
