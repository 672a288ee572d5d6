//! `riga lab`: training data, networks and tuning.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Result, bail};
use clap::{Args, Subcommand};
use nnue::data::Damage;

mod copy;
mod datagen;
mod quantise;
mod rescore;
mod show;
mod spsa;
mod stat;
mod stream;
mod tune;
mod wdl;

/// Training data, networks and tuning
#[derive(Args)]
pub struct Lab {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Datagen(datagen::Datagen),
    Stat(stat::Stat),
    Stream(stream::Stream),
    Show(show::Show),
    Merge(copy::Merge),
    Shuffle(copy::Shuffle),
    Tune(tune::Tune),
    Quantise(quantise::Quantise),
    Rescore(rescore::Rescore),
    Spsa(spsa::Spsa),
    Wdl(wdl::FitWdl),
}

impl Lab {
    pub fn run(&self) -> Result<ExitCode> {
        match &self.command {
            Command::Datagen(datagen) => datagen.run(),
            Command::Stat(stat) => stat.run(),
            Command::Stream(stream) => stream.run(),
            Command::Show(show) => show.run(),
            Command::Merge(merge) => merge.run(),
            Command::Shuffle(shuffle) => shuffle.run(),
            Command::Tune(tune) => tune.run(),
            Command::Quantise(quantise) => quantise.run(),
            Command::Rescore(rescore) => rescore.run(),
            Command::Spsa(spsa) => spsa.run(),
            Command::Wdl(wdl) => wdl.run(),
        }
    }
}

/// Warns about a damaged part of a file.
fn warn(path: &Path, damage: &Damage) {
    eprintln!("warning: {}: {damage}", path.display());
}

/// The exit code: failure if anything was damaged.
fn code(damaged: u64) -> ExitCode {
    if damaged == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Training data files.
#[derive(Args)]
struct Inputs {
    /// Training data files
    #[arg(required = true)]
    files: Vec<PathBuf>,
}

impl Inputs {
    /// The files. Refuses duplicates: their games would count twice.
    fn files(&self) -> Result<&[PathBuf]> {
        let mut known = HashMap::new();
        for path in &self.files {
            // An error with a file is reported where it is opened.
            let Ok(real) = path.canonicalize() else { continue };
            if let Some(first) = known.insert(real, path) {
                let (first, path) = (first.display(), path.display());
                bail!("{first} and {path} are the same file; name it once");
            }
        }
        Ok(&self.files)
    }
}
