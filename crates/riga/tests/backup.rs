//! Backups of a running server, and the one server that a database can have.

mod served;

use std::process::{Command, Output};

use serde_json::json;
use served::{Place, Served, Socket};

fn riga(args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_riga"));
    command.args(args).env_remove("RIGA_CONFIG").output().expect("riga runs")
}

/// Runs a command that must fail; returns its error.
fn fails(args: &[&str]) -> String {
    let output = riga(args);
    assert_eq!(output.status.code(), Some(1), "{args:?}");
    String::from_utf8_lossy(&output.stderr).into_owned()
}

async fn backs_up(place: Place) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("riga.backup");
    let file = file.to_str().expect("UTF-8");
    let served = Served::start(&place, &[]);
    let game = json!({ "opponent": { "type": "here", "name": "B" }, "time": "600+1" });
    let (id, seat, _) = served.visitor().begin(&game).await;
    let mut socket = Socket::join(&served.url, &id, Some(&seat)).await.expect("joined");
    socket.play(0, "e4").await;

    let second = fails(&["serve", "--port", "0", "--database", &place.database]);
    assert!(second.contains("another server is using"), "{second}");
    let backup = riga(&["backup", "--database", &place.database, file]);
    assert!(backup.status.success(), "{}", String::from_utf8_lossy(&backup.stderr));
    let again = fails(&["backup", "--database", &place.database, file]);
    assert!(again.contains("--force"), "{again}");
    let running = fails(&["restore", "--force", "--database", &place.database, file]);
    assert!(running.contains("another server is using"), "{running}");
    socket.play(1, "e5").await;

    let other = Place::sqlite();
    let restored = riga(&["restore", "--database", &other.database, file]);
    assert!(restored.status.success(), "{}", String::from_utf8_lossy(&restored.stderr));
    let full = fails(&["restore", "--database", &other.database, file]);
    assert!(full.contains("not empty"), "{full}");
    let restored = Served::start(&other, &[]);
    let game = restored.visitor().get(&format!("/api/games/{id}")).await;
    assert_eq!(game["moves"].as_array().map(Vec::len), Some(1));
    let mut socket = Socket::join(&restored.url, &id, Some(&seat)).await.expect("joined");
    socket.play(1, "c5").await;
}

#[tokio::test]
async fn a_running_server_on_sqlite_is_backed_up() {
    backs_up(Place::sqlite()).await;
}

#[tokio::test]
async fn a_running_server_on_postgresql_is_backed_up() {
    backs_up(tokio::task::spawn_blocking(Place::postgres).await.expect("a database")).await;
}
