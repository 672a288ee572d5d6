//! `riga bench`: a fixed search whose node count is the same everywhere.

use std::io::{self, Write};
use std::process::ExitCode;

use clap::Args;
use engine::{Options, Params, Stop, bench, search_thread};
use serde_json::json;

use crate::arguments;

/// Search a fixed set of positions to a fixed depth: the node count identifies the search, the time
/// gives its speed
///
/// With one thread the count is the same on every machine.
#[derive(Args)]
#[command(after_help = "Examples:
  riga bench
  riga bench --depth 15 --hash 64
  riga bench --json")]
pub struct Bench {
    /// Depth of each search
    #[arg(long, default_value_t = bench::DEPTH, value_parser = clap::value_parser!(u32).range(1..=100))]
    depth: u32,
    /// Size of the hash table in MiB
    #[arg(long, default_value_t = 16, value_parser = arguments::hash)]
    hash: usize,
    /// Number of threads; with more than one the count varies
    #[arg(long, default_value_t = 1, value_parser = arguments::threads)]
    threads: usize,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl Bench {
    pub fn run(&self) -> anyhow::Result<ExitCode> {
        let options = Options { hash: self.hash, threads: self.threads, ..Options::default() };
        let mut out = io::stdout();
        let mut written = Ok(());
        let stop = Stop::new();
        let each = |fen: &str, nodes: u64| {
            if !self.json && written.is_ok() {
                written = writeln!(out, "{nodes:>12} {fen}");
            }
        };
        let run = || bench::run(&options, &Params::default(), self.depth, &stop, each);
        let result = std::thread::scope(|scope| {
            let thread = search_thread("bench").spawn_scoped(scope, run)?;
            Ok::<_, io::Error>(thread.join().expect("a bench doesn't panic"))
        })?;
        written?;
        if self.json {
            let seconds = result.time.as_secs_f64();
            let line = json!({ "nodes": result.nodes, "seconds": seconds, "nps": result.speed() });
            writeln!(out, "{line}")?;
        } else {
            writeln!(out, "{} nodes {} nps", result.nodes, result.speed())?;
        }
        Ok(ExitCode::SUCCESS)
    }
}
