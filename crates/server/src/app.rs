//! State shared by all requests.

use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

use engine::book::Book;
use engine::tablebase::Tablebases;
use engine::{Engine, OpeningBook};
use game::Openings;
use store::Store;
use tokio::sync::{Mutex, watch};

use crate::account::Passwords;
use crate::boards::Boards;
use crate::budget::Budgets;
use crate::collections::Collections;
use crate::config::Config;
use crate::connection::Register;
use crate::guard::Limiter;
use crate::metrics::Metrics;
use crate::outage::Outage;
use crate::pool::Pool;
use crate::reviews::Office;
use crate::room::Rooms;
use crate::slots::Slots;
use crate::upload::Uploads;
use crate::wall::Wall;

/// Open sockets per address prefix of a public server: a few people with a few tabs each.
const SOCKETS_PER_PREFIX: usize = 60;

/// State shared by all requests.
pub(crate) struct App {
    pub config: Config,
    pub store: Arc<dyn Store>,
    pub pool: Pool,
    pub office: Office,
    pub rooms: Rooms,
    pub boards: Boards,
    pub connections: Arc<Register>,
    pub sockets: Arc<Slots>,
    pub budgets: Budgets,
    pub passwords: Passwords,
    pub limiter: Limiter,
    pub uploads: Uploads,
    pub openings: Openings,
    pub book: Book,
    pub tables: Tablebases,
    pub collections: Collections,
    pub metrics: Arc<Metrics>,
    pub wall: Wall,
    pub outage: Outage,
    /// Number of games with a running clock; the heartbeat is written while there are any.
    pub clocks: AtomicUsize,
    /// Held while computing ratings, which must happen one game at a time.
    pub rating: Mutex<()>,
    /// Changes on every sign-out, so that sockets check whether their session still exists.
    pub sessions: watch::Sender<()>,
    /// Becomes true when the server is shutting down.
    pub stopping: watch::Sender<bool>,
}

impl App {
    pub fn new(config: Config, store: Arc<dyn Store>) -> Arc<Self> {
        let metrics = Arc::new(Metrics::new());
        let options = config.engine.clone();
        let (tables, messages) = Tablebases::open(&options.syzygy_path);
        for message in messages {
            tracing::warn!(message, "tablebases");
        }
        let book = match &options.book {
            OpeningBook::None | OpeningBook::Own => Book::embedded(),
            OpeningBook::File(path) => Book::open(path).unwrap_or_else(|error| {
                tracing::warn!(%error, path = %path.display(), "book");
                Book::embedded()
            }),
        };
        let make = move || {
            let mut engine = Engine::new(options.clone());
            for message in engine.take_messages() {
                tracing::warn!(message, "engine");
            }
            engine
        };
        let connections = Register::new(&config);
        let wall = Wall::new();
        // A local server has one visitor.
        let is_public = config.public().is_some();
        let most_sockets = connections.most_sockets();
        let per_prefix = if is_public { SOCKETS_PER_PREFIX } else { most_sockets };
        Arc::new(Self {
            pool: Pool::new(config.workers, Arc::clone(&metrics), make),
            office: Office::new(review::own_name(engine::embedded_net().checksum())),
            rooms: Rooms::default(),
            boards: Boards::default(),
            sockets: Slots::new(most_sockets, per_prefix),
            connections,
            budgets: Budgets::new(config.public().map(|public| public.analysis_per_hour)),
            passwords: Passwords::default(),
            limiter: Limiter::new(&config),
            uploads: Uploads::default(),
            openings: Openings::new(),
            book,
            tables,
            collections: Collections::new(config.library.clone()),
            metrics,
            outage: Outage::new(wall.now()),
            wall,
            clocks: AtomicUsize::new(0),
            rating: Mutex::default(),
            sessions: watch::Sender::new(()),
            stopping: watch::Sender::new(false),
            store,
            config,
        })
    }

    /// Resolves when the server is shutting down.
    pub async fn stopped(&self) {
        let mut stopping = self.stopping.subscribe();
        // The sender lives as long as `self`.
        let _ = stopping.wait_for(|stopping| *stopping).await;
    }
}
