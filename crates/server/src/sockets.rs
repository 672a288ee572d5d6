//! The open sockets: how many there may be, and when the last one has closed.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::Arc;

use tokio::sync::watch;

use crate::guard::address_prefix;
use crate::problem::{Failure, Kind, Result};

/// Open sockets per address prefix of a public server: a few people with a few tabs each.
const MOST_PER_PREFIX: usize = 60;

/// The open sockets.
pub(crate) struct Sockets {
    most: usize,
    most_per_prefix: usize,
    open: watch::Sender<Open>,
}

#[derive(Default)]
struct Open {
    total: usize,
    by_prefix: HashMap<IpAddr, usize>,
}

/// Counts as an open socket until dropped.
pub(crate) struct OpenSocket {
    sockets: Arc<Sockets>,
    prefix: IpAddr,
}

impl Sockets {
    /// At most `most` sockets in all. On a public server, address prefixes have a limit, too.
    pub fn new(most: usize, is_public: bool) -> Arc<Self> {
        let most_per_prefix = if is_public { MOST_PER_PREFIX } else { most };
        Arc::new(Self { most, most_per_prefix, open: watch::Sender::default() })
    }

    /// Registers a socket, unless there are too many.
    pub fn open(self: &Arc<Self>, address: IpAddr) -> Result<OpenSocket> {
        let prefix = address_prefix(address);
        let mut refused = None;
        self.open.send_if_modified(|open| {
            let of_prefix = open.by_prefix.get(&prefix).copied().unwrap_or_default();
            refused = if of_prefix >= self.most_per_prefix {
                Some(Failure::new(Kind::TooManyRequests, "too many open connections"))
            } else if open.total >= self.most {
                Some(Failure::new(Kind::Busy, "the server has too many connections"))
            } else {
                None
            };
            if refused.is_none() {
                open.total += 1;
                open.by_prefix.insert(prefix, of_prefix + 1);
            }
            refused.is_none()
        });
        match refused {
            Some(refused) => Err(refused),
            None => Ok(OpenSocket { sockets: Arc::clone(self), prefix }),
        }
    }

    /// Resolves when no socket is open.
    pub async fn all_closed(&self) {
        let mut open = self.open.subscribe();
        // The sender lives as long as `self`.
        let _ = open.wait_for(|open| open.total == 0).await;
    }
}

impl Drop for OpenSocket {
    fn drop(&mut self) {
        self.sockets.open.send_modify(|open| {
            open.total -= 1;
            if let Some(of_prefix) = open.by_prefix.get_mut(&self.prefix) {
                *of_prefix -= 1;
                if *of_prefix == 0 {
                    open.by_prefix.remove(&self.prefix);
                }
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::time::timeout;

    use super::*;

    const A: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(1, 2, 3, 4));
    const B: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(1, 2, 3, 5));

    #[tokio::test]
    async fn the_last_socket_is_waited_for() {
        let sockets = Sockets::new(2, false);
        sockets.all_closed().await;
        let [first, second] = [A, B].map(|address| sockets.open(address).expect("there is room"));
        drop(first);
        let early = timeout(Duration::from_millis(20), sockets.all_closed()).await;
        assert!(early.is_err(), "one is still open");
        tokio::join!(sockets.all_closed(), async { drop(second) });
    }

    #[test]
    fn sockets_of_an_address_prefix_are_counted_until_they_close() {
        let sockets = Sockets::new(1000, true);
        let mut open: Vec<OpenSocket> =
            (0..MOST_PER_PREFIX).map(|_| sockets.open(A).expect("few are open")).collect();
        assert!(sockets.open(A).is_err());
        sockets.open(B).expect("another prefix");
        open.pop();
        sockets.open(A).expect("one has closed");
        drop(open);
        assert!(sockets.open.borrow().by_prefix.is_empty());
    }

    #[test]
    fn there_is_a_limit_for_everyone() {
        let sockets = Sockets::new(2, false);
        let _open = [A, B].map(|address| sockets.open(address).expect("there is room"));
        assert!(sockets.open(A).is_err() && sockets.open(B).is_err());
    }
}
