//! One server per database: the lock of a file, and the lock of a PostgreSQL session. Neither
//! outlives its process.

use std::fs::{File, TryLockError};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use sqlx::{AnyConnection, Connection, Executor, Row};
use tokio::sync::Mutex;
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep, timeout};

use crate::error::{Result, StoreError};

/// Identifies our lock among the advisory locks of a PostgreSQL database: "Riga" in ASCII.
const KEY: i64 = 0x5269_6761;

/// How often the session with the lock is checked.
const INTERVAL: Duration = Duration::from_millis(500);

/// How long to wait for the session of a server that was killed to end.
const PATIENCE: Duration = Duration::from_secs(5);

/// A session whose client has vanished from the network ends within about ten seconds.
const SESSION: &str = "SET tcp_keepalives_idle = 5; SET tcp_keepalives_interval = 2; \
    SET tcp_keepalives_count = 3";

/// Locks the file beside a SQLite database, creating it if necessary.
pub(crate) fn lock_file(path: &Path, database: &Path) -> Result<File> {
    let unusable = |why| StoreError::Folder { folder: path.display().to_string(), why };
    let file = File::options().create(true).truncate(false).write(true).open(path);
    let file = file.map_err(unusable)?;
    // A tool may just be looking whether there is a server.
    for _ in 0..5 {
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(TryLockError::WouldBlock) => std::thread::sleep(Duration::from_millis(20)),
            Err(TryLockError::Error(why)) => return Err(unusable(why)),
        }
    }
    Err(StoreError::InUse(database.display().to_string()))
}

/// Whether a server has locked this file.
pub(crate) fn is_locked(path: &Path) -> bool {
    let Ok(file) = File::open(path) else { return false };
    matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock))
}

/// A lock held by a PostgreSQL session of its own. If the session is lost, it is renewed.
#[derive(Debug)]
pub(crate) struct SessionLock {
    held: Arc<AtomicBool>,
    keeper: Mutex<Option<JoinHandle<()>>>,
}

impl SessionLock {
    pub async fn acquire(url: &str) -> Result<Self> {
        let start = Instant::now();
        let connection = loop {
            if let Some(connection) = try_lock(url).await? {
                break connection;
            }
            if start.elapsed() > PATIENCE {
                return Err(StoreError::InUse("this PostgreSQL database".to_owned()));
            }
            sleep(INTERVAL / 5).await;
        };
        let held = Arc::new(AtomicBool::new(true));
        let keeper = tokio::spawn(keep(connection, url.to_owned(), Arc::clone(&held)));
        Ok(Self { held, keeper: Mutex::new(Some(keeper)) })
    }

    /// Whether the session is alive, as of half a second ago.
    pub fn is_held(&self) -> bool {
        self.held.load(Ordering::Relaxed)
    }

    pub async fn release(&self) {
        if let Some(keeper) = self.keeper.lock().await.take() {
            keeper.abort();
            // The connection is closed when the task is gone.
            let _ = keeper.await;
        }
    }
}

impl Drop for SessionLock {
    fn drop(&mut self) {
        if let Some(keeper) = self.keeper.get_mut() {
            keeper.abort();
        }
    }
}

/// A new session with the lock; none if another session has it.
async fn try_lock(url: &str) -> sqlx::Result<Option<AnyConnection>> {
    let mut connection = AnyConnection::connect(url).await?;
    connection.execute(sqlx::raw_sql(SESSION)).await?;
    let lock = sqlx::query("SELECT pg_try_advisory_lock($1)").bind(KEY);
    let locked: bool = lock.fetch_one(&mut connection).await?.try_get(0)?;
    Ok(locked.then_some(connection))
}

/// Watches the session, and renews it when it is lost.
async fn keep(connection: AnyConnection, url: String, held: Arc<AtomicBool>) {
    let mut session = Some(connection);
    loop {
        sleep(INTERVAL).await;
        session = match session {
            Some(mut connection) => {
                let answer = timeout(4 * INTERVAL, connection.ping()).await;
                matches!(answer, Ok(Ok(()))).then_some(connection)
            }
            None => timeout(4 * INTERVAL, try_lock(&url))
                .await
                .ok()
                .and_then(sqlx::Result::ok)
                .flatten(),
        };
        held.store(session.is_some(), Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_locked_once_and_as_long_as_it_is_open() {
        let folder = tempfile::tempdir().expect("a folder");
        let (path, database) = (folder.path().join("riga.db.lock"), folder.path().join("riga.db"));
        assert!(!is_locked(&path));
        let lock = lock_file(&path, &database).expect("nobody has it");
        assert!(is_locked(&path));
        let second = lock_file(&path, &database).expect_err("it is locked");
        assert!(matches!(second, StoreError::InUse(_)), "{second}");
        drop(lock);
        assert!(!is_locked(&path));
        lock_file(&path, &database).expect("nobody has it");
    }
}
