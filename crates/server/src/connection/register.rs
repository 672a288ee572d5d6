//! The open connections: how many there may be, and which one gives way to a new one.

use std::collections::{BTreeMap, HashMap};
use std::net::{IpAddr, SocketAddr};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::timeout;

use super::descriptors;
use crate::config::Config;
use crate::guard::address_prefix;

/// Connections per address prefix: those of a few people, and all their sockets.
const MOST_PER_PREFIX: usize = 128;

/// How long a new connection waits for another to close.
const SOON: Duration = Duration::from_millis(200);

/// Open files that are left for everything else: the database, tablebases, the listener.
const fn reserved(files: usize) -> usize {
    let quarter = files / 4;
    if quarter < 256 { quarter } else { 256 }
}

/// The open connections.
#[derive(Debug)]
pub(crate) struct Register {
    most: usize,
    /// None if the peer is a proxy, or this machine.
    most_per_prefix: Option<usize>,
    state: Mutex<State>,
    /// Notified when a connection has closed.
    left: Notify,
}

#[derive(Debug, Default)]
struct State {
    /// Numbers connections, and the moments they become idle.
    clock: u64,
    open: HashMap<u64, Entry>,
    /// Number of open connections that have been told to give way.
    leaving: usize,
    /// Connections without a whole request, by the moment they became idle.
    idle: BTreeMap<u64, u64>,
    prefixes: HashMap<IpAddr, Prefix>,
}

#[derive(Debug, Default)]
struct Prefix {
    open: usize,
    idle: BTreeMap<u64, u64>,
}

#[derive(Debug)]
struct Entry {
    prefix: IpAddr,
    /// It has been told to give way.
    leaves: bool,
    /// Requests in progress that have arrived; an open WebSocket is one.
    busy: u32,
    idle_since: u64,
    shed: Arc<Notify>,
}

/// An open connection, registered until dropped.
#[derive(Debug)]
pub(crate) struct Connection {
    pub peer: SocketAddr,
    is_socket: AtomicBool,
    id: u64,
    shed: Arc<Notify>,
    register: Arc<Register>,
}

/// A request in progress, until dropped. Meanwhile its connection doesn't give way to others.
#[derive(Debug)]
pub(crate) struct Busy(Arc<Connection>);

impl Register {
    /// Limits according to the configuration and the number of files this process may open.
    pub fn new(config: &Config) -> Arc<Self> {
        let files = descriptors::most();
        let most = config.connections.min(files - reserved(files));
        let direct = config.public().is_some_and(|public| !public.behind_proxy);
        Arc::new(Self::with_limits(most, direct.then_some(MOST_PER_PREFIX)))
    }

    fn with_limits(most: usize, most_per_prefix: Option<usize>) -> Self {
        Self { most, most_per_prefix, state: Mutex::default(), left: Notify::new() }
    }

    /// The maximum number of sockets: the rest is kept for requests, so that the server stays
    /// reachable.
    pub const fn most_sockets(&self) -> usize {
        self.most - self.most.div_ceil(10)
    }

    /// Registers a connection. If there are too many, the one that has been idle longest must close
    /// first; if all are busy, there is no room. For one caller at a time.
    pub async fn enter(self: &Arc<Self>, peer: SocketAddr) -> Option<Arc<Connection>> {
        let room = async {
            while !self.make_room(peer.ip())? {
                self.left.notified().await;
            }
            Some(())
        };
        timeout(SOON, room).await.ok()??;
        Some(self.add(peer))
    }

    /// Whether there is room for a connection, or will be soon; `None` if not.
    fn make_room(&self, address: IpAddr) -> Option<bool> {
        let mut state = self.lock();
        let none = Prefix::default();
        let of_prefix = state.prefixes.get(&address_prefix(address)).unwrap_or(&none);
        let idle = if self.most_per_prefix.is_some_and(|most| of_prefix.open >= most) {
            &of_prefix.idle
        } else if state.open.len() >= self.most {
            &state.idle
        } else {
            return Some(true);
        };
        if state.leaving == 0 {
            let longest = idle.first_key_value().map(|(_, &id)| id)?;
            state.shed(longest);
        }
        Some(false)
    }

    fn add(self: &Arc<Self>, peer: SocketAddr) -> Arc<Connection> {
        let prefix = address_prefix(peer.ip());
        let mut state = self.lock();
        state.clock += 1;
        let id = state.clock;
        let shed = Arc::new(Notify::new());
        let entry =
            Entry { prefix, leaves: false, busy: 0, idle_since: id, shed: Arc::clone(&shed) };
        state.open.insert(id, entry);
        state.idle.insert(id, id);
        let of_prefix = state.prefixes.entry(prefix).or_default();
        of_prefix.open += 1;
        of_prefix.idle.insert(id, id);
        let (is_socket, register) = (AtomicBool::new(false), Arc::clone(self));
        Arc::new(Connection { peer, is_socket, id, shed, register })
    }

    /// Closes the connection that has been idle longest, if any is.
    pub fn shed(&self) {
        let mut state = self.lock();
        if let Some((_, &longest)) = state.idle.first_key_value() {
            state.shed(longest);
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Tells an idle connection to close.
    fn shed(&mut self, id: u64) {
        self.wake(id);
        if let Some(entry) = self.open.get_mut(&id) {
            entry.leaves = true;
            self.leaving += 1;
            entry.shed.notify_one();
        }
    }

    /// A connection isn't idle from now on.
    fn wake(&mut self, id: u64) {
        let Some(entry) = self.open.get(&id) else { return };
        self.idle.remove(&entry.idle_since);
        if let Some(prefix) = self.prefixes.get_mut(&entry.prefix) {
            prefix.idle.remove(&entry.idle_since);
        }
    }

    fn remove(&mut self, id: u64) {
        self.wake(id);
        let Some(entry) = self.open.remove(&id) else { return };
        self.leaving -= usize::from(entry.leaves);
        if let Some(prefix) = self.prefixes.get_mut(&entry.prefix) {
            prefix.open -= 1;
            if prefix.open == 0 {
                self.prefixes.remove(&entry.prefix);
            }
        }
    }

    /// A request of a connection begins.
    fn begin(&mut self, id: u64) {
        self.wake(id);
        if let Some(entry) = self.open.get_mut(&id) {
            entry.busy += 1;
        }
    }

    /// A request of a connection ends.
    fn end(&mut self, id: u64) {
        let Some(entry) = self.open.get_mut(&id) else { return };
        entry.busy -= 1;
        if entry.busy > 0 || entry.leaves {
            return;
        }
        self.clock += 1;
        entry.idle_since = self.clock;
        self.idle.insert(entry.idle_since, id);
        if let Some(prefix) = self.prefixes.get_mut(&entry.prefix) {
            prefix.idle.insert(entry.idle_since, id);
        }
    }
}

impl Connection {
    /// Becomes a WebSocket, which is busy until it closes.
    pub fn upgrade(self: &Arc<Self>) -> Busy {
        self.is_socket.store(true, Ordering::Relaxed);
        self.busy()
    }

    pub fn is_socket(&self) -> bool {
        self.is_socket.load(Ordering::Relaxed)
    }

    /// Marks a request as in progress.
    pub fn busy(self: &Arc<Self>) -> Busy {
        self.register.lock().begin(self.id);
        Busy(Arc::clone(self))
    }

    pub fn is_busy(&self) -> bool {
        self.register.lock().open.get(&self.id).is_some_and(|entry| entry.busy > 0)
    }

    /// Resolves when this connection has to give way.
    pub async fn shed(&self) {
        self.shed.notified().await;
    }

    /// Whether it has been told to give way.
    pub fn is_shed(&self) -> bool {
        self.register.lock().open.get(&self.id).is_some_and(|entry| entry.leaves)
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.register.lock().remove(self.id);
        self.register.left.notify_one();
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        self.0.register.lock().end(self.0.id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Mode, Public};

    /// A connection from an address, if there is room or soon will be.
    fn enter(register: &Arc<Register>, last: u8) -> Option<Arc<Connection>> {
        let address = SocketAddr::from(([1, 2, 3, last], 1000));
        register.make_room(address.ip()).map(|_| register.add(address))
    }

    #[test]
    fn the_longest_idle_connection_gives_way() {
        let register = Arc::new(Register::with_limits(3, None));
        let [a, b, c] = [1, 1, 2].map(|last| enter(&register, last).expect("there is room"));
        let request = a.busy();
        let d = enter(&register, 1).expect("b is idle");
        assert_eq!([&a, &b, &c, &d].map(|one| one.is_shed()), [false, true, false, false]);
        drop((request, b, d));
        let d = enter(&register, 1).expect("there is room");
        // `a` has been idle for the shortest time.
        let _e = enter(&register, 3).expect("c is idle");
        assert_eq!([&a, &c, &d].map(|one| one.is_shed()), [false, true, false]);
    }

    #[test]
    fn busy_connections_never_give_way() {
        let register = Arc::new(Register::with_limits(2, None));
        let open = [1, 2].map(|last| enter(&register, last).expect("there is room"));
        let requests = open.each_ref().map(Connection::busy);
        assert!(enter(&register, 3).is_none());
        drop(requests);
        let third = enter(&register, 3);
        assert!(third.is_some() && open[0].is_shed() && !open[1].is_shed());
    }

    #[test]
    fn an_address_prefix_makes_room_among_its_own() {
        let register = Arc::new(Register::with_limits(100, Some(2)));
        let other = enter(&register, 9).expect("there is room");
        let [a, b] = [1, 1].map(|last| enter(&register, last).expect("there is room"));
        let (_busy, c) = (b.busy(), enter(&register, 1).expect("a is idle"));
        assert!(a.is_shed() && !b.is_shed() && !other.is_shed());
        drop(a);
        let _busy = c.busy();
        assert!(enter(&register, 1).is_none(), "both are busy");
        assert!(enter(&register, 9).is_some(), "another prefix");
    }

    #[test]
    fn a_proxy_has_as_many_connections_as_it_needs() {
        let mut public = Public::new("https://chess.example");
        let register = |public: &Public| {
            Register::new(&Config { mode: Mode::Public(public.clone()), ..Config::default() })
        };
        assert_eq!(register(&public).most_per_prefix, Some(MOST_PER_PREFIX));
        public.behind_proxy = true;
        assert_eq!(register(&public).most_per_prefix, None);
        assert_eq!(Register::new(&Config::default()).most_per_prefix, None);
    }

    #[test]
    fn nothing_is_left_of_closed_connections() {
        let register = Arc::new(Register::with_limits(2, Some(2)));
        let open = [1, 2, 1].map(|last| enter(&register, last).expect("there is room"));
        let request = open[1].busy();
        drop(open);
        drop(request);
        let state = register.lock();
        assert!(state.open.is_empty() && state.idle.is_empty() && state.prefixes.is_empty());
    }

    #[tokio::test]
    async fn a_new_connection_waits_until_another_has_closed() {
        let register = Arc::new(Register::with_limits(1, None));
        let first = register.enter(SocketAddr::from(([1, 2, 3, 4], 1))).await.expect("room");
        let (second, ()) = tokio::join!(register.enter(first.peer), async {
            first.shed().await;
            assert_eq!(register.lock().open.len(), 1);
            drop(Arc::clone(&first));
        });
        assert!(second.is_none(), "the first is still there");
        let (second, ()) = tokio::join!(register.enter(first.peer), async { drop(first) });
        assert!(second.is_some());
    }
}
