//! A WebSocket with keep-alive, timeouts and message limits, whatever its protocol.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket, WebSocketUpgrade, close_code};
use axum::response::Response;
use tokio::sync::watch;
use tokio::time::{Instant, Interval, interval, sleep, timeout};
use tokio_tungstenite::tungstenite;

use crate::app::App;
use crate::bucket::{Bucket, Quota};
use crate::problem::{self, Failure, Kind};
use crate::visitor::Visitor;

/// Interval of pings, and the maximum silence of the client.
const KEEP_ALIVE: Duration = Duration::from_secs(20);
const SILENCE: Duration = Duration::from_mins(1);

/// Pause after the store has failed to look up a session.
const ASK_AGAIN: Duration = Duration::from_secs(1);

/// Timeout for sending a message.
const SLOW: Duration = Duration::from_secs(10);

/// Rate limit of client messages, including pings and pongs.
const MESSAGES: Quota = Quota { per_second: 20.0, burst: 60.0 };

/// Number of rejected messages after which the connection is closed.
const PATIENCE: u32 = 200;

/// The read buffer of a socket, and how much may wait to be sent: one message, and the longest is the
/// state of a very long game.
const READ_BUFFER: usize = 2 << 10;
const LARGEST_WRITE_BUFFER: usize = 4 << 20;

/// Opens a WebSocket, unless the visitor has too many.
pub(crate) fn open<F: Future<Output = ()> + Send + 'static>(
    app: &App,
    visitor: &Visitor,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
    largest_message: usize,
    serve: impl FnOnce(WebSocket) -> F + Send + 'static,
) -> problem::Result<Response> {
    let unfit = |rejection: WebSocketUpgradeRejection| {
        Failure::new(Kind::InvalidRequest, rejection.body_text())
    };
    let upgrade = upgrade.map_err(unfit)?;
    let upgrade = upgrade
        .read_buffer_size(READ_BUFFER)
        .write_buffer_size(0)
        .max_write_buffer_size(LARGEST_WRITE_BUFFER)
        .max_frame_size(largest_message)
        .max_message_size(largest_message);
    let (open, busy) = (app.sockets.take(visitor.address)?, visitor.connection.upgrade());
    Ok(upgrade.on_upgrade(move |socket| async move {
        serve(socket).await;
        drop((open, busy));
    }))
}

/// A WebSocket connection.
pub(crate) struct Talk {
    socket: WebSocket,
    app: Arc<App>,
    visitor: Visitor,
    /// Rate limit state, and the number of rejected messages.
    messages: Bucket,
    refused: u32,
    keep_alive: Interval,
    heard: Instant,
    /// Changes on every sign-out.
    sessions: watch::Receiver<()>,
    /// Whether the session may have ended: at first, since that can happen while the socket is being
    /// opened, and after every sign-out until the session has been found.
    unsure: bool,
}

/// A received message.
pub(crate) enum Heard {
    Text(Utf8Bytes),
    /// A message beyond the rate limit.
    TooFast(Utf8Bytes),
}

/// Why a connection ends.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// The client has disconnected.
    Gone,
    /// We close it, with this code and reason.
    Ours(u16, &'static str),
}

impl End {
    pub const AGAIN: Self = Self::Ours(close_code::AWAY, "reconnect");
    pub const REFUSED: Self = Self::Ours(close_code::POLICY, "refused");
    const TOO_LARGE: Self = Self::Ours(close_code::SIZE, "message too large");
    const BINARY: Self = Self::Ours(close_code::UNSUPPORTED, "text only");
    const FLOOD: Self = Self::Ours(close_code::POLICY, "too many messages");
    const SIGNED_OUT: Self = Self::Ours(close_code::POLICY, "signed out");
}

impl Talk {
    pub fn new(app: &Arc<App>, visitor: Visitor, socket: WebSocket) -> Self {
        let heard = Instant::now();
        let (app, messages) = (Arc::clone(app), Bucket::empty(heard.into_std()));
        let (keep_alive, sessions) = (interval(KEEP_ALIVE), app.sessions.subscribe());
        Self {
            socket,
            app,
            visitor,
            messages,
            refused: 0,
            keep_alive,
            heard,
            sessions,
            unsure: true,
        }
    }

    pub fn app(&self) -> &Arc<App> {
        &self.app
    }

    pub fn visitor(&self) -> &Visitor {
        &self.visitor
    }

    /// The next message. Cancel safe.
    pub async fn hear(&mut self) -> Result<Heard, End> {
        loop {
            tokio::select! {
                message = self.socket.recv() => {
                    self.heard = Instant::now();
                    let message = message.ok_or(End::Gone)?.map_err(|error| broken(&error))?;
                    let allowed = self.count()?;
                    match message {
                        Message::Text(text) if allowed => return Ok(Heard::Text(text)),
                        Message::Text(text) => return Ok(Heard::TooFast(text)),
                        Message::Close(_) => return Err(End::Gone),
                        Message::Binary(_) => return Err(End::BINARY),
                        // The library answers pings.
                        Message::Ping(_) | Message::Pong(_) => {}
                    }
                }
                _ = self.keep_alive.tick() => {
                    if self.heard.elapsed() > SILENCE {
                        return Err(End::Gone);
                    }
                    self.send(Message::Ping(axum::body::Bytes::new())).await?;
                }
                _ = self.sessions.changed(), if !self.unsure => self.unsure = true,
                signed_in = still_signed_in(&self.visitor, &self.app), if self.unsure => {
                    if !signed_in {
                        return Err(End::SIGNED_OUT);
                    }
                    self.unsure = false;
                }
            }
        }
    }

    /// Counts a message. Returns whether it is within the rate limit.
    fn count(&mut self) -> Result<bool, End> {
        if self.messages.take(MESSAGES, Instant::now().into_std()).is_ok() {
            return Ok(true);
        }
        self.refused += 1;
        if self.refused > PATIENCE { Err(End::FLOOD) } else { Ok(false) }
    }

    /// Sends a message. A client that doesn't accept it in time counts as disconnected.
    pub async fn say(&mut self, text: Utf8Bytes) -> Result<(), End> {
        self.send(Message::Text(text)).await
    }

    async fn send(&mut self, message: Message) -> Result<(), End> {
        let sent = timeout(SLOW, self.socket.send(message)).await;
        sent.ok().and_then(Result::ok).ok_or(End::Gone)
    }

    /// Closes the connection.
    pub async fn end(mut self, end: End) {
        if let End::Ours(code, reason) = end {
            let frame = CloseFrame { code, reason: Utf8Bytes::from_static(reason) };
            let _ = self.send(Message::Close(Some(frame))).await;
        }
    }
}

/// How a connection ends on which nothing more can be read.
fn broken(error: &axum::Error) -> End {
    let source = std::error::Error::source(error);
    match source.and_then(|source| source.downcast_ref()) {
        Some(tungstenite::Error::Capacity(_)) => End::TOO_LARGE,
        _ => End::Gone,
    }
}

/// Whether the visitor's session still exists, as soon as the store can tell.
async fn still_signed_in(visitor: &Visitor, app: &App) -> bool {
    loop {
        match visitor.is_still_signed_in(app).await {
            Ok(signed_in) => return signed_in,
            Err(error) => tracing::warn!(%error, "failed to look up a session"),
        }
        sleep(ASK_AGAIN).await;
    }
}
