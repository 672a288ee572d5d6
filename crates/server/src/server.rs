//! Listening and graceful shutdown.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use store::{Store, Timestamp};
use tokio::net::TcpListener;
use tokio::time::{interval, timeout};

use crate::app::App;
use crate::config::{Config, Mode};
use crate::problem::Failure;
use crate::rating::rate_finished;
use crate::reviews::Crew;
use crate::{connection, outage};

/// Interval of sharing the engine's threads.
const SHARE: Duration = Duration::from_millis(500);

/// Interval of periodic cleanup.
const TIDY: Duration = Duration::from_mins(1);

/// How long guests' unstarted games and finished jobs are kept.
const FORGOTTEN: Duration = Duration::from_hours(7 * 24);

/// Grace period for requests at shutdown.
const PATIENCE: Duration = Duration::from_secs(10);

/// Grace period for closing sockets at shutdown.
const GOODBYE: Duration = Duration::from_secs(2);

/// Why a server can't start or run.
#[derive(Debug, thiserror::Error)]
pub enum ServerError {
    /// A local server is for this machine only.
    #[error("{0} is reachable from other machines, which requires --public")]
    NotLocal(SocketAddr),
    /// Can't listen on the address.
    #[error("can't listen on {address}: {why}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// The cause.
        why: std::io::Error,
    },
    /// The stored games can't be resumed.
    #[error("failed to load the stored games: {0}")]
    Store(String),
    /// An I/O error.
    #[error(transparent)]
    Io(#[from] std::io::Error),
}

/// A listening server.
pub struct Server {
    app: Arc<App>,
    listener: TcpListener,
}

impl Server {
    /// Binds the listener and resumes the games that were live when the last server stopped.
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

    /// The bound address.
    pub fn address(&self) -> SocketAddr {
        self.app.config.address
    }

    /// Serves until `stop` resolves; then stops without losing games and closes all sockets.
    pub async fn run(
        self,
        stop: impl Future<Output = ()> + Send + 'static,
    ) -> Result<(), ServerError> {
        let Self { app, listener } = self;
        let stopping = Arc::clone(&app);
        tokio::spawn(async move {
            stop.await;
            tracing::info!("stopping");
            stopping.stopping.send_replace(true);
        });
        let crew = Crew::start(&app).await;
        if app.config.worker_token.is_some() {
            app.office.measure();
        }
        let chores = tokio::spawn(chores(Arc::clone(&app)));
        let watch = tokio::spawn(outage::watch_store(Arc::clone(&app)));
        let last_pulse = tokio::spawn(last_pulse(Arc::clone(&app)));
        let patience = {
            let app = Arc::clone(&app);
            async move {
                app.stopped().await;
                tokio::time::sleep(PATIENCE).await;
            }
        };
        tokio::select! {
            () = connection::serve(&app, listener) => {}
            () = patience => tracing::warn!("requests unfinished at shutdown"),
        }
        chores.abort();
        watch.abort();
        let _ = last_pulse.await;
        if timeout(GOODBYE, app.sockets.all_free()).await.is_err() {
            tracing::warn!("sockets not closed at shutdown");
        }
        let pool = Arc::clone(&app);
        let closed = tokio::task::spawn_blocking(move || {
            crew.join();
            pool.pool.close();
        });
        if timeout(PATIENCE, closed).await.is_err() {
            tracing::warn!("engine did not stop in time");
        }
        app.store.close().await;
        Ok(())
    }
}

/// Records when the server stops: from then on nobody can move, so no clock may run. Moves are on
/// disk already; this makes the clocks exact.
async fn last_pulse(app: Arc<App>) {
    app.stopped().await;
    if let Err(error) = outage::beat(&app).await {
        tracing::error!(%error, "failed to write the last heartbeat");
    }
}

async fn take_up(app: &Arc<App>) -> Result<(), Failure> {
    app.store.wake(app.wall.now()).await?;
    app.store.purge_sessions().await?;
    rate_finished(app).await;
    app.rooms.wake(app).await
}

/// Unstarted games and finished jobs older than this are deleted.
fn forgotten(app: &App) -> Timestamp {
    Timestamp(app.wall.now().0 - FORGOTTEN.as_millis() as i64)
}

/// Runs periodic tasks.
async fn chores(app: Arc<App>) {
    let (mut share, mut tidy) = (interval(SHARE), interval(TIDY));
    let stopped = app.stopped();
    tokio::pin!(stopped);
    loop {
        tokio::select! {
            biased;
            () = &mut stopped => return,
            _ = share.tick() => app.pool.share(),
            _ = tidy.tick() => {
                app.rooms.tidy();
                app.limiter.tidy();
                app.office.tidy();
                if let Err(error) = app.store.purge_sessions().await {
                    tracing::error!(%error, "failed to purge sessions");
                }
                if let Err(error) = app.store.purge_games(forgotten(&app)).await {
                    tracing::error!(%error, "failed to purge abandoned games");
                }
                if let Err(error) = app.store.purge_jobs(forgotten(&app)).await {
                    tracing::error!(%error, "failed to purge finished reviews");
                }
            }
        }
    }
}
