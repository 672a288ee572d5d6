//! A fresh database for each test.

use std::future::Future;
use std::sync::Arc;

use chess::{Line, Position};
use game::pgn::Reader;
use game::{Game, Level};
use sqlx::any::AnyPoolOptions;
use store::{NewGame, Player, Store, User};
use tempfile::TempDir;

use crate::postgres;

/// The database of a test.
pub struct Place {
    pub address: String,
    /// Deleted with its database.
    _folder: Option<TempDir>,
}

impl Place {
    pub fn sqlite() -> Self {
        let folder = tempfile::tempdir().expect("a folder for the test");
        // The store creates the directory, whatever its name.
        let path = folder.path().join("100% new ?#'\" \u{265e}").join("riga.db");
        let address = path.to_str().expect("the path is UTF-8").to_owned();
        Self { address, _folder: Some(folder) }
    }

    pub fn postgres() -> Self {
        Self { address: postgres::fresh_database(), _folder: None }
    }

    /// Runs a test.
    pub fn keeps<F: Future<Output = ()>>(self, promise: impl FnOnce(Arc<Self>) -> F) {
        runtime().block_on(promise(Arc::new(self)));
    }

    pub async fn open(&self) -> Arc<dyn Store> {
        store::open(&self.address).await.expect("the database opens")
    }

    /// Runs SQL directly, bypassing the store.
    pub async fn tamper(&self, sql: &'static str) {
        sqlx::any::install_default_drivers();
        let address = if self.address.starts_with("postgres:") {
            self.address.clone()
        } else {
            let encoded = self.address.bytes().map(|byte| format!("%{byte:02X}"));
            format!("sqlite://{}", encoded.collect::<String>())
        };
        let pool = AnyPoolOptions::new().max_connections(1).connect(&address).await;
        let pool = pool.expect("the database opens");
        sqlx::query(sql).execute(&pool).await.expect("the statement runs");
        pool.close().await;
    }
}

pub fn runtime() -> tokio::runtime::Runtime {
    let builder = &mut tokio::runtime::Builder::new_multi_thread();
    builder.worker_threads(2).enable_all().build().expect("a runtime")
}

pub fn guest(name: &str) -> Player {
    Player::Guest { name: name.to_owned() }
}

pub fn player(user: &User) -> Player {
    Player::User { id: user.id, name: user.name.clone() }
}

pub const LEVEL_3: Player =
    Player::Engine { level: Level::new(3).expect("there are ten"), rating: 1250 };

/// A game between two guests.
pub fn friendly() -> NewGame {
    NewGame::live(Position::default(), guest("Anna"), guest("Boris"))
}

pub fn line(moves: &str) -> Line {
    let mut line = Line::default();
    for text in moves.split_whitespace() {
        let m = line.position().parse_san(text).expect("a legal move");
        line.play(m).expect("a legal move");
    }
    line
}

/// The games of a PGN.
pub fn read(pgn: &str) -> Vec<Game> {
    Reader::new(pgn.as_bytes()).games().collect::<Result<_, _>>().expect("the PGN is sound")
}
