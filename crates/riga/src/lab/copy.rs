//! `riga lab merge` and `riga lab shuffle`: new training data files from others.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use ::lab::datagen::{self, Copied};
use anyhow::Result;
use clap::Args;

use super::{Inputs, code, warn};
use crate::show::thousands;

/// Merge training data files
#[derive(Args)]
#[command(after_help = "Example:
  riga lab merge monday.rdata tuesday.rdata --out both.rdata

Damaged parts are named and left out; the exit code is 1 then. The new file must not exist.")]
pub struct Merge {
    #[command(flatten)]
    inputs: Inputs,
    /// File to write
    #[arg(long)]
    out: PathBuf,
}

impl Merge {
    pub fn run(&self) -> Result<ExitCode> {
        report(datagen::merge(self.inputs.files()?, &self.out, &mut warn)?)
    }
}

/// Shuffle the games of training data files
#[derive(Args)]
#[command(after_help = "Example:
  riga lab shuffle *.rdata --out training.rdata --positions 20000000

Files may be larger than memory. Damaged parts are named and left out; the exit code is 1 then.
The new file must not exist.")]
pub struct Shuffle {
    #[command(flatten)]
    inputs: Inputs,
    /// File to write
    #[arg(long)]
    out: PathBuf,
    /// Seed of the order
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Write at most this many positions, from randomly chosen games [default: all]
    #[arg(long)]
    positions: Option<u64>,
    /// Memory for games, in MiB
    #[arg(long, default_value_t = 256, value_parser = clap::value_parser!(u64).range(1..=1_048_576))]
    memory: u64,
}

impl Shuffle {
    pub fn run(&self) -> Result<ExitCode> {
        let how = datagen::Shuffle {
            seed: self.seed,
            positions: self.positions,
            memory: self.memory << 20,
        };
        report(datagen::shuffle(self.inputs.files()?, &self.out, &how, &mut warn)?)
    }
}

fn report(copied: Copied) -> Result<ExitCode> {
    let Copied { games, positions, damaged } = copied;
    let mut out = std::io::stdout().lock();
    write!(out, "{} games, {} positions", thousands(games), thousands(positions))?;
    if damaged > 0 {
        write!(out, ", {} damaged parts skipped", thousands(damaged))?;
    }
    writeln!(out)?;
    Ok(code(damaged))
}
