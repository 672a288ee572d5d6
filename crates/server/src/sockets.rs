//! Counts the open game sockets, so that shutdown can wait for the last one.

use tokio::sync::watch;

/// The number of open sockets.
pub(crate) struct Sockets(watch::Sender<usize>);

/// Counts as an open socket until dropped.
pub(crate) struct OpenSocket<'a>(&'a Sockets);

impl Default for Sockets {
    fn default() -> Self {
        Self(watch::Sender::new(0))
    }
}

impl Sockets {
    /// Registers a socket.
    pub fn open(&self) -> OpenSocket<'_> {
        self.0.send_modify(|open| *open += 1);
        OpenSocket(self)
    }

    /// Resolves when no socket is open.
    pub async fn all_closed(&self) {
        let mut open = self.0.subscribe();
        // The sender lives as long as `self`.
        let _ = open.wait_for(|open| *open == 0).await;
    }
}

impl Drop for OpenSocket<'_> {
    fn drop(&mut self) {
        self.0.0.send_modify(|open| *open -= 1);
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::time::timeout;

    use super::*;

    #[tokio::test]
    async fn the_last_socket_is_waited_for() {
        let sockets = Sockets::default();
        sockets.all_closed().await;
        let (first, second) = (sockets.open(), sockets.open());
        drop(first);
        let early = timeout(Duration::from_millis(20), sockets.all_closed()).await;
        assert!(early.is_err(), "one is still open");
        tokio::join!(sockets.all_closed(), async { drop(second) });
    }
}
