//! A socket and its manners: what every conversation has to keep to, whatever it is about.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket, close_code};
use tokio::sync::watch;
use tokio::time::{Instant, Interval, interval, timeout};

use crate::app::App;
use crate::bucket::{Bucket, Quota};
use crate::visitor::Visitor;

/// How often the other end is asked whether it is still there, and for how long it may be silent.
const KEEP_ALIVE: Duration = Duration::from_secs(20);
const SILENCE: Duration = Duration::from_mins(1);

/// How long the other end may take to accept a message.
const SLOW: Duration = Duration::from_secs(10);

/// Messages that a client may send.
const MESSAGES: Quota = Quota { per_second: 20.0, burst: 60.0 };

/// How many messages beyond that are refused before the conversation ends.
const PATIENCE: u32 = 200;

/// A conversation on a socket.
pub(crate) struct Talk {
    socket: WebSocket,
    app: Arc<App>,
    visitor: Visitor,
    /// Messages so far, and how many of them were too many.
    messages: Bucket,
    refused: u32,
    keep_alive: Interval,
    heard: Instant,
    /// Changes when somebody signs out.
    sessions: watch::Receiver<()>,
}

/// What comes from the other end.
pub(crate) enum Heard {
    Text(Utf8Bytes),
    /// One message more than allowed.
    TooFast(Utf8Bytes),
}

/// Why a conversation ends.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// The other end has gone.
    Gone,
    /// We end it, and say why.
    Ours(u16, &'static str),
}

impl End {
    pub const AGAIN: Self = Self::Ours(close_code::AWAY, "connect again");
    pub const REFUSED: Self = Self::Ours(close_code::POLICY, "refused");
    const BINARY: Self = Self::Ours(close_code::UNSUPPORTED, "text only");
    const BABBLE: Self = Self::Ours(close_code::POLICY, "too many messages");
    const SIGNED_OUT: Self = Self::Ours(close_code::POLICY, "signed out");
}

impl Talk {
    pub fn new(app: &Arc<App>, visitor: Visitor, socket: WebSocket) -> Self {
        let heard = Instant::now();
        let (app, messages) = (Arc::clone(app), Bucket::empty(heard.into_std()));
        let (keep_alive, sessions) = (interval(KEEP_ALIVE), app.sessions.subscribe());
        Self { socket, app, visitor, messages, refused: 0, keep_alive, heard, sessions }
    }

    pub fn app(&self) -> &Arc<App> {
        &self.app
    }

    pub fn visitor(&self) -> &Visitor {
        &self.visitor
    }

    /// The next message. May be dropped and called again.
    pub async fn hear(&mut self) -> Result<Heard, End> {
        loop {
            tokio::select! {
                message = self.socket.recv() => {
                    self.heard = Instant::now();
                    match message.and_then(Result::ok).ok_or(End::Gone)? {
                        Message::Text(text) => return self.allow(text),
                        Message::Close(_) => return Err(End::Gone),
                        Message::Binary(_) => return Err(End::BINARY),
                        Message::Ping(_) | Message::Pong(_) => {}
                    }
                }
                _ = self.keep_alive.tick() => {
                    if self.heard.elapsed() > SILENCE {
                        return Err(End::Gone);
                    }
                    self.send(Message::Ping(axum::body::Bytes::new())).await?;
                }
                _ = self.sessions.changed() => {
                    if !self.visitor.is_still_signed_in(&self.app).await {
                        return Err(End::SIGNED_OUT);
                    }
                }
            }
        }
    }

    fn allow(&mut self, text: Utf8Bytes) -> Result<Heard, End> {
        if self.messages.take(MESSAGES, Instant::now().into_std()).is_ok() {
            return Ok(Heard::Text(text));
        }
        self.refused += 1;
        if self.refused > PATIENCE { Err(End::BABBLE) } else { Ok(Heard::TooFast(text)) }
    }

    /// Says something. Who doesn't take it in time has gone.
    pub async fn say(&mut self, text: Utf8Bytes) -> Result<(), End> {
        self.send(Message::Text(text)).await
    }

    async fn send(&mut self, message: Message) -> Result<(), End> {
        let sent = timeout(SLOW, self.socket.send(message)).await;
        sent.ok().and_then(Result::ok).ok_or(End::Gone)
    }

    /// Ends the conversation.
    pub async fn end(mut self, end: End) {
        if let End::Ours(code, reason) = end {
            let frame = CloseFrame { code, reason: Utf8Bytes::from_static(reason) };
            let _ = self.send(Message::Close(Some(frame))).await;
        }
    }
}
