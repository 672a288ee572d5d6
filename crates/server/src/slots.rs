//! Limits on open sockets, in all and per address prefix.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::Arc;

use tokio::sync::watch;

use crate::guard::address_prefix;
use crate::problem::{Failure, Kind, Result};

/// A number of slots.
pub(crate) struct Slots {
    most: usize,
    most_per_prefix: usize,
    taken: watch::Sender<Taken>,
}

#[derive(Default)]
struct Taken {
    total: usize,
    by_prefix: HashMap<IpAddr, usize>,
}

/// A slot, taken until dropped.
pub(crate) struct Slot {
    slots: Arc<Slots>,
    prefix: IpAddr,
}

impl Slots {
    pub fn new(most: usize, most_per_prefix: usize) -> Arc<Self> {
        Arc::new(Self { most, most_per_prefix, taken: watch::Sender::default() })
    }

    /// Takes a slot for an address, if there is one.
    pub fn take(self: &Arc<Self>, address: IpAddr) -> Result<Slot> {
        let prefix = address_prefix(address);
        let mut refused = None;
        self.taken.send_if_modified(|taken| {
            let of_prefix = taken.by_prefix.get(&prefix).copied().unwrap_or_default();
            refused = if taken.total >= self.most {
                Some(Failure::new(Kind::Busy, "the server has too many connections"))
            } else if of_prefix >= self.most_per_prefix {
                Some(Failure::new(Kind::TooManyRequests, "you have too many connections"))
            } else {
                None
            };
            if refused.is_none() {
                taken.total += 1;
                taken.by_prefix.insert(prefix, of_prefix + 1);
            }
            refused.is_none()
        });
        match refused {
            Some(refused) => Err(refused),
            None => Ok(Slot { slots: Arc::clone(self), prefix }),
        }
    }

    /// Resolves when no slot is taken.
    pub async fn all_free(&self) {
        let mut taken = self.taken.subscribe();
        // The sender lives as long as `self`.
        let _ = taken.wait_for(|taken| taken.total == 0).await;
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        self.slots.taken.send_modify(|taken| {
            taken.total -= 1;
            if let Some(of_prefix) = taken.by_prefix.get_mut(&self.prefix) {
                *of_prefix -= 1;
                if *of_prefix == 0 {
                    taken.by_prefix.remove(&self.prefix);
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
    async fn the_last_slot_is_waited_for() {
        let slots = Slots::new(2, 2);
        slots.all_free().await;
        let [first, second] = [A, B].map(|address| slots.take(address).expect("there is room"));
        drop(first);
        let early = timeout(Duration::from_millis(20), slots.all_free()).await;
        assert!(early.is_err(), "one is still taken");
        tokio::join!(slots.all_free(), async { drop(second) });
    }

    #[test]
    fn slots_of_an_address_prefix_are_counted_until_they_are_free() {
        let slots = Slots::new(100, 3);
        let mut taken: Vec<Slot> = (0..3).map(|_| slots.take(A).expect("few are taken")).collect();
        let refused = slots.take(A).err().expect("too many");
        assert_eq!(refused.kind, Kind::TooManyRequests);
        slots.take(B).expect("another prefix");
        taken.pop();
        slots.take(A).expect("one is free");
        drop(taken);
        assert!(slots.taken.borrow().by_prefix.is_empty());
    }

    #[test]
    fn there_is_a_limit_for_everyone() {
        let slots = Slots::new(2, 2);
        let _taken = [A, B].map(|address| slots.take(address).expect("there is room"));
        assert_eq!(slots.take(B).err().expect("too many").kind, Kind::Busy);
    }
}
