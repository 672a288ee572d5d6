//! Errors of the store.

use chess::UnknownName;
use sqlx::migrate::MigrateError;

use crate::hold::Lost;

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
    /// A file can't be read or written.
    #[error("{file}: {why}")]
    File {
        /// The file.
        file: String,
        /// The cause.
        why: std::io::Error,
    },
    /// A file would be overwritten.
    #[error("{0} exists; --force replaces it")]
    Exists(String),
    /// Data would be overwritten.
    #[error("the database is not empty; --force replaces everything in it")]
    NotEmpty,
    /// Another server is using the database.
    #[error(
        "another server is using {0}; stop it first, or choose another database: riga serve --database FILE"
    )]
    InUse(String),
    /// The database doesn't answer, or not in time. Whether a write was carried out is unknown.
    #[error("the database is unavailable: {0}")]
    Unavailable(String),
    /// There is no space left for writing.
    #[error("the disk is full: {0}")]
    Full(String),
    /// The file of the database isn't the one that was opened.
    #[error("{0}; put the file back, or restart the server")]
    Moved(String),
    /// Any other error from the database.
    #[error("database: {0}")]
    Database(#[source] sqlx::Error),
}

/// Finds out whether the database can be used at all.
impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> Self {
        match &error {
            sqlx::Error::PoolTimedOut => Self::Unavailable("it did not answer in time".to_owned()),
            sqlx::Error::Io(cause) => match cause.get_ref().and_then(|lost| lost.downcast_ref()) {
                Some(moved @ Lost::Moved(_)) => Self::Moved(moved.to_string()),
                _ => Self::Unavailable(cause.to_string()),
            },
            sqlx::Error::PoolClosed | sqlx::Error::WorkerCrashed | sqlx::Error::Tls(_) => {
                Self::Unavailable(error.to_string())
            }
            sqlx::Error::Database(cause) => match trouble(cause.code().as_deref()) {
                Some(Trouble::Unavailable) => Self::Unavailable(cause.to_string()),
                Some(Trouble::Full) => Self::Full(cause.to_string()),
                None => Self::Database(error),
            },
            _ => Self::Database(error),
        }
    }
}

/// Whether an error means that the database can't be used at the moment.
pub(crate) fn is_outage(error: &sqlx::Error) -> bool {
    match error {
        sqlx::Error::PoolTimedOut
        | sqlx::Error::PoolClosed
        | sqlx::Error::WorkerCrashed
        | sqlx::Error::Io(_)
        | sqlx::Error::Tls(_) => true,
        sqlx::Error::Database(cause) => trouble(cause.code().as_deref()).is_some(),
        _ => false,
    }
}

/// What an error says about the disk, if it is the disk that fails: it is full, a quota is used up,
/// or it can't be written. SQLite calls only the first of these full.
pub(crate) fn disk_trouble(error: &sqlx::Error) -> Option<StoreError> {
    let sqlx::Error::Database(cause) = error else { return None };
    let code = cause.code()?;
    match trouble(Some(&code))? {
        Trouble::Full => Some(StoreError::Full(cause.to_string())),
        // IOERR; io_error of PostgreSQL
        _ if code == "58030" || code.len() < 5 && code.parse::<u32>().ok()? & 0xff == 10 => {
            Some(StoreError::Unavailable(cause.to_string()))
        }
        Trouble::Unavailable => None,
    }
}

/// What an error code says about the whole database.
enum Trouble {
    Unavailable,
    Full,
}

/// Result codes of SQLite are numbers, whose last byte is the kind; those of PostgreSQL have five
/// characters, of which the first two are the class.
fn trouble(code: Option<&str>) -> Option<Trouble> {
    let code = code?;
    if code.len() == 5 {
        return match code {
            "53100" => Some(Trouble::Full),
            // Canceled by the time limit, or waiting for a lock.
            "57014" | "55P03" => Some(Trouble::Unavailable),
            _ => match &code[..2] {
                // Connections, resources, shutdown and crash, errors of the operating system.
                "08" | "53" | "57" | "58" => Some(Trouble::Unavailable),
                _ => None,
            },
        };
    }
    match code.parse::<u32>().ok()? & 0xff {
        // BUSY, LOCKED, READONLY, IOERR, CANTOPEN
        5 | 6 | 8 | 10 | 14 => Some(Trouble::Unavailable),
        13 => Some(Trouble::Full),
        _ => None,
    }
}

impl StoreError {
    /// Whether the database can't be used at the moment, whatever is asked of it.
    pub const fn is_outage(&self) -> bool {
        matches!(self, Self::Unavailable(_) | Self::Full(_) | Self::Moved(_))
    }

    /// The same error for another caller: all changes of a transaction fail together.
    pub(crate) fn again(&self) -> Self {
        match self {
            Self::Unavailable(why) => Self::Unavailable(why.clone()),
            Self::Full(why) => Self::Full(why.clone()),
            Self::Moved(why) => Self::Moved(why.clone()),
            other => Self::Database(sqlx::Error::Protocol(other.to_string())),
        }
    }

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_of_both_databases_are_understood() {
        // Of SQLite: full, I/O error on write, busy snapshot, constraint; of PostgreSQL: full,
        // canceled, admin shutdown, connection failure, unique violation.
        for (code, full) in [
            ("13", Some(true)),
            ("778", Some(false)),
            ("517", Some(false)),
            ("2067", None),
            ("53100", Some(true)),
            ("57014", Some(false)),
            ("57P01", Some(false)),
            ("08006", Some(false)),
            ("23505", None),
        ] {
            let found = trouble(Some(code)).map(|trouble| matches!(trouble, Trouble::Full));
            assert_eq!(found, full, "{code}");
        }
    }
}
