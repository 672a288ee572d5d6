//! Server configuration.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use store::{Job, Report};

/// Server configuration.
#[derive(Clone, Debug)]
pub struct Config {
    /// Address to listen on; port 0 for any free port.
    pub address: SocketAddr,
    /// Local or public.
    pub mode: Mode,
    /// Engine threads, at least two: one is reserved for games.
    pub workers: usize,
    /// Threads that review games when their cores are free: at most all but one of the workers, which
    /// is also the default. 0 if reviews are left to other machines.
    pub reviewers: Option<usize>,
    /// The token that lets workers on other machines take jobs; without it, they can't.
    pub worker_token: Option<String>,
    /// Checks workers' reports other than reviews.
    pub check_report: Option<CheckReport>,
    /// Engine settings: memory, network, book, tablebases.
    pub engine: engine::Options,
    /// Maximum number of open connections, if the system allows as many open files.
    pub connections: usize,
    /// Maximum size of a request body in bytes. PGN uploads may have [`Config::largest_import`].
    pub largest_body: usize,
    /// Maximum size of a PGN upload in bytes.
    pub largest_import: usize,
    /// Folder with collections of games, one folder each.
    pub library: Option<PathBuf>,
}

/// Says what is wrong with a worker's report.
pub type CheckReport = fn(&Job, &Report) -> Result<(), String>;

/// Local or public.
#[derive(Clone, Debug)]
pub enum Mode {
    /// For users of this machine: profiles without passwords.
    Local,
    /// For everyone: accounts with passwords, and rate limits.
    Public(Public),
}

/// URL and limits of a public server.
#[derive(Clone, Debug)]
pub struct Public {
    /// The public URL, such as `https://chess.example.org`. State-changing requests must come from
    /// its pages.
    pub origin: String,
    /// Whether to trust the `X-Forwarded-For` header of a reverse proxy.
    pub behind_proxy: bool,
    /// Sustained requests per second and address.
    pub requests_per_second: u32,
    /// Maximum burst of requests per address.
    pub burst: u32,
    /// Maximum time of one analysis.
    pub longest_analysis: Duration,
    /// Maximum analysis time per visitor and hour.
    pub analysis_per_hour: Duration,
    /// The token that lets other machines read the metrics.
    pub metrics_token: Option<String>,
}

impl Default for Config {
    fn default() -> Self {
        let cores = std::thread::available_parallelism().map_or(2, usize::from);
        Self {
            address: SocketAddr::from(([127, 0, 0, 1], 0)),
            mode: Mode::Local,
            workers: cores.max(2),
            reviewers: None,
            worker_token: None,
            check_report: None,
            engine: engine::Options::default(),
            connections: 10_000,
            largest_body: 64 << 10,
            largest_import: 32 << 20,
            library: None,
        }
    }
}

impl Public {
    /// A public server with the default limits.
    pub fn new(origin: &str) -> Self {
        Self {
            origin: origin.trim_end_matches('/').to_owned(),
            behind_proxy: false,
            requests_per_second: 20,
            burst: 200,
            longest_analysis: Duration::from_secs(30),
            analysis_per_hour: Duration::from_mins(10),
            metrics_token: None,
        }
    }

    /// Whether the public URL uses HTTPS, so that cookies must be `Secure`.
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

    /// The number of threads that review games.
    pub(crate) fn reviewers(&self) -> usize {
        self.reviewers.unwrap_or(usize::MAX)
    }

    /// Cap on the clock time the engine plans with: about ten seconds per move on a public server,
    /// a minute and a half on a local one.
    pub(crate) const fn most_on_clock(&self) -> Duration {
        match self.mode {
            Mode::Local => Duration::from_mins(10),
            Mode::Public(_) => Duration::from_mins(1),
        }
    }
}
