//! `riga serve`: the server.

use std::io::{self, IsTerminal};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result};
use clap::{Args, ValueEnum};
use server::{Config, Mode, Public, Server};
use store::Options;
use tracing_subscriber::EnvFilter;

use crate::arguments;
use crate::config::ConfigFile;
use crate::database::Database;
use crate::{places, token, worker};

/// Run the server
#[derive(Args)]
#[command(after_help = "Examples:
  riga serve
  riga serve --open --database games.db
  riga serve --public --origin https://chess.example.org --behind-proxy \\
      --database postgres://riga@localhost/riga

Without --public it serves this machine only, and profiles need no password. docs/security.md lists
the guarantees. The API is described at /api/openapi.json; RUST_LOG=debug logs each request.")]
pub struct Serve {
    /// Port to listen on; 0 for any free port
    #[arg(long, default_value_t = USUAL_PORT, value_parser = arguments::port)]
    port: u16,
    /// Open the board in the browser
    #[arg(long)]
    open: bool,
    /// Address to listen on; only loopback without --public
    #[arg(long, default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    address: IpAddr,
    #[command(flatten)]
    database: Database,
    /// Run a public server: accounts with passwords, rate limits
    #[arg(long, requires = "origin")]
    public: bool,
    /// The public URL, such as <https://chess.example.org>
    #[arg(long, value_name = "URL", requires = "public", value_parser = normal)]
    origin: Option<String>,
    /// Trust the X-Forwarded-For header of a reverse proxy; otherwise all visitors behind it share
    /// one rate limit
    #[arg(long, requires = "public")]
    behind_proxy: bool,
    /// Engine threads [default: one per core, at least 2]
    #[arg(long, value_parser = arguments::threads)]
    workers: Option<usize>,
    /// Threads that review games while their cores are free; 0 to leave reviews to workers [default:
    /// one less than engine threads]
    #[arg(long, value_name = "N", value_parser = arguments::threads_or_cores)]
    reviewers: Option<usize>,
    /// File with the token of workers on other machines (riga worker), or the token itself; without
    /// it they are refused [default: `$RIGA_WORKER_TOKEN`]
    #[arg(long, value_name = "FILE")]
    worker_token: Option<String>,
    /// Requests per second and address, on a public server
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..))]
    requests_per_second: u32,
    /// Minutes of analysis per visitor and hour, on a public server
    #[arg(long, default_value_t = 10)]
    analysis_minutes: u64,
    /// File with the token that lets other machines read /metrics, as `Authorization: Bearer TOKEN`;
    /// without it only this machine can
    #[arg(long, value_name = "FILE", requires = "public")]
    metrics_token: Option<PathBuf>,
    /// Database connections for reading [default: 4 for `SQLite`, 12 for `PostgreSQL`]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    read_connections: Option<u32>,
    /// `PostgreSQL` connections for writing, besides one for the server's lock; `SQLite` has one
    #[arg(long, value_name = "N", default_value_t = Options::SERVER.writers,
        value_parser = clap::value_parser!(u32).range(1..=1000))]
    write_connections: u32,
    /// Folder with collections of games, one folder each, as `riga library add` makes them [default:
    /// `riga/library` in `$XDG_DATA_HOME` or `~/.local/share`]
    #[arg(long, value_name = "FOLDER")]
    library: Option<PathBuf>,
    /// Log format
    #[arg(long, value_enum, default_value_t)]
    log: Log,
    #[command(flatten)]
    config: ConfigFile,
}

/// The port to try first. It should stay the same, because browsers store settings by origin.
const USUAL_PORT: u16 = 8000;

/// Log format.
#[derive(Copy, Clone, Default, ValueEnum)]
enum Log {
    /// Human-readable
    #[default]
    Text,
    /// JSON
    Json,
}

impl Serve {
    /// The same server on another port if its own is taken.
    pub fn on_a_free_port(self) -> Self {
        let free = TcpListener::bind(SocketAddr::from((self.address, self.port))).is_ok();
        let port = if free { self.port } else { 0 };
        Self { port, ..self }
    }

    pub fn run(&self) -> Result<ExitCode> {
        self.start_log();
        let config = self.server_config()?;
        let runtime = tokio::runtime::Runtime::new().context("can't start the server")?;
        runtime.block_on(async {
            let store = self.database.open(&self.store_options()).await?;
            let server = Server::bind(config, store).await?;
            let url = format!("http://{}", server.address());
            println!("Riga listens on {url}");
            if self.open {
                self.show(&url);
            }
            server.run(stop_signal()).await?;
            Ok(ExitCode::SUCCESS)
        })
    }

    /// Opens the board, or prints how to.
    fn show(&self, url: &str) {
        let shown = self.origin.as_deref().unwrap_or(url);
        match open::that_detached(shown) {
            Ok(()) => println!(
                "Opening the board in your browser. Press Ctrl+C to stop; all games are saved."
            ),
            Err(_) => {
                println!(
                    "Open {shown} in your browser. Press Ctrl+C to stop; all games are saved."
                );
            }
        }
    }

    fn server_config(&self) -> Result<Config> {
        let usual = Config::default();
        let mode = match (&self.origin, self.public) {
            (Some(origin), true) => Mode::Public(Public {
                behind_proxy: self.behind_proxy,
                requests_per_second: self.requests_per_second,
                burst: self.requests_per_second.saturating_mul(10),
                analysis_per_hour: Duration::from_secs(self.analysis_minutes * 60),
                metrics_token: self.metrics_token.as_deref().map(metrics_token).transpose()?,
                ..Public::new(origin)
            }),
            _ => Mode::Local,
        };
        if let Mode::Public(public) = &mode
            && !public.is_secure()
        {
            let origin = &public.origin;
            tracing::warn!(origin, "passwords and sessions are readable on the way without https");
        }
        let settings = self.config.settings()?;
        Ok(Config {
            address: SocketAddr::new(self.address, self.port),
            mode,
            workers: self.workers.unwrap_or(usual.workers),
            reviewers: self.reviewers,
            worker_token: token::read("worker token", self.worker_token.as_deref(), || Ok(None))?,
            check_report: Some(worker::check_report),
            library: self
                .library
                .clone()
                .or_else(|| places::data().map(|data| data.join("library"))),
            // Opponents always have a book, whatever UCI sessions use.
            engine: engine::Options { book: settings.book(), ..settings.options() },
            ..usual
        })
    }

    fn store_options(&self) -> Options {
        Options {
            readers: self.read_connections,
            writers: self.write_connections,
            ..Options::SERVER
        }
    }

    fn start_log(&self) {
        // Someone who opens the board at home only needs to see warnings.
        let usual = if self.open { "warn" } else { "info" };
        let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new(usual));
        let log = tracing_subscriber::fmt()
            .with_env_filter(filter)
            .with_ansi(io::stderr().is_terminal())
            .with_writer(io::stderr);
        match self.log {
            Log::Text => log.init(),
            Log::Json => log.json().init(),
        }
    }
}

fn metrics_token(path: &Path) -> Result<String> {
    token::from_file("metrics token", path)
}

/// An origin as browsers write it: in lower case, without the default port.
fn normal(origin: &str) -> Result<String, String> {
    let text = origin.trim_end_matches('/').to_lowercase();
    let (usual_port, host) = match text.split_once("://") {
        Some(("https", host)) => (":443", host),
        Some(("http", host)) => (":80", host),
        _ => ("", ""),
    };
    if host.is_empty() || host.contains(['/', '?', '#', '@', ' ']) {
        return Err("allowed are URLs such as https://chess.example.org".to_owned());
    }
    Ok(text.strip_suffix(usual_port).unwrap_or(&text).to_owned())
}

/// Resolves when the user or the system asks the server to stop.
pub async fn stop_signal() {
    let interrupt = tokio::signal::ctrl_c();
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let mut terminate = signal(SignalKind::terminate()).expect("SIGTERM can be handled");
        tokio::select! {
            _ = interrupt => {}
            _ = terminate.recv() => {}
        }
    }
    #[cfg(not(unix))]
    let _ = interrupt.await;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn origins_are_written_as_browsers_do() {
        for (typed, sent) in [
            ("https://Chess.Example.org/", "https://chess.example.org"),
            ("https://chess.example.org:443", "https://chess.example.org"),
            ("http://chess.example.org:80", "http://chess.example.org"),
            ("http://localhost:8443", "http://localhost:8443"),
        ] {
            assert_eq!(normal(typed).expect("an origin"), sent);
        }
        for wrong in ["", "chess.example.org", "ftp://a", "https://", "https://a/b", "https://a?b"]
        {
            assert!(normal(wrong).is_err(), "{wrong}");
        }
    }
}
