//! PostgreSQL connections: those that could block each other, and encrypted ones.

use std::sync::Arc;
use std::time::Duration;

use chess::Position;
use sqlx::Row;
use sqlx::any::AnyPoolOptions;
use store::{Played, StoreError, Version};

use crate::place::{Place, friendly, runtime};
use crate::postgres::Server;

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

#[test]
fn connections_are_encrypted_and_the_server_is_checked() {
    let server = Server::start_with(|folder| {
        let certificate = Server::own_file(folder, "server.pem", include_str!("tls/server.pem"));
        let key = Server::own_file(folder, "server.key", include_str!("tls/server.key"));
        vec![
            "ssl=on".to_owned(),
            format!("ssl_cert_file={certificate}"),
            format!("ssl_key_file={key}"),
        ]
    });
    let folder = tempfile::tempdir().expect("a folder");
    let authority = folder.path().join("authority.pem");
    std::fs::write(&authority, include_str!("tls/authority.pem")).expect("written");
    runtime().block_on(async {
        let database = server.fresh_database();
        let trusting =
            format!("{database}?sslmode=verify-full&sslrootcert={}", authority.display());
        for url in [format!("{database}?sslmode=require"), trusting] {
            let store = store::open(&url).await.expect("it opens");
            store.check().await.expect("it works");
            let pool = AnyPoolOptions::new().connect(&url).await.expect("it opens");
            let used = "SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()";
            let row = sqlx::query(used).fetch_one(&pool).await.expect("a row");
            assert!(row.get::<bool, _>(0), "{url}");
        }
        // The system's authorities don't know the one of this server.
        let error = store::open(&format!("{database}?sslmode=verify-full")).await.err();
        assert!(matches!(error, Some(StoreError::Unavailable(_))), "{error:?}");
    });
}
