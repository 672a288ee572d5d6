//! `riga lab stream`: feeds positions to a trainer.

use std::process::ExitCode;

use ::lab::stream::{Part, Plan, Recipe, stream};
use anyhow::Result;
use clap::{Args, ValueEnum};
use nnue::data::Quiet;

use super::{Inputs, code, warn};
use crate::arguments::{self, per_core};
use crate::show::thousands;

/// Write training data as records to standard output, for a trainer
#[derive(Args)]
#[command(after_help = "Examples:
  riga lab stream games.rdata --seed 1 > records.bin
  python3 training/train.py --records records.bin
  riga lab stream games.rdata --part check > check.bin

A record has 32 bytes; docs/data.md describes them. Records are shuffled within windows of --shuffle
positions, taken from random places of all files. The order depends only on the seed and the files,
not on the number of threads. Damaged parts are reported and skipped; the exit code is then 1.")]
pub struct Stream {
    #[command(flatten)]
    inputs: Inputs,
    /// Number of epochs, each in a different order; 0 for unlimited
    #[arg(long, default_value_t = 1)]
    epochs: u64,
    /// Seed of the order
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Skip this many records, to resume a run
    #[arg(long, default_value_t = 0, value_name = "RECORDS")]
    skip: u64,
    /// Decoding threads; 0 for one per core
    #[arg(long, default_value_t = 0, value_parser = arguments::threads_or_cores)]
    threads: usize,
    /// Number of positions to shuffle together; 64 bytes of memory each
    #[arg(long, default_value_t = 4_000_000, value_name = "RECORDS")]
    shuffle: u64,
    /// Lambda of TD(lambda), 0 to 1: how much the next score counts towards a position's target
    #[arg(long, default_value_t = 0.75, value_parser = share)]
    trust: f32,
    /// Scale from scores to win probabilities, in centipawns
    #[arg(long, default_value_t = 400.0, value_parser = scale)]
    scale: f32,
    /// Skip positions before this ply
    #[arg(long, default_value_t = Quiet::default().first_ply)]
    first_ply: u16,
    /// Skip positions with a score beyond this
    #[arg(long, default_value_t = Quiet::default().highest_score)]
    highest: i16,
    /// Hold out one game in this many for validation
    #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(u64).range(1..))]
    held_back: u64,
    /// Write only the training games, or only the validation games [default: both]
    #[arg(long, value_enum)]
    part: Option<Which>,
    /// Write all positions, also those in check, with a capture or promotion as the best move, or
    /// with a high score
    #[arg(long)]
    all: bool,
}

#[derive(Copy, Clone, PartialEq, Eq, ValueEnum)]
enum Which {
    /// Training games
    Learn,
    /// Validation games
    Check,
}

impl Stream {
    pub fn run(&self) -> Result<ExitCode> {
        let quiet = Quiet { first_ply: self.first_ply, highest_score: self.highest };
        let plan = Plan {
            files: self.inputs.files()?.to_vec(),
            epochs: if self.epochs == 0 { u64::MAX } else { self.epochs },
            seed: self.seed,
            skip: self.skip,
            threads: per_core(self.threads).get(),
            window: self.shuffle,
            recipe: Recipe {
                quiet: (!self.all).then_some(quiet),
                trust: self.trust,
                scale: self.scale,
                part: self.part.map(|part| match part {
                    Which::Learn => Part::Learn(self.held_back),
                    Which::Check => Part::Check(self.held_back),
                }),
            },
        };
        let done = stream(&plan, &mut std::io::stdout().lock(), &mut warn)?;
        eprintln!("{} records", thousands(done.records));
        Ok(code(done.damaged))
    }
}

fn share(text: &str) -> Result<f32, String> {
    let value: f32 = text.parse().map_err(|_| "not a number".to_owned())?;
    if (0.0..=1.0).contains(&value) { Ok(value) } else { Err("not from 0 to 1".to_owned()) }
}

fn scale(text: &str) -> Result<f32, String> {
    let value: f32 = text.parse().map_err(|_| "not a number".to_owned())?;
    if value >= 1.0 { Ok(value) } else { Err("not 1 or more".to_owned()) }
}
