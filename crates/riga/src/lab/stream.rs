//! `riga lab stream`: positions for a trainer.

use std::process::ExitCode;

use ::lab::stream::{Part, Plan, Recipe, stream};
use anyhow::Result;
use clap::{Args, ValueEnum};
use nnue::data::Quiet;

use super::{Inputs, code, warn};
use crate::arguments::{self, per_core};
use crate::show::thousands;

/// Write positions of training data to standard output as records for a trainer
#[derive(Args)]
#[command(after_help = "Examples:
  riga lab stream games.rdata --epochs 3 --seed 1 | python3 training/train.py
  riga lab stream games.rdata --part check > check.bin

A record has 32 bytes; docs/data.md describes them. Records are shuffled within windows of --shuffle
positions, which come from random places of all files. The order is the same for the same seed and
files, whatever the number of threads. Damaged parts are named and left out; the exit code is 1 then.")]
pub struct Stream {
    #[command(flatten)]
    inputs: Inputs,
    /// How often to write all positions, each time in another order; 0 is without end
    #[arg(long, default_value_t = 1)]
    epochs: u64,
    /// Seed of the order
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Leave out so many records at the beginning, to go on where a run was stopped
    #[arg(long, default_value_t = 0, value_name = "RECORDS")]
    skip: u64,
    /// Threads that decode; 0 is one per core
    #[arg(long, default_value_t = 0, value_parser = arguments::threads_or_cores)]
    threads: usize,
    /// Positions to shuffle with each other; 64 bytes of memory each
    #[arg(long, default_value_t = 4_000_000, value_name = "RECORDS")]
    shuffle: u64,
    /// TD(lambda): how much the next score counts in a position's chance, 0 to 1
    #[arg(long, default_value_t = 0.75, value_parser = share)]
    trust: f32,
    /// Scale from scores to chances, in hundredths of a pawn
    #[arg(long, default_value_t = 400.0, value_parser = scale)]
    scale: f32,
    /// Leave out positions with fewer moves before them
    #[arg(long, default_value_t = Quiet::default().first_ply)]
    first_ply: u16,
    /// Leave out positions with a score beyond this
    #[arg(long, default_value_t = Quiet::default().highest_score)]
    highest: i16,
    /// Hold back one game in so many from learning
    #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(u64).range(1..))]
    held_back: u64,
    /// Write only the games to learn from, or only those held back [default: both]
    #[arg(long, value_enum)]
    part: Option<Which>,
    /// Write all positions, also those in check, with a capture or promotion to play, or a high
    /// score
    #[arg(long)]
    all: bool,
}

#[derive(Copy, Clone, PartialEq, Eq, ValueEnum)]
enum Which {
    /// Games to learn from
    Learn,
    /// Games held back
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
