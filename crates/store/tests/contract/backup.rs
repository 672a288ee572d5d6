//! Backups: what is restored is what was there, from either database into either.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use chess::Position;
use store::{
    GameFilter, GameId, NewGame, Options, Played, PuzzleFilter, Store, StoreError, Version,
};
use tempfile::TempDir;

use crate::place::{Place, friendly, player, read};
use crate::puzzles;

const PGN: &str = "[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n1. e4 {best} e5 2. Nf3 1-0\n";

fn folder() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("riga.backup");
    (folder, file)
}

/// A database with a bit of everything, and the live game in it.
async fn fill(store: &dyn Store) -> (GameId, Version) {
    let hour = Duration::from_hours(1);
    let (misha, _, _) = store.create_account("Misha", "hash", hour).await.expect("a new name");
    let deleted = store.create_user("Gone").await.expect("a new name");
    store.delete_user(deleted.id).await.expect("deleted");
    let imported = NewGame { owner: Some(misha.id), ..NewGame::imported(&read(PGN)[0]) };
    store.create_game(imported).await.expect("kept");
    let live = NewGame { white: player(&misha), time_control: "60+1".parse().ok(), ..friendly() };
    let id = store.create_game(live).await.expect("kept");
    let m = Position::default().parse_san("e4").expect("legal");
    let played = Played { clock: Some(61_000), ..Played::new(m) };
    let version = store.append(&id, Version::FIRST, &played).await.expect("appended");
    puzzles::lost(store, &misha).await;
    (id, version)
}

/// Everything that can be compared.
async fn all(store: &dyn Store) -> String {
    let games = store.games(&GameFilter::default(), None, 100).await.expect("read");
    let users = store.users().await.expect("read");
    let hash = store.password_hash(users[0].id).await.expect("read");
    let moves = store.continuations(Position::default().key(), None, None).await.expect("read");
    let puzzles = store.puzzles(users[0].id, &PuzzleFilter::default(), 0, 9).await.expect("read");
    let insights = store.insights(users[0].id, 9).await.expect("read");
    assert_eq!((puzzles.len(), insights.games), (1, 1));
    format!("{:?} {users:?} {hash:?} {moves:?} {puzzles:?} {insights:?}", games.games)
}

async fn restores(from: Arc<Place>, to: Place) {
    let (_folder, file) = folder();
    // The server goes on while the backup is written.
    let server = store::open_with(&from.address, &Options::SERVER).await.expect("it opens");
    let (id, version) = fill(&*server).await;
    let written = store::backup(&from.address, &file, false).await.expect("written");
    assert_eq!((written.games, written.users), (3, 1));
    let before = all(&*server).await;
    server.offer(&id, version, None).await.expect("it goes on");
    assert_eq!(store::restore(&to.address, &file, false).await.expect("restored"), written);
    let restored = to.open().await;
    assert_eq!(all(&*restored).await, before);
    // Numbers go on where they were.
    let next = restored.create_user("Next").await.expect("a new name");
    assert_eq!(next.id, server.create_user("Next").await.expect("a new name").id);
    restored.create_game(friendly()).await.expect("kept");
    // Nothing is overwritten unasked.
    let error = store::restore(&to.address, &file, false).await.expect_err("it is not empty");
    assert!(matches!(error, StoreError::NotEmpty), "{error}");
    let error = store::backup(&from.address, &file, false).await.expect_err("it exists");
    assert!(matches!(error, StoreError::Exists(_)), "{error}");
    let error = store::restore(&from.address, &file, true).await.expect_err("it is in use");
    assert!(matches!(error, StoreError::InUse(_)), "{error}");
    assert_eq!(store::restore(&to.address, &file, true).await.expect("restored"), written);
    assert_eq!(all(&*to.open().await).await, before);
}

pub async fn a_backup_is_restored_into_sqlite(place: Arc<Place>) {
    restores(place, Place::sqlite()).await;
}

pub async fn a_backup_is_restored_into_postgresql(place: Arc<Place>) {
    restores(place, Place::postgres()).await;
}

/// Enough rows for two full statements, the first of them without numbers.
pub async fn missing_numbers_are_restored_among_others(place: Arc<Place>) {
    let (_folder, file) = folder();
    let store = place.open().await;
    store.create_game(friendly()).await.expect("kept");
    place
        .tamper(
            "WITH RECURSIVE counted (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM counted WHERE i < 6000) \
             INSERT INTO reviews (game, fingerprint, created, white, black, moves, report) \
             SELECT (SELECT min(number) FROM games), CAST(i AS TEXT), i, \
             CASE WHEN i > 3000 THEN 50.5 END, 60.5, 1, '{}' FROM counted",
        )
        .await;
    store.close().await;
    store::backup(&place.address, &file, false).await.expect("written");
    for to in [Place::sqlite(), Place::postgres()] {
        store::restore(&to.address, &file, false).await.expect("restored");
        let page = to.open().await.search(&GameFilter::default(), None, 10).await.expect("read");
        assert_eq!(page.games[0].accuracies, Some([Some(50.5), Some(60.5)]));
    }
}

/// A file that can't be restored, with a word of the error.
async fn refuses(place: &Place, file: &Path, word: &str) {
    let error = store::restore(&place.address, file, true).await.expect_err("no backup");
    assert!(error.to_string().contains(word), "{error}");
}

pub async fn what_is_no_backup_changes_nothing(place: Arc<Place>) {
    let (folder, file) = folder();
    let store = place.open().await;
    fill(&*store).await;
    let before = all(&*store).await;
    store::backup(&place.address, &file, false).await.expect("written");
    store.close().await;
    let sound = std::fs::read(&file).expect("read");

    refuses(&place, &folder.path().join("missing"), "missing").await;
    let write = |bytes: &[u8]| std::fs::write(&file, bytes).expect("written");
    write(b"not a database");
    refuses(&place, &file, "not a backup").await;
    write(&sound[..sound.len() / 2]);
    refuses(&place, &file, "no checksum").await;
    write(&[&sound[..], b"more"].concat());
    refuses(&place, &file, "no checksum").await;
    for at in (100..sound.len() - 40).step_by(sound.len() / 20) {
        let mut damaged = sound.clone();
        damaged[at] ^= 0x80;
        write(&damaged);
        refuses(&place, &file, "checksum is wrong").await;
    }
    // A database of something else.
    std::fs::remove_file(&file).expect("removed");
    sqlx::any::install_default_drivers();
    let url = format!("sqlite://{}?mode=rwc", file.display());
    let pool = sqlx::AnyPool::connect(&url).await.expect("it opens");
    sqlx::query("CREATE TABLE notes (text TEXT)").execute(&pool).await.expect("created");
    pool.close().await;
    refuses(&place, &file, "no checksum").await;

    assert_eq!(all(&*place.open().await).await, before);
    let left = std::fs::read_dir(folder.path()).expect("read").count();
    assert_eq!(left, 1, "partial files are left");
}

pub async fn a_backup_is_never_written_over_its_database(place: Arc<Place>) {
    let store = place.open().await;
    fill(&*store).await;
    let before = all(&*store).await;
    // Only a SQLite database has files to write over.
    if !place.address.contains("postgres") {
        for suffix in ["", "-wal", "-shm", ".lock"] {
            let part = PathBuf::from(format!("{}{suffix}", place.address));
            if part.exists() {
                let error = store::backup(&place.address, &part, true).await.expect_err(suffix);
                assert!(error.to_string().contains("belongs to the database"), "{error}");
            }
        }
    }
    assert_eq!(all(&*store).await, before);
}
