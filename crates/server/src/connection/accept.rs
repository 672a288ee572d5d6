//! Accepting connections, and their requests until the server stops.

use std::io;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use super::body::{BusyBody, Exchange, TimedBody};
use super::register::Connection;
use super::stream::Stream;
use crate::app::App;
use crate::routes;

/// Timeout for a request's head, and for the next request on the same connection. A proxy has its
/// own timeouts, and should be the one that closes an idle connection: if we did, it could just be
/// sending a request.
const HEAD: Duration = Duration::from_secs(10);
const HEAD_FROM_PROXY: Duration = Duration::from_secs(75);

/// Maximum size of the buffers of a connection, and so of a request's head.
const LARGEST_BUFFER: usize = 96 << 10;

/// Pause when the system can't accept a connection.
const PAUSE: Duration = Duration::from_millis(50);

/// At shutdown, how long a connection may take to notice that it has nothing to do.
const GOODBYE: Duration = Duration::from_secs(1);

/// Accepts connections until the server stops, and waits for the last response.
pub(crate) async fn serve(app: &Arc<App>, listener: TcpListener) {
    let router = routes::router(app);
    let mut tasks = JoinSet::new();
    let mut stopped = pin!(app.stopped());
    loop {
        let accepted = tokio::select! {
            biased;
            () = &mut stopped => break,
            Some(_) = tasks.join_next() => continue,
            accepted = listener.accept() => accepted,
        };
        match accepted {
            Ok((tcp, peer)) => {
                let Some(connection) = app.connections.enter(peer).await else { continue };
                tasks.spawn(converse(Arc::clone(app), router.clone(), tcp, connection));
            }
            Err(error) if is_theirs(&error) => {}
            Err(error) => {
                // The process or the system has no file descriptor left.
                tracing::error!(%error, "failed to accept a connection");
                app.connections.shed();
                sleep(PAUSE).await;
            }
        }
    }
    drop(listener);
    while tasks.join_next().await.is_some() {}
}

/// Whether only this one connection has failed.
fn is_theirs(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::ConnectionAborted
            | io::ErrorKind::ConnectionRefused
            | io::ErrorKind::ConnectionReset
    )
}

/// Answers the requests of a connection until it closes, gives way or the server stops.
async fn converse(app: Arc<App>, router: Router, tcp: TcpStream, connection: Arc<Connection>) {
    // A move is a small packet that must not be delayed by Nagle's algorithm.
    if let Err(error) = tcp.set_nodelay(true) {
        tracing::debug!(%error, "failed to set TCP_NODELAY");
    }
    let io = TokioIo::new(Stream::new(tcp, Arc::clone(&connection)));
    let router = TowerToHyperService::new(router);
    let service = service_fn(|request: hyper::Request<Incoming>| {
        let exchange = Exchange::new(&connection);
        let mut request: Request = request.map(|body| TimedBody::wrap(body, &exchange));
        request.extensions_mut().insert(Arc::clone(&connection));
        let answer = router.call(request);
        async {
            Ok::<_, std::convert::Infallible>(
                answer.await?.map(|body| BusyBody::new(body, exchange)),
            )
        }
    });
    let proxied = app.config.public().is_some_and(|public| public.behind_proxy);
    let http = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(if proxied { HEAD_FROM_PROXY } else { HEAD })
        .max_buf_size(LARGEST_BUFFER)
        .serve_connection(io, service)
        .with_upgrades();
    let mut http = pin!(http);
    tokio::select! {
        // How a connection fails doesn't matter to anyone but its client.
        _ = http.as_mut() => return,
        () = connection.shed() => return,
        () = app.stopped() => http.as_mut().graceful_shutdown(),
    }
    if timeout(GOODBYE, http.as_mut()).await.is_err() && connection.is_busy() {
        let _ = http.await;
    }
}
