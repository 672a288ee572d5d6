//! A SQLite database: one file, one writer, several readers.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use sqlx::any::AnyPoolOptions;
use sqlx::migrate::MigrateError;
use sqlx::{AnyConnection, AssertSqlSafe, Connection, Executor};
use tokio::time::sleep;

use crate::database::Database;
use crate::dialect::Dialect;
use crate::error::{Result, StoreError};
use crate::hold::{Hold, Placed};
use crate::lock::lock_file;
use crate::{Options, migrations};

/// Number of read connections, unless another is asked for.
const READERS: u32 = 4;

/// How long to wait for other processes when the file is opened: one may be importing games.
const OPENING: Duration = Duration::from_secs(20);

/// With `synchronous = FULL`, each commit waits for the disk: an acknowledged move survives a power
/// failure. The cache is 64 MiB, so that an import finds the index in memory.
const WRITER: &str = "PRAGMA journal_mode = WAL; \
    PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA cache_size = -65536; \
    PRAGMA temp_store = MEMORY";

const READER: &str = "PRAGMA query_only = ON; PRAGMA cache_size = -32768; \
    PRAGMA temp_store = MEMORY";

/// Opens a file, creating it if necessary.
pub(crate) async fn open(place: &str, options: &Options) -> Result<Arc<Database>> {
    let path = path(place)?;
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(|why| folder_error(folder, why))?;
    }
    let lock_path = beside(&path, ".lock");
    if options.serves && has_other_names(&path) {
        let why = "has other names (hard links), by which another server could open it";
        return Err(StoreError::Refused { what: "database", why });
    }
    let lock = options.serves.then(|| lock_file(&lock_path, &path)).transpose()?;
    create(&path);
    match prepare(&path).await.map_err(|error| explain(error, &path)) {
        // Another process may be creating the same file right now. SQLite has no lock for that; a
        // second attempt finds it created.
        Err(StoreError::Database(_) | StoreError::Migration(_) | StoreError::Unavailable(_)) => {
            sleep(Duration::from_millis(500)).await;
            prepare(&path).await?;
        }
        other => other?,
    }
    // A file that is gone must not be created again by a connection that is opened later.
    let url = url(&path, "rw");
    let writer = pool(WRITER, options.patience)
        .max_connections(1)
        .after_release(|connection, _| Box::pin(async move { is_whole(connection).await }));
    let writer = writer.connect(&url).await?;
    let readers =
        pool(READER, options.patience).max_connections(options.readers.unwrap_or(READERS).max(1));
    let readers = readers.connect(&url).await?;
    // The log is in use once a connection has read from the file.
    sqlx::query("SELECT count(*) FROM sqlite_schema").fetch_one(&writer).await?;
    let mut files = vec![Placed::new(&path), Placed::new(&beside(&path, "-wal"))];
    files.extend(lock.is_some().then(|| Placed::new(&lock_path)));
    let hold = Hold::Files { files, lock, lock_path };
    Ok(Database::new(Dialect::Sqlite, writer, readers, hold, options))
}

/// Creates a file that only its owner can read, as backups are. If it can't be created, `SQLite` says
/// why.
fn create(path: &Path) {
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let _ = options.open(path);
}

/// Whether a file has several hard links.
#[cfg(unix)]
fn has_other_names(path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    std::fs::metadata(path).is_ok_and(|file| file.nlink() > 1)
}

#[cfg(not(unix))]
fn has_other_names(_: &Path) -> bool {
    false
}

/// The path of a database, with or without `sqlite:`.
pub(crate) fn path(place: &str) -> Result<PathBuf> {
    let path = place.strip_prefix("sqlite:").unwrap_or(place);
    let path = path.strip_prefix("//").unwrap_or(path);
    if path.is_empty() || path.contains("://") || path.starts_with(':') {
        return Err(StoreError::Address(path.chars().take(80).collect()));
    }
    let path = std::path::absolute(path).map_err(|why| folder_error(Path::new(path), why))?;
    // One database has one lock, whichever symbolic link leads to it.
    Ok(path.canonicalize().unwrap_or(path))
}

/// Creates the file if necessary, and migrates its schema.
async fn prepare(path: &Path) -> Result<()> {
    let url = url(path, "rwc");
    // A pool retries errors in `after_connect` and loses their cause.
    let mut first = AnyConnection::connect(&url).await?;
    first.execute(sqlx::raw_sql(AssertSqlSafe(pragmas(WRITER, OPENING)))).await?;
    first.close().await?;
    let migrating = pool(WRITER, OPENING).max_connections(1).connect(&url).await?;
    migrations::run(Dialect::Sqlite, &migrating).await?;
    migrating.close().await;
    Ok(())
}

fn pool(usual: &'static str, patience: Duration) -> AnyPoolOptions {
    AnyPoolOptions::new()
        .acquire_timeout(patience)
        .idle_timeout(None)
        .max_lifetime(None)
        // A file needs no liveness check.
        .test_before_acquire(false)
        .after_connect(move |connection, _| {
            let pragmas = pragmas(usual, patience);
            Box::pin(async move {
                connection.execute(sqlx::raw_sql(AssertSqlSafe(pragmas))).await?;
                Ok(())
            })
        })
}

/// The settings of a connection. It stops waiting for the lock of another process a little before
/// its caller stops waiting for an answer.
fn pragmas(usual: &str, patience: Duration) -> String {
    format!("PRAGMA busy_timeout = {}; {usual}", patience.as_millis() * 9 / 10)
}

/// A file with the same name and a suffix.
pub(crate) fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

/// Whether a returned connection can be reused. When the disk is full or fails, SQLite ends the
/// transaction by itself. sqlx still considers it open, and from then on refuses to begin another:
/// such a connection is closed.
async fn is_whole(connection: &mut AnyConnection) -> sqlx::Result<bool> {
    // A dropped transaction is rolled back before the answer arrives.
    connection.ping().await?;
    Ok(!connection.is_in_transaction())
}

/// The path as a URL, with special characters percent-encoded.
pub(crate) fn url(path: &Path, mode: &str) -> String {
    let mut url = String::from("sqlite://");
    for &byte in path.as_os_str().as_encoded_bytes() {
        if byte.is_ascii_alphanumeric() || b"/-_.".contains(&byte) {
            url.push(char::from(byte));
        } else {
            write!(url, "%{byte:02X}").expect("a string takes any text");
        }
    }
    url + "?mode=" + mode
}

/// Explains SQLite's error codes for unusable files.
pub(crate) fn explain(error: StoreError, path: &Path) -> StoreError {
    let (StoreError::Database(sqlx::Error::Database(cause))
    | StoreError::Migration(MigrateError::Execute(sqlx::Error::Database(cause)))) = &error
    else {
        return error;
    };
    match cause.code().as_deref() {
        Some("11") => StoreError::damaged(format!("{} is corrupted", path.display())),
        Some("26") => StoreError::damaged(format!("{} is not a SQLite database", path.display())),
        _ => error,
    }
}

fn folder_error(folder: &Path, why: std::io::Error) -> StoreError {
    StoreError::Folder { folder: folder.display().to_string(), why }
}

#[cfg(test)]
mod tests {
    use chess::Position;
    use sqlx::Row;

    use super::*;
    use crate::bounded::Bounded;
    use crate::{Games, NewGame, Played, Player, Store, Version};

    async fn pragma(pool: &Bounded, sql: &'static str) -> String {
        let row = sqlx::query(sql).fetch_one(pool).await.expect("a row");
        row.try_get::<i64, _>(0).map_or_else(|_| row.get(0), |number| number.to_string())
    }

    #[tokio::test]
    async fn the_writer_waits_for_the_disk_and_readers_only_read() {
        sqlx::any::install_default_drivers();
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("riga.db");
        let database = open(path.to_str().expect("UTF-8"), &Options::TOOL).await.expect("it opens");
        assert_eq!(pragma(&database.writer, "PRAGMA synchronous").await, "2");
        assert_eq!(pragma(&database.writer, "PRAGMA journal_mode").await, "wal");
        assert_eq!(pragma(&database.writer, "PRAGMA foreign_keys").await, "1");
        let write = sqlx::query("DELETE FROM users").execute(&database.readers).await;
        assert!(write.is_err());
    }

    #[tokio::test]
    async fn a_disk_that_was_full_can_be_written_again() {
        sqlx::any::install_default_drivers();
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("riga.db");
        let database = open(path.to_str().expect("UTF-8"), &Options::TOOL).await.expect("it opens");
        let guest = |name: &str| Player::Guest { name: name.to_owned() };
        let game = NewGame::live(Position::default(), guest("Anna"), guest("Boris"));
        let id = database.create_game(game).await.expect("kept");
        let played = Played::new(Position::default().parse_san("e4").expect("legal"));
        let mut version = Version::FIRST;
        // As small as possible: the file must not grow.
        pragma(&database.writer, "PRAGMA max_page_count = 1").await;
        let error = loop {
            match database.append(&id, version, &played).await {
                Ok(next) => version = next,
                Err(error) => break error,
            }
            assert!(version.0 < 5000, "the file grows");
        };
        assert!(matches!(error, StoreError::Full(_)), "{error}");
        assert!(database.writer.has_failed());
        // It may be another connection by now, without the limit.
        pragma(&database.writer, "PRAGMA max_page_count = 4294967294").await;
        for _ in 0..20 {
            version = database.append(&id, version, &played).await.expect("there is room again");
        }
        assert_eq!(database.game(&id).await.expect("kept").version, version);
        assert!(!database.writer.has_failed());
        // The disk may be full for larger writes.
        database.check().await.expect("it can be read and written");
        let error = database.check_disk().expect_err("a write has just failed");
        assert!(matches!(error, StoreError::Full(_)), "{error}");
    }

    #[tokio::test]
    async fn a_file_of_another_kind_is_left_alone() {
        sqlx::any::install_default_drivers();
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("notes.txt");
        let text = "not a database\n".repeat(1000);
        std::fs::write(&path, &text).expect("written");
        let error =
            open(path.to_str().expect("UTF-8"), &Options::TOOL).await.err().expect("no database");
        assert!(
            matches!(&error, StoreError::Damaged { what } if what.contains("notes.txt")),
            "{error}"
        );
        assert_eq!(std::fs::read_to_string(&path).expect("read"), text);
    }
}
