//! `riga lab tune`: tunes the weights of the hand-written evaluation.

use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use ::lab::tune::{Judged, Plan, Progress, parse_line, run};
use anyhow::{Context, Result};
use clap::Args;
use nnue::data::{DataError, Quiet, Reader, Samples};

use super::{Inputs, warn};
use crate::arguments::{self, per_core};
use crate::show::thousands;

/// Fit the weights of the hand-written evaluation to games
#[derive(Args)]
#[command(after_help = "Examples:
  riga lab tune games.rdata --out crates/engine/src/eval/weights.rs
  riga lab tune positions.txt --epochs 10 --score-share 0

A file is training data of `riga lab datagen`, of which quiet positions are taken, or text with
FEN;result;score in each line, as `riga lab show --format fen` prints it; the score may be missing.")]
pub struct Tune {
    #[command(flatten)]
    inputs: Inputs,
    /// Rust file to write the weights to [default: only report]
    #[arg(long)]
    out: Option<PathBuf>,
    /// Number of epochs
    #[arg(long, default_value_t = Plan::default().epochs)]
    epochs: usize,
    /// Batch size
    #[arg(long, default_value_t = Plan::default().batch)]
    batch: usize,
    /// Initial learning rate, in centipawns
    #[arg(long, default_value_t = Plan::default().step)]
    step: f64,
    /// Weight of the search score against the game result, 0 to 1
    #[arg(long, default_value_t = Plan::default().score_share)]
    score_share: f64,
    /// Regularisation towards the current weights, in pseudo-positions
    #[arg(long, default_value_t = Plan::default().pull)]
    pull: f64,
    /// Scale from scores to win probabilities [default: fitted to the results]
    #[arg(long)]
    scale: Option<f64>,
    /// Number of threads; 0 for one per core
    #[arg(long, default_value_t = 0, value_parser = arguments::threads_or_cores)]
    threads: usize,
    /// Seed of the order
    #[arg(long, default_value_t = Plan::default().seed)]
    seed: u64,
    /// Use at most this many positions [default: all]
    #[arg(long)]
    positions: Option<usize>,
    /// Skip scores beyond this
    #[arg(long, default_value_t = Quiet::default().highest_score)]
    highest_score: i16,
    /// Skip positions before this ply
    #[arg(long, default_value_t = Quiet::default().first_ply)]
    first_ply: u16,
}

impl Tune {
    pub fn run(&self) -> Result<ExitCode> {
        let threads = per_core(self.threads);
        let plan = Plan {
            epochs: self.epochs,
            batch: self.batch,
            step: self.step,
            score_share: self.score_share,
            pull: self.pull,
            scale: self.scale,
            threads: threads.get(),
            seed: self.seed,
            ..Plan::default()
        };
        plan.check()?;
        let mut failure = None;
        let positions = self.positions(&mut failure)?;
        let report = run(&plan, positions, &mut |progress| match progress {
            Progress::Counted(count) => eprintln!("{} positions counted", thousands(count)),
            Progress::Scale(scale) => eprintln!("scale {scale:.6}"),
            Progress::Epoch(epoch) => eprintln!(
                "round {}: training {:.6}, held out {:.6}",
                epoch.number, epoch.training, epoch.held_out
            ),
        });
        // A read error explains more than the lack of positions that follows from it.
        if let Some(failure) = failure {
            return Err(failure);
        }
        let report = report?;
        if let Some(out) = &self.out {
            std::fs::write(out, report.to_weights_file())
                .with_context(|| out.display().to_string())?;
        }
        write!(std::io::stdout().lock(), "{report}")?;
        Ok(ExitCode::SUCCESS)
    }

    /// The positions of all files; an error that ends them early goes to `failure`.
    fn positions<'a>(
        &'a self,
        failure: &'a mut Option<anyhow::Error>,
    ) -> Result<impl Iterator<Item = Judged> + 'a> {
        let mut sources = Vec::new();
        for path in self.inputs.files()? {
            sources.push(self.open(path).with_context(|| path.display().to_string())?);
        }
        Ok(sources
            .into_iter()
            .flatten()
            .map_while(|judged| judged.map_err(|error| *failure = Some(error)).ok())
            .take(self.positions.unwrap_or(usize::MAX)))
    }

    fn open<'a>(&'a self, path: &'a Path) -> Result<Box<dyn Iterator<Item = Result<Judged>> + 'a>> {
        let named = move |what: &str| format!("{}{what}", path.display());
        match Reader::new(File::open(path)?) {
            Ok(reader) => {
                let quiet = Quiet { first_ply: self.first_ply, highest_score: self.highest_score };
                Ok(Box::new(Samples::new(reader).filter_map(move |sample| match sample {
                    Ok(sample) => quiet.accepts(&sample).then(|| Ok(sample.into())),
                    Err(DataError::Damaged(damage)) => {
                        warn(path, &damage);
                        None
                    }
                    Err(error) => Some(Err(error).with_context(|| named(""))),
                })))
            }
            Err(DataError::Foreign) => {
                let lines = BufReader::new(File::open(path)?).lines().enumerate();
                let filled = lines.filter(|(_, line)| !matches!(line, Ok(line) if line.is_empty()));
                Ok(Box::new(filled.map(move |(i, line)| {
                    let at = || named(&format!(", line {}", i + 1));
                    parse_line(&line.with_context(at)?).with_context(at)
                })))
            }
            Err(error) => Err(error.into()),
        }
    }
}
