//! `riga lab rescore`: scores of longer searches.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use ::lab::rescore::rescore;
use ::lab::stream::Record;
use anyhow::{Context, Result, ensure};
use clap::Args;

use crate::arguments::{self, per_core};
use crate::show::progress;

/// Score records of `riga lab stream` by longer searches
#[derive(Args)]
#[command(after_help = "Example:
  riga lab stream games.rdata --part check > check.bin
  riga lab rescore check.bin --count 200000 --nodes 5000 > scores.txt
  python3 training/judge.py check.bin scores.txt --net nets/riga.net

Prints one score per record, in centipawns for the side to move; a mate is 3000. Records have no castling
rights.")]
pub struct Rescore {
    /// File of records
    records: PathBuf,
    /// Number of records, from the first on
    #[arg(long, default_value_t = 200_000)]
    count: usize,
    /// Nodes per search
    #[arg(long, default_value_t = 5_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Threads; 0 for one per core
    #[arg(long, default_value_t = 0, value_parser = arguments::threads_or_cores)]
    threads: usize,
}

impl Rescore {
    pub fn run(&self) -> Result<ExitCode> {
        let path = self.records.display().to_string();
        let bytes = std::fs::read(&self.records).with_context(|| path.clone())?;
        let (records, rest) = bytes.as_chunks::<{ Record::LEN }>();
        ensure!(
            rest.is_empty() && !records.is_empty(),
            "{path}: not a file of records: it is empty, or its length is not a multiple of {}",
            Record::LEN
        );
        let records: Vec<Record> =
            records.iter().take(self.count).map(|bytes| Record::from_bytes(*bytes)).collect();
        let bar = progress(records.len() as u64, "{wide_bar} {pos}/{len} {eta}");
        let scores =
            rescore(&records, self.nodes, per_core(self.threads), &|| bar.inc(1)).context(path)?;
        bar.finish_and_clear();
        let mut out = std::io::BufWriter::new(std::io::stdout().lock());
        for score in scores {
            writeln!(out, "{score}")?;
        }
        out.flush()?;
        Ok(ExitCode::SUCCESS)
    }
}
