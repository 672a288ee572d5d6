//! `riga lab quantise`: turns a training checkpoint into a network.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use ::lab::net::quantise;
use anyhow::{Context, Result};
use clap::Args;

use crate::show::thousands;

/// Quantise a training checkpoint into a network
#[derive(Args)]
#[command(after_help = "Example:
  riga lab quantise run/net.ckpt --out nets/riga.net

The checkpoint's shape must be the one that this build knows.")]
pub struct Quantise {
    /// Checkpoint written by training/train.py
    checkpoint: PathBuf,
    /// Network file to write
    #[arg(long)]
    out: PathBuf,
}

impl Quantise {
    pub fn run(&self) -> Result<ExitCode> {
        let shown = self.checkpoint.display().to_string();
        let bytes = fs::read(&self.checkpoint).with_context(|| shown.clone())?;
        let quantised = quantise(&bytes).context(shown)?;
        let bytes = quantised.net.to_bytes();
        fs::write(&self.out, &bytes).with_context(|| self.out.display().to_string())?;
        let compared = quantised.difference.map_or_else(
            || "not compared with the trainer".to_owned(),
            |difference| format!("within {difference:.1} centipawns of the trainer"),
        );
        writeln!(
            std::io::stdout(),
            "{}: {} bytes, {} weights clipped, {compared}",
            quantised.net.about(),
            thousands(bytes.len() as u64),
            quantised.clipped
        )?;
        Ok(ExitCode::SUCCESS)
    }
}
