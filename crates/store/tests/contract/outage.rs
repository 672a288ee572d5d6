//! Databases that hang, die, move away, or are in use by another server.

use std::sync::Arc;
use std::time::{Duration, Instant};

use chess::Position;
use sqlx::any::AnyPoolOptions;
use store::{GameId, NewGame, Options, Played, Store, StoreError, Timestamp, Version};
use tokio::time::sleep;

use crate::place::{Place, friendly, runtime};
use crate::postgres::Server;

async fn serve(address: &str) -> Arc<dyn Store> {
    store::open_with(address, &Options::SERVER).await.expect("it opens")
}

async fn play(store: &dyn Store, id: &GameId, version: Version) -> Result<Version, StoreError> {
    let m = Position::default().parse_san("e4").expect("legal");
    store.append(id, version, &Played::new(m)).await
}

pub async fn a_second_server_is_refused(place: Arc<Place>) {
    let first = serve(&place.address).await;
    let second = store::open_with(&place.address, &Options::SERVER).await.err();
    let error = second.expect("there is one already");
    assert!(matches!(error, StoreError::InUse(_)), "{error}");
    #[cfg(unix)]
    if !place.address.contains("postgres") {
        // By whatever name.
        let (link, hard) = (format!("{}.link", place.address), format!("{}.hard", place.address));
        std::os::unix::fs::symlink(&place.address, &link).expect("linked");
        let error = store::open_with(&link, &Options::SERVER).await.err().expect("the same file");
        assert!(matches!(error, StoreError::InUse(_)), "{error}");
        std::fs::hard_link(&place.address, &hard).expect("linked");
        let error = store::open_with(&hard, &Options::SERVER).await.err().expect("the same file");
        assert!(error.to_string().contains("other names"), "{error}");
        std::fs::remove_file(&hard).expect("removed");
    }
    assert!(error.to_string().contains("another server"), "{error}");
    first.close().await;
    drop(first);
    serve(&place.address).await.close().await;
}

pub async fn tools_work_beside_a_server(place: Arc<Place>) {
    let server = serve(&place.address).await;
    let tool = place.open().await;
    let id = tool.create_game(friendly()).await.expect("kept");
    assert_eq!(server.game(&id).await.expect("kept").id, id);
}

pub async fn the_start_of_a_clock_is_corrected(place: Arc<Place>) {
    let store = place.open().await;
    let game = NewGame { time_control: "60".parse().ok(), ..friendly() };
    let id = store.create_game(game).await.expect("kept");
    let start = async || store.game(&id).await.expect("kept").clock_running_since;
    store.set_clock_start(&id, Version::FIRST, Timestamp(1)).await.expect("nothing to do");
    assert_eq!(start().await, None);
    let m = Position::default().parse_san("e4").expect("legal");
    let since = Some(Timestamp(1_000));
    let played = Played { clock: Some(60_000), clock_running_since: since, ..Played::new(m) };
    let version = store.append(&id, Version::FIRST, &played).await.expect("appended");
    store.set_clock_start(&id, Version::FIRST, Timestamp(2_000)).await.expect("too late");
    assert_eq!(start().await, since);
    store.set_clock_start(&id, version, Timestamp(2_000)).await.expect("corrected");
    assert_eq!(start().await, Some(Timestamp(2_000)));
}

/// A file that is moved away, then deleted.
async fn misses(place: Place, suffix: &str) {
    let store = serve(&place.address).await;
    let id = store.create_game(friendly()).await.expect("kept");
    let first = play(&*store, &id, Version::FIRST).await.expect("appended");
    let (file, aside) =
        (format!("{}{suffix}", place.address), format!("{}{suffix}.aside", place.address));
    std::fs::rename(&file, &aside).expect("moved");
    for attempt in 0..2 {
        let error = play(&*store, &id, first).await.expect_err("it would be lost");
        assert!(matches!(error, StoreError::Moved(_)) || attempt > 0, "{error}");
        let error = store.check().await.expect_err("it isn't there");
        assert!(matches!(error, StoreError::Moved(_)), "{error}");
        let error = store.create_user("Misha").await.expect_err("it would be lost");
        assert!(!matches!(error, StoreError::NotFound(_)), "{error}");
        // A copy isn't the file that is open.
        std::fs::copy(&aside, &file).expect("copied");
    }
    std::fs::rename(&aside, &file).expect("moved back");
    store.check().await.expect("it is back");
    let game = store.game(&id).await.expect("kept");
    play(&*store, &id, game.version).await.expect("appended");
}

#[test]
fn a_database_that_was_deleted_or_replaced_takes_no_writes() {
    runtime().block_on(misses(Place::sqlite(), ""));
}

#[test]
fn a_log_that_was_deleted_or_replaced_takes_no_writes() {
    runtime().block_on(misses(Place::sqlite(), "-wal"));
}

#[test]
fn a_lock_file_that_was_deleted_or_replaced_takes_no_writes() {
    runtime().block_on(misses(Place::sqlite(), ".lock"));
}

#[test]
fn a_move_that_waits_for_a_lock_fails_in_time() {
    Place::postgres().keeps(async |place| {
        let store = serve(&place.address).await;
        let id = store.create_game(friendly()).await.expect("kept");
        let pool = AnyPoolOptions::new().connect(&place.address).await.expect("it is there");
        let mut lock = pool.begin().await.expect("a transaction");
        sqlx::query("LOCK TABLE games").execute(&mut *lock).await.expect("locked");
        let asked = Instant::now();
        let error = play(&*store, &id, Version::FIRST).await.expect_err("it is locked");
        assert!(matches!(error, StoreError::Unavailable(_)), "{error}");
        assert!(asked.elapsed() < Duration::from_secs(4), "{:?}", asked.elapsed());
        lock.rollback().await.expect("nothing was written");
        play(&*store, &id, Version::FIRST).await.expect("appended");
    });
}

/// Waits until the store works again.
async fn recovers(store: &dyn Store) {
    let start = Instant::now();
    while let Err(error) = store.check().await {
        assert!(start.elapsed() < Duration::from_secs(20), "{error}");
        sleep(Duration::from_millis(100)).await;
    }
}

#[test]
fn a_database_that_hangs_or_dies_fails_in_time_and_recovers() {
    let server = Server::start();
    runtime().block_on(async {
        let address = server.fresh_database();
        let store = serve(&address).await;
        let id = store.create_game(friendly()).await.expect("kept");
        let version = play(&*store, &id, Version::FIRST).await.expect("appended");
        let fails = async || {
            // More calls than connections, twice.
            for _ in 0..2 {
                let asked = Instant::now();
                let calls = (0..20).map(|_| async {
                    let error = play(&*store, &id, version).await.expect_err("it hangs");
                    assert!(error.is_outage(), "{error}");
                    let error = store.game(&id).await.expect_err("it hangs");
                    assert!(error.is_outage(), "{error}");
                    let error = store.create_game(friendly()).await.expect_err("it hangs");
                    assert!(error.is_outage(), "{error}");
                });
                futures_util::future::join_all(calls).await;
                assert!(asked.elapsed() < Duration::from_secs(10), "{:?}", asked.elapsed());
            }
        };
        server.pause();
        fails().await;
        server.resume();
        recovers(&*store).await;
        assert_eq!(store.game(&id).await.expect("kept").version, version);
        server.kill();
        fails().await;
        server.restart();
        recovers(&*store).await;
        play(&*store, &id, version).await.expect("appended");
        // It is still the only server.
        let second = store::open_with(&address, &Options::SERVER).await.err();
        assert!(matches!(second, Some(StoreError::InUse(_))), "{second:?}");
        store.close().await;
    });
}
