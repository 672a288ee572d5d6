//! `riga worker`: does a server's jobs on this machine.

use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use ::review::{own_bench, own_name, own_options};
use anyhow::{Context, Result, bail};
use clap::Args;
use engine::{Engine, search_thread};
use store::JobKind;
use tokio::runtime::Runtime;
use tokio::sync::watch;

use crate::arguments::{self, misuse, per_core};
use crate::config::ConfigFile;
use crate::jobs::kinds;
use crate::serve::stop_signal;
use crate::show::counted;
use crate::token;

pub mod data;
mod http;
pub mod part;
mod perform;
pub mod segment;
mod shift;

use http::{HttpDesk, Identity};
pub use perform::check_report;
use shift::Shift;

/// Do the jobs of a server: reviews, training data, match games, segments of libraries
#[derive(Args)]
#[command(after_help = "Examples:
  riga worker --server https://chess.example.org --token worker.token
  riga worker --server http://localhost:8000 --token worker.token --threads 2 --kinds review
  riga worker --server https://chess.example.org --until-empty

The server must have the same token (riga serve --worker-token FILE) and the same version of Riga.
Ctrl-C gives unfinished jobs back.

Exit codes: 0 stopped or no more jobs, 1 refused by the server, 2 usage error.")]
pub struct Worker {
    /// URL of the server
    #[arg(long, value_name = "URL")]
    server: String,
    /// File with the worker token, or the token itself [default: `$RIGA_WORKER_TOKEN`]
    #[arg(long, value_name = "FILE")]
    token: Option<String>,
    /// Jobs to do concurrently; 0 for one per core
    #[arg(long, default_value_t = 0, value_parser = arguments::threads_or_cores)]
    threads: usize,
    /// Kinds of jobs to do
    #[arg(long, value_delimiter = ',', default_values = JobKind::ALL.map(JobKind::as_str),
        value_parser = kinds())]
    kinds: Vec<JobKind>,
    /// Name in the server's list of jobs [default: host and process id]
    #[arg(long)]
    name: Option<String>,
    /// Seconds after which the server gives a job to another worker if it hears nothing of this one
    #[arg(long, default_value_t = 60, value_name = "SECONDS",
        value_parser = clap::value_parser!(u64).range(1..=600))]
    lease: u64,
    /// Stop when there are no more jobs
    #[arg(long)]
    until_empty: bool,
    /// Print nothing but warnings
    #[arg(long, short)]
    quiet: bool,
    #[command(flatten)]
    config: ConfigFile,
}

impl Worker {
    pub fn run(&self) -> Result<ExitCode> {
        let configured = || self.config.worker_token();
        let Some(token) = token::read("worker token", self.token.as_deref(), configured)? else {
            return misuse("a worker needs a token: --token FILE, or $RIGA_WORKER_TOKEN");
        };
        let engine = own_name(engine::embedded_net().checksum());
        let bench = search_thread("bench").spawn(|| own_bench(&mut Engine::new(own_options())));
        let bench = bench.context("starting a thread")?.join();
        let Ok(bench) = bench else { bail!("the bench has failed") };
        let identity = Identity { engine: engine.clone(), bench };
        let desk = Arc::new(HttpDesk::new(&self.server, &token, identity)?);
        let runtime = Runtime::new().context("starting the worker")?;
        let (stop, stopped) = watch::channel(false);
        runtime.spawn(async move {
            stop_signal().await;
            stop.send_replace(true);
            stop_signal().await;
            std::process::exit(130);
        });
        let shift = Shift {
            desk,
            kinds: self.kinds.clone(),
            name: self.name.clone().unwrap_or_else(own_title),
            engine,
            lease: Duration::from_secs(self.lease),
            until_empty: self.until_empty,
            quiet: self.quiet,
            runtime: runtime.handle().clone(),
            stopped,
        };
        if !self.quiet {
            eprintln!("working for {} as {}", self.server, shift.name);
        }
        let done = shift.run(per_core(self.threads))?;
        if !self.quiet {
            eprintln!(
                "{} done, {} given back, {} failed",
                counted(done.done, "job"),
                done.given_back,
                done.failed
            );
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// The host's name and the process id.
fn own_title() -> String {
    let host = std::fs::read_to_string("/etc/hostname").unwrap_or_default();
    let host = Some(host.trim()).filter(|host| !host.is_empty()).unwrap_or("worker").to_owned();
    format!("{} {}", host.chars().take(60).collect::<String>(), std::process::id())
}
