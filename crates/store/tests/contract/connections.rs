//! PostgreSQL connections that could block each other.

use std::sync::Arc;
use std::time::Duration;

use chess::Position;
use sqlx::any::AnyPoolOptions;
use store::{Played, Version};

use crate::place::{Place, friendly};

#[test]
fn slow_reads_do_not_hold_up_moves() {
    Place::postgres().keeps(async |place| {
        let store = place.open().await;
        let pool = AnyPoolOptions::new().connect(&place.address).await.expect("it is there");
        let mut lock = pool.begin().await.expect("a transaction");
        sqlx::query("LOCK TABLE jobs").execute(&mut *lock).await.expect("locked");
        let readers: Vec<_> = (0..30)
            .map(|_| {
                let store = Arc::clone(&store);
                tokio::spawn(async move { store.count_jobs().await })
            })
            .collect();
        tokio::time::sleep(Duration::from_millis(200)).await;
        let id = store.create_game(friendly()).await.expect("kept");
        let e4 = Position::default().parse_san("e4").expect("legal");
        store.append(&id, Version::FIRST, &Played::new(e4)).await.expect("appended");
        assert!(readers.iter().all(|reader| !reader.is_finished()));
        lock.rollback().await.expect("nothing was written");
        for reader in readers {
            reader.await.expect("no panic").expect("read");
        }
    });
}
