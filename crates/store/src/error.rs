//! Why the store can't do what it is asked.

use chess::UnknownName;
use sqlx::migrate::MigrateError;

/// What the store answers.
pub type Result<T> = std::result::Result<T, StoreError>;

/// Why the store can't do what it is asked.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// There is no such user, game, review or job.
    #[error("there is no such {0}")]
    NotFound(&'static str),
    /// Another user has the name.
    #[error("the name `{0}` is taken")]
    Taken(String),
    /// Somebody else was faster: the game or the job has moved on since it was read.
    #[error("it has changed in the meantime and is at {found} now")]
    Stale {
        /// The version of the game, or the attempt of the job, that is there now.
        found: i64,
    },
    /// The game has ended and can't be changed any more.
    #[error("the game is over")]
    Over,
    /// The value can't be kept.
    #[error("the {what} {why}")]
    Refused {
        /// Which value.
        what: &'static str,
        /// What is wrong with it.
        why: &'static str,
    },
    /// The database has been written by a newer version of Riga.
    #[error(
        "the database was made by a newer version of Riga (its schema {found}, ours {known}); \
         install that version or use another database"
    )]
    Newer {
        /// The newest step of the schema that has been taken there.
        found: i64,
        /// The newest that is known here.
        known: i64,
    },
    /// Something in the database can't be what was written.
    #[error("the database is damaged: {what}")]
    Damaged {
        /// What is wrong, and where.
        what: String,
    },
    /// The address names no database of a known kind.
    #[error("`{0}` is neither a path nor an address such as postgres://user@host/name")]
    Address(String),
    /// The folder of the database can't be made.
    #[error("the folder {folder} can't be made: {why}")]
    Folder {
        /// The folder.
        folder: String,
        /// Why not.
        why: std::io::Error,
    },
    /// The schema can't be brought up to date.
    #[error("the database can't be brought up to date: {0}")]
    Migration(#[source] MigrateError),
    /// The database itself complains.
    #[error("database: {0}")]
    Database(#[from] sqlx::Error),
}

impl StoreError {
    pub(crate) fn damaged(what: impl Into<String>) -> Self {
        Self::Damaged { what: what.into() }
    }

    /// The same error, or another if what is meant to stand once stands already.
    pub(crate) fn or_taken(error: sqlx::Error, taken: Self) -> Self {
        match &error {
            sqlx::Error::Database(cause) if cause.is_unique_violation() => taken,
            _ => error.into(),
        }
    }

    /// The same error, or another if what is referred to is not there.
    pub(crate) fn or_missing(error: sqlx::Error, what: &'static str) -> Self {
        match &error {
            sqlx::Error::Database(cause) if cause.is_foreign_key_violation() => {
                Self::NotFound(what)
            }
            _ => error.into(),
        }
    }
}

/// A name that was read from the database.
impl From<UnknownName> for StoreError {
    fn from(error: UnknownName) -> Self {
        Self::damaged(error.to_string())
    }
}

/// A text without NUL: PostgreSQL can't keep it, so neither database does.
pub(crate) fn text<'a>(what: &'static str, text: &'a str) -> Result<&'a str> {
    if text.contains('\0') {
        return Err(StoreError::Refused { what, why: "contains a NUL character" });
    }
    Ok(text)
}

/// A name for people to read: not empty, not long, one line.
pub(crate) fn name<'a>(what: &'static str, name: &'a str, longest: usize) -> Result<&'a str> {
    let refuse = |why| Err(StoreError::Refused { what, why });
    // Cheap first: it may be a megabyte.
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
