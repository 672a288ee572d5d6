//! Bodies on a connection: requests must arrive in time, and keep it busy until they are answered.

use std::pin::Pin;
use std::sync::{Arc, OnceLock};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::Body;
use hyper::body::{Body as HttpBody, Bytes, Frame, Incoming, SizeHint};
use tokio::time::{Instant, Sleep, sleep_until};

use super::register::{Busy, Connection};

/// Time to wait for a request body, besides that for its size.
const GRACE: Duration = Duration::from_secs(10);

/// The slowest upload in bytes per second.
const SLOWEST: u32 = 4 << 10;

/// A request and its response. It keeps the connection busy from the moment the whole request has
/// arrived, or is rejected, until the response has been sent.
pub(super) struct Exchange {
    connection: Arc<Connection>,
    busy: OnceLock<Busy>,
}

impl Exchange {
    pub fn new(connection: &Arc<Connection>) -> Arc<Self> {
        Arc::new(Self { connection: Arc::clone(connection), busy: OnceLock::new() })
    }

    fn arrived(&self) {
        self.busy.get_or_init(|| self.connection.busy());
    }
}

/// The body of a request. Reading it fails if it arrives too slowly.
pub(super) struct TimedBody {
    body: Incoming,
    exchange: Arc<Exchange>,
    received: u32,
    /// How long we have waited for it in all.
    waited: Duration,
    waiting: Option<Waiting>,
}

struct Waiting {
    since: Instant,
    timeout: Pin<Box<Sleep>>,
}

/// The request body is too slow.
#[derive(Debug, thiserror::Error)]
#[error("it arrived too slowly")]
struct TooSlow;

impl TimedBody {
    /// A request body to pass on. An empty one needs no time.
    pub fn wrap(body: Incoming, exchange: &Arc<Exchange>) -> Body {
        if body.is_end_stream() {
            exchange.arrived();
            return Body::empty();
        }
        let exchange = Arc::clone(exchange);
        Body::new(Self { body, exchange, received: 0, waited: Duration::ZERO, waiting: None })
    }
}

impl Drop for TimedBody {
    fn drop(&mut self) {
        self.exchange.arrived();
    }
}

/// How much longer to wait, having waited and received this much.
fn left(waited: Duration, received: u32) -> Duration {
    (GRACE + Duration::from_secs(1) * received / SLOWEST).saturating_sub(waited)
}

impl HttpBody for TimedBody {
    type Data = Bytes;
    type Error = axum::BoxError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::BoxError>>> {
        if let Poll::Ready(frame) = Pin::new(&mut self.body).poll_frame(context) {
            if let Some(waiting) = self.waiting.take() {
                self.waited += waiting.since.elapsed();
            }
            if frame.is_none() {
                self.exchange.arrived();
            }
            let data = frame.as_ref().and_then(|frame| frame.as_ref().ok()?.data_ref());
            self.received = self.received.saturating_add(data.map_or(0, Bytes::len) as u32);
            return Poll::Ready(frame.map(|frame| frame.map_err(Into::into)));
        }
        let left = left(self.waited, self.received);
        let waiting = self.waiting.get_or_insert_with(|| {
            let since = Instant::now();
            Waiting { since, timeout: Box::pin(sleep_until(since + left)) }
        });
        waiting.timeout.as_mut().poll(context).map(|()| Some(Err(TooSlow.into())))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// The body of a response, which ends its exchange.
pub(super) struct BusyBody {
    body: Body,
    _exchange: Arc<Exchange>,
}

impl BusyBody {
    pub fn new(body: Body, exchange: Arc<Exchange>) -> Self {
        exchange.arrived();
        Self { body, _exchange: exchange }
    }
}

impl HttpBody for BusyBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_byte_received_gives_more_time() {
        assert_eq!(left(Duration::ZERO, 0), GRACE);
        assert_eq!(left(Duration::from_secs(11), 0), Duration::ZERO);
        assert_eq!(left(Duration::from_secs(11), 8 << 10), Duration::from_secs(1));
        assert_eq!(left(Duration::ZERO, 32 << 20), GRACE + Duration::from_secs(8 << 10));
    }
}
