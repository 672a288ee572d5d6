//! Listening, and stopping in good order.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use axum::serve::ListenerExt;
use store::{Store, Timestamp};
use tokio::net::TcpListener;
use tokio::time::{interval, timeout};

use crate::app::App;
use crate::config::{Config, Mode};
use crate::problem::Failure;
use crate::rating::rate_finished;
use crate::routes;

/// How often the server notes that it is alive. So much a clock may be wrong after a crash.
const PULSE: Duration = Duration::from_millis(500);

/// How often what is no longer used is put away.
const TIDY: Duration = Duration::from_mins(1);

/// For how long a game of guests is kept that nobody has begun.
const FORGOTTEN: Duration = Duration::from_hours(7 * 24);

/// How long requests may take when the server is to stop.
const PATIENCE: Duration = Duration::from_secs(10);

/// How long sockets may take to hear that the server stops.
const GOODBYE: Duration = Duration::from_secs(2);

/// Why a server can't serve.
#[derive(Debug, thiserror::Error)]
pub enum ServerError {
    /// A local server is for this machine only.
    #[error("{0} can be reached from other machines; a server for others needs accounts: --public")]
    NotLocal(SocketAddr),
    /// The address can't be used.
    #[error("can't listen on {address}: {why}")]
    Listen {
        /// Which address.
        address: SocketAddr,
        /// Why not.
        why: std::io::Error,
    },
    /// The games of before can't be taken up again.
    #[error("the games can't be read: {0}")]
    Store(String),
    /// The system has failed.
    #[error(transparent)]
    Io(#[from] std::io::Error),
}

/// A server that listens.
pub struct Server {
    app: Arc<App>,
    listener: TcpListener,
}

impl Server {
    /// Listens, and takes up the games that were being played when the last server stopped.
    pub async fn bind(mut config: Config, store: Arc<dyn Store>) -> Result<Self, ServerError> {
        let address = config.address;
        if matches!(config.mode, Mode::Local) && !address.ip().is_loopback() {
            return Err(ServerError::NotLocal(address));
        }
        let listener = TcpListener::bind(address).await;
        let listener = listener.map_err(|why| ServerError::Listen { address, why })?;
        config.address = listener.local_addr()?;
        let app = App::new(config, store);
        take_up(&app).await.map_err(|failure| ServerError::Store(failure.detail))?;
        Ok(Self { app, listener })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.app.config.address
    }

    /// Serves until `stop` resolves; then no game is lost, and all sockets are told.
    pub async fn run(
        self,
        stop: impl Future<Output = ()> + Send + 'static,
    ) -> Result<(), ServerError> {
        let Self { app, listener } = self;
        let service = routes::router(&app).into_make_service_with_connect_info::<SocketAddr>();
        let stopping = Arc::clone(&app);
        // A move is a small packet that must not wait for another one.
        let listener = listener.tap_io(|connection| {
            if let Err(error) = connection.set_nodelay(true) {
                tracing::warn!(%error, "packets may be late");
            }
        });
        let served = axum::serve(listener, service).with_graceful_shutdown(async move {
            stop.await;
            tracing::info!("stopping");
            stopping.stopping.send_replace(true);
        });
        let chores = tokio::spawn(chores(Arc::clone(&app)));
        let last_pulse = tokio::spawn(last_pulse(Arc::clone(&app)));
        let patience = {
            let app = Arc::clone(&app);
            async move {
                app.stopped().await;
                tokio::time::sleep(PATIENCE).await;
            }
        };
        tokio::select! {
            served = served => served?,
            () = patience => tracing::warn!("some requests were not done in time"),
        }
        // Both end when the server stops, unless listening itself has failed.
        chores.abort();
        if app.is_stopping() {
            let _ = last_pulse.await;
        }
        if timeout(GOODBYE, app.sockets.all_closed()).await.is_err() {
            tracing::warn!("some sockets were not closed in time");
        }
        let pool = Arc::clone(&app);
        let closed = tokio::task::spawn_blocking(move || pool.pool.close());
        if timeout(PATIENCE, closed).await.is_err() {
            tracing::warn!("the engine did not stop in time");
        }
        app.store.close().await;
        Ok(())
    }
}

/// Notes when the server stops: from then on nobody can move, so that no clock may run. Moves are on disk
/// already; this makes the clocks exact.
async fn last_pulse(app: Arc<App>) {
    app.stopped().await;
    if let Err(error) = app.store.beat(app.wall.now()).await {
        tracing::error!(%error, "the last pulse is missing");
    }
}

async fn take_up(app: &Arc<App>) -> Result<(), Failure> {
    app.store.wake(app.wall.now()).await?;
    app.store.purge_sessions().await?;
    rate_finished(app).await;
    app.rooms.wake(app).await
}

/// Before when nobody remembers.
fn forgotten(app: &App) -> Timestamp {
    Timestamp(app.wall.now().0 - FORGOTTEN.as_millis() as i64)
}

/// What has to be done all the time.
async fn chores(app: Arc<App>) {
    let (mut pulse, mut tidy) = (interval(PULSE), interval(TIDY));
    let stopped = app.stopped();
    tokio::pin!(stopped);
    loop {
        tokio::select! {
            biased;
            () = &mut stopped => return,
            _ = pulse.tick() => {
                app.pool.share();
                let runs = app.clocks.load(Ordering::Relaxed) > 0;
                if runs && let Err(error) = app.store.beat(app.wall.now()).await {
                    tracing::error!(%error, "no pulse");
                }
            }
            _ = tidy.tick() => {
                app.rooms.tidy();
                app.limiter.tidy();
                if let Err(error) = app.store.purge_sessions().await {
                    tracing::error!(%error, "old sessions stay");
                }
                if let Err(error) = app.store.purge_games(forgotten(&app)).await {
                    tracing::error!(%error, "games that nobody plays stay");
                }
            }
        }
    }
}
