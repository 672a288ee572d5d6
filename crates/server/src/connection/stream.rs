//! A TCP connection that doesn't wait forever for a client that has stopped reading.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::{Duration, Instant};

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, ReadBuf};
use tokio::net::TcpStream;
use tokio::runtime::Handle;
use tokio::time::{Sleep, sleep, timeout};

use super::register::Connection;
use crate::bucket::{Bucket, Quota};

/// How long a client may read nothing while there is something to send.
const STALLED: Duration = Duration::from_secs(10);

/// How fast a WebSocket is read. Each frame of a message costs time, and only whole messages are
/// counted elsewhere.
const SOCKET_BYTES: Quota = Quota { per_second: 131_072.0, burst: 262_144.0 };

/// What is read, and for how long, after we have closed a connection.
const LINGER: Duration = Duration::from_secs(1);
const MOST_UNREAD: usize = 1 << 20;

/// A TCP connection. Writing fails after [`STALLED`] without progress.
pub(super) struct Stream {
    /// Present until dropped.
    tcp: Option<TcpStream>,
    connection: Arc<Connection>,
    /// Runs while a write is stuck.
    stalled: Option<Pin<Box<Sleep>>>,
    /// Bytes read from a WebSocket, and the pause after too many.
    read: Bucket,
    pause: Option<Pin<Box<Sleep>>>,
    /// The client has closed its side, or the connection has failed.
    over: bool,
}

impl Stream {
    pub fn new(tcp: TcpStream, connection: Arc<Connection>) -> Self {
        let read = Bucket::empty(Instant::now());
        Self { tcp: Some(tcp), connection, stalled: None, read, pause: None, over: false }
    }

    fn tcp(&mut self) -> Pin<&mut TcpStream> {
        Pin::new(self.tcp.as_mut().expect("it is taken on drop only"))
    }

    /// Lets a write fail that has been stuck for too long.
    fn patient<T>(
        &mut self,
        context: &mut Context<'_>,
        written: Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if let Poll::Ready(written) = written {
            self.stalled = None;
            self.over |= written.is_err();
            return Poll::Ready(written);
        }
        let stalled = self.stalled.get_or_insert_with(|| Box::pin(sleep(STALLED)));
        if stalled.as_mut().poll(context).is_pending() {
            return Poll::Pending;
        }
        self.over = true;
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl AsyncRead for Stream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if let Some(pause) = &mut self.pause {
            ready!(pause.as_mut().poll(context));
            self.pause = None;
        }
        let before = buffer.filled().len();
        let room = buffer.remaining() > 0;
        ready!(self.tcp().poll_read(context, buffer)).inspect_err(|_| self.over = true)?;
        let bytes = buffer.filled().len() - before;
        self.over |= room && bytes == 0;
        if self.connection.is_socket() {
            let pause = self.read.add(bytes as f64, SOCKET_BYTES, Instant::now());
            self.pause = (!pause.is_zero()).then(|| Box::pin(sleep(pause)));
        }
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for Stream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        data: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = self.tcp().poll_write(context, data);
        self.patient(context, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        data: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = self.tcp().poll_write_vectored(context, data);
        self.patient(context, written)
    }

    fn is_write_vectored(&self) -> bool {
        true
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.tcp().poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.tcp().poll_shutdown(context)
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        let Some(tcp) = self.tcp.take() else { return };
        if self.over || self.connection.is_shed() {
            return;
        }
        if let Ok(runtime) = Handle::try_current() {
            runtime.spawn(linger(tcp, Arc::clone(&self.connection)));
        }
    }
}

/// Reads what the client is still sending. If we closed a connection with unread data, the system
/// would reset it, and the client might never see our last message.
async fn linger(mut tcp: TcpStream, connection: Arc<Connection>) {
    let read = async {
        tcp.shutdown().await?;
        let (mut buffer, mut total) = ([0; 1024], 0);
        while total < MOST_UNREAD {
            match tcp.read(&mut buffer).await? {
                0 => break,
                read => total += read,
            }
        }
        io::Result::Ok(())
    };
    tokio::select! {
        // Failing is as good an end as any.
        _ = timeout(LINGER, read) => {}
        () = connection.shed() => {}
    }
}
