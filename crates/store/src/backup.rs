//! Backups: a SQLite file with all data, whatever the database. It can be restored into either.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use sha2::{Digest, Sha256};
use sqlx::{AnyConnection, Connection, Executor, Row};

use crate::copy::Table;
use crate::database::{Database, query};
use crate::dialect::Dialect;
use crate::error::{Result, StoreError};
use crate::store::{is_postgres, open_database};
use crate::{GameId, Options, Store, migrations, sqlite};

/// The end of a backup: this, and the SHA-256 of all that comes before it. SQLite notices only
/// damage to its own structures, not to what is in them.
const MAGIC: [u8; 8] = *b"RIGAsums";
const TRAILER: usize = MAGIC.len() + 32;

/// A backup or a restore of a large database takes a while.
const LONGEST: Duration = Duration::from_hours(24);

/// What a backup contains.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Contents {
    /// Number of games.
    pub games: u64,
    /// Number of users.
    pub users: u64,
    /// Number of rows of all tables.
    pub rows: u64,
}

/// Writes all data of a database to a new file, as of one moment; a server may be running. The file
/// is checked before it gets its name. An existing file is replaced only if `replace` is set.
pub async fn backup(place: &str, file: &Path, replace: bool) -> Result<Contents> {
    sqlx::any::install_default_drivers();
    if !replace && file.exists() {
        return Err(StoreError::Exists(file.display().to_string()));
    }
    if !is_postgres(place) && is_part_of(&sqlite::path(place)?, file) {
        return Err(StoreError::Refused { what: "file", why: "belongs to the database itself" });
    }
    let unwritable = |why| StoreError::File { file: file.display().to_string(), why };
    let partial = Partial::create(&sqlite::beside(file, ".partial")).map_err(unwritable)?;
    let copied = if is_postgres(place) {
        Some(copy_postgres(place, &partial.0).await?)
    } else {
        copy_sqlite(place, &partial.0).await?;
        None
    };
    let contents = verify(&partial.0).await?;
    if copied.is_some_and(|copied| copied != contents) {
        return Err(StoreError::damaged("the backup differs from the database"));
    }
    seal(&partial.0).map_err(unwritable)?;
    std::fs::rename(&partial.0, file).map_err(unwritable)?;
    Ok(contents)
}

/// Restores a backup into a database: all or nothing. No server may use the database. Existing data
/// is replaced only if `replace` is set.
pub async fn restore(place: &str, file: &Path, replace: bool) -> Result<Contents> {
    sqlx::any::install_default_drivers();
    let copy = readable_copy(file)?;
    verify(&copy.0).await.map_err(|error| {
        let why = io::Error::new(io::ErrorKind::InvalidData, format!("can't be restored: {error}"));
        StoreError::File { file: file.display().to_string(), why }
    })?;
    // Bring a backup of an earlier version up to date.
    sqlite::open(text(&copy.0)?, &Options::TOOL).await?.close().await;
    let contents = verify(&copy.0).await?;
    let options = Options { serves: true, ..Options::TOOL };
    let database = open_database(place, &options).await?;
    let filled = fill(&database, &copy.0, replace).await;
    database.close().await;
    filled.map(|()| contents)
}

/// A file that is deleted unless it is renamed.
struct Partial(PathBuf);

impl Partial {
    /// A new empty file that only its owner can read: it will contain password hashes.
    fn create(path: &Path) -> io::Result<Self> {
        let _ = std::fs::remove_file(path);
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        options.open(path)?;
        Ok(Self(path.to_owned()))
    }
}

impl Drop for Partial {
    fn drop(&mut self) {
        for suffix in ["", "-wal", "-shm", "-journal"] {
            let _ = std::fs::remove_file(sqlite::beside(&self.0, suffix));
        }
    }
}

/// Whether a file is a database or belongs to one.
fn is_part_of(database: &Path, file: &Path) -> bool {
    let Ok(file) = file.canonicalize() else { return false };
    ["", "-wal", "-shm", ".lock"].iter().any(|suffix| {
        sqlite::beside(database, suffix).canonicalize().is_ok_and(|part| part == file)
    })
}

/// Adds the checksum, and waits until the file is on disk.
fn seal(path: &Path) -> io::Result<()> {
    let mut sum = Sha256::new();
    io::copy(&mut File::open(path)?, &mut sum)?;
    let mut file = OpenOptions::new().append(true).open(path)?;
    file.write_all(&MAGIC)?;
    file.write_all(&sum.finalize())?;
    file.sync_all()
}

/// A copy of a backup that can be migrated.
fn readable_copy(file: &Path) -> Result<Partial> {
    let unreadable = |why| StoreError::File { file: file.display().to_string(), why };
    let refused = |why| unreadable(io::Error::new(io::ErrorKind::InvalidData, why));
    let mut source = File::open(file).map_err(unreadable)?;
    let mut header = Vec::new();
    (&mut source).take(16).read_to_end(&mut header).map_err(unreadable)?;
    if header != b"SQLite format 3\0" {
        return Err(refused("not a backup of Riga"));
    }
    let length = source.seek(SeekFrom::End(0)).map_err(unreadable)?;
    let Some(length) = length.checked_sub(TRAILER as u64) else {
        return Err(refused("not a whole backup of Riga"));
    };
    source.seek(SeekFrom::Start(0)).map_err(unreadable)?;
    let name = format!("riga-restore-{}.db", GameId::random());
    let copy = Partial::create(&std::env::temp_dir().join(name)).map_err(unreadable)?;
    let target = OpenOptions::new().write(true).open(&copy.0).map_err(unreadable)?;
    let mut both = Summing { file: target, sum: Sha256::new() };
    io::copy(&mut (&mut source).take(length), &mut both).map_err(unreadable)?;
    let mut trailer = [0; TRAILER];
    source.read_exact(&mut trailer).map_err(unreadable)?;
    if trailer[..MAGIC.len()] != MAGIC {
        return Err(refused("not a whole backup of Riga: it has no checksum"));
    }
    if trailer[MAGIC.len()..] != *both.sum.finalize() {
        return Err(refused("damaged: the checksum is wrong"));
    }
    Ok(copy)
}

/// A file that is summed up while it is written.
struct Summing {
    file: File,
    sum: Sha256,
}

impl Write for Summing {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.file.write(bytes)?;
        self.sum.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

fn text(path: &Path) -> Result<&str> {
    path.to_str().ok_or_else(|| StoreError::Address(path.display().to_string()))
}

async fn connect(path: &Path) -> Result<AnyConnection> {
    Ok(AnyConnection::connect(&sqlite::url(path, "rw")).await?)
}

/// SQLite writes a consistent copy itself, while others read and write.
async fn copy_sqlite(place: &str, to: &Path) -> Result<()> {
    let from = sqlite::path(place)?;
    let mut connection = connect(&from).await.map_err(|error| sqlite::explain(error, &from))?;
    connection.execute("PRAGMA busy_timeout = 60000").await?;
    let copy = query("VACUUM INTO $1").bind(text(to)?.to_owned());
    copy.execute(&mut connection).await.map_err(|error| sqlite::explain(error.into(), &from))?;
    Ok(connection.close().await?)
}

/// Copies a PostgreSQL database as of the beginning of a transaction.
async fn copy_postgres(url: &str, to: &Path) -> Result<Contents> {
    let mut from = AnyConnection::connect(url).await?;
    migrations::check(&mut from).await?;
    from.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY").await?;
    let database = sqlite::open(text(to)?, &Options::TOOL).await?;
    let tables = Table::all(&mut connect(to).await?).await?;
    let mut transaction = database.begin_for(LONGEST).await?;
    let mut contents = Contents::default();
    for table in &tables {
        let source = (&mut from, Dialect::Postgres);
        let rows = table.copy(source, (&mut transaction, Dialect::Sqlite)).await?;
        contents.add(&table.name, rows);
    }
    transaction.commit().await?;
    database.close().await;
    from.close().await?;
    // One file, without a log.
    let mut last = connect(to).await?;
    last.execute("PRAGMA journal_mode = DELETE").await?;
    last.close().await?;
    Ok(contents)
}

/// Replaces the data of a database by that of a backup, in one transaction.
async fn fill(database: &Database, backup: &Path, replace: bool) -> Result<()> {
    let mut from = connect(backup).await?;
    let tables = Table::all(&mut from).await?;
    let mut transaction = database.begin_for(LONGEST).await?;
    if !replace {
        let count = query("SELECT (SELECT count(*) FROM games) + (SELECT count(*) FROM users)");
        if count.fetch_one(&mut *transaction).await?.try_get::<i64, _>(0)? > 0 {
            return Err(StoreError::NotEmpty);
        }
    }
    for table in tables.iter().rev() {
        table.clear(&mut transaction).await?;
    }
    for table in &tables {
        let expected = table.count(&mut from).await?;
        let source = (&mut from, Dialect::Sqlite);
        let copied = table.copy(source, (&mut transaction, database.dialect)).await?;
        if copied != expected {
            return Err(StoreError::damaged(format!("{} was not copied completely", table.name)));
        }
    }
    transaction.commit().await?;
    Ok(from.close().await?)
}

/// Checks a backup, and counts what is in it.
async fn verify(file: &Path) -> Result<Contents> {
    let checked = contents(file).await;
    checked.map_err(|error| match sqlite::explain(error, file) {
        StoreError::Database(error) => StoreError::damaged(error.to_string()),
        other => other,
    })
}

async fn contents(file: &Path) -> Result<Contents> {
    let mut connection = connect(file).await?;
    let row = query("PRAGMA integrity_check(1)").fetch_one(&mut connection).await?;
    let found: String = row.try_get(0)?;
    if found != "ok" {
        return Err(StoreError::damaged(found));
    }
    // Fails if Riga has not written it.
    query("SELECT count(*) FROM _sqlx_migrations, games").fetch_one(&mut connection).await?;
    let mut contents = Contents::default();
    for table in Table::all(&mut connection).await? {
        contents.add(&table.name, table.count(&mut connection).await?);
    }
    connection.close().await?;
    Ok(contents)
}

impl Contents {
    fn add(&mut self, table: &str, rows: u64) {
        self.rows += rows;
        match table {
            "games" => self.games = rows,
            "users" => self.users = rows,
            _ => {}
        }
    }
}
