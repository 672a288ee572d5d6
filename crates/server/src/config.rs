//! How a server is set up.

use std::net::SocketAddr;
use std::time::Duration;

/// How a server is set up.
#[derive(Clone, Debug)]
pub struct Config {
    /// Where to listen; port 0 is any free one.
    pub address: SocketAddr,
    /// Who is served.
    pub mode: Mode,
    /// Threads that think, at least two: one is kept free for games.
    pub workers: usize,
    /// The engine's settings: memory, network, book, tablebases.
    pub engine: engine::Options,
    /// The largest body of a request, in bytes. Files of games may have [`Config::largest_import`].
    pub largest_body: usize,
    /// The largest file of games, in bytes.
    pub largest_import: usize,
}

/// Who is served.
#[derive(Clone, Debug)]
pub enum Mode {
    /// People at this machine: profiles without passwords.
    Local,
    /// Everybody: accounts, and limits for each.
    Public(Public),
}

/// How a public server is reached, and what each visitor may use.
#[derive(Clone, Debug)]
pub struct Public {
    /// The address that people type, such as `https://chess.example.org`. Requests that change
    /// something must come from its pages.
    pub origin: String,
    /// Whether a proxy stands before the server and says in `X-Forwarded-For` who asks.
    pub behind_proxy: bool,
    /// Requests that one address may make in a second, in the long run.
    pub requests_per_second: u32,
    /// Requests that it may make at once.
    pub burst: u32,
    /// How long the engine may analyse one position.
    pub longest_analysis: Duration,
    /// How long it may analyse for one visitor in an hour.
    pub analysis_per_hour: Duration,
}

impl Default for Config {
    fn default() -> Self {
        let cores = std::thread::available_parallelism().map_or(2, usize::from);
        Self {
            address: SocketAddr::from(([127, 0, 0, 1], 0)),
            mode: Mode::Local,
            workers: cores.max(2),
            engine: engine::Options::default(),
            largest_body: 64 << 10,
            largest_import: 32 << 20,
        }
    }
}

impl Public {
    /// A public server with the usual limits.
    pub fn new(origin: &str) -> Self {
        Self {
            origin: origin.trim_end_matches('/').to_owned(),
            behind_proxy: false,
            requests_per_second: 20,
            burst: 200,
            longest_analysis: Duration::from_secs(30),
            analysis_per_hour: Duration::from_mins(10),
        }
    }

    /// Whether browsers reach it by HTTPS, so that cookies never travel in the open.
    pub fn is_secure(&self) -> bool {
        self.origin.starts_with("https://")
    }
}

impl Config {
    /// The settings of a public server, if it is one.
    pub const fn public(&self) -> Option<&Public> {
        match &self.mode {
            Mode::Local => None,
            Mode::Public(public) => Some(public),
        }
    }

    /// As how much on its clock the engine plays at most: for ten seconds a move where others wait, for a
    /// minute and a half at home.
    pub(crate) const fn most_on_clock(&self) -> Duration {
        match self.mode {
            Mode::Local => Duration::from_mins(10),
            Mode::Public(_) => Duration::from_mins(1),
        }
    }
}
