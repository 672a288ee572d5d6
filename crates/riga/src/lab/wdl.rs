//! `riga lab wdl`: fits the WDL model.

use std::io::Write;
use std::process::ExitCode;

use ::lab::wdl::Counts;
use anyhow::{Context, Result};
use clap::Args;
use engine::wdl::{MODEL, Model};
use nnue::data::{DataError, samples};

use super::{Inputs, code, warn};
use crate::show::thousands;

/// Fit the WDL model to training data
#[derive(Args)]
#[command(after_help = "Example:
  riga lab wdl games.rdata

Prints the constant for crates/engine/src/wdl.rs, and what it says about some scores.")]
pub struct FitWdl {
    #[command(flatten)]
    inputs: Inputs,
}

impl FitWdl {
    pub fn run(&self) -> Result<ExitCode> {
        let mut counts = Counts::default();
        let mut damaged = 0;
        for path in self.inputs.files()? {
            for sample in samples(path).with_context(|| path.display().to_string())? {
                match sample {
                    Ok(sample) => counts.add(&sample),
                    Err(DataError::Damaged(damage)) => {
                        damaged += 1;
                        warn(path, &damage);
                    }
                    Err(error) => return Err(error).context(path.display().to_string()),
                }
            }
        }
        anyhow::ensure!(counts.positions > 0, "there are no positions to fit");
        let fitted = counts.fit(MODEL);
        let mut out = std::io::stdout().lock();
        let show = |c: [f64; 3]| c.map(|c| format!("{c:.1}")).join(", ");
        writeln!(
            out,
            "{} positions, loss {:.5} (now {:.5})",
            thousands(counts.positions),
            counts.loss(&fitted),
            counts.loss(&MODEL)
        )?;
        writeln!(
            out,
            "Model {{ middle: [{}], width: [{}] }}",
            show(fitted.middle),
            show(fitted.width)
        )?;
        table(&fitted, &mut out)?;
        Ok(code(damaged))
    }
}

fn table(model: &Model, out: &mut impl Write) -> Result<()> {
    writeln!(out, "{:>9} {:>7} {:>7} {:>7} {:>7} {:>7}", "material", 0, 50, 100, 200, 400)?;
    for material in [78, 58, 38, 18] {
        write!(out, "{material:>9}")?;
        for score in [0.0, 50.0, 100.0, 200.0, 400.0] {
            let [_, draw, win] = model.chances(score, material);
            write!(out, " {:>3.0}/{:<3.0}", 100.0 * win, 100.0 * draw)?;
        }
        writeln!(out)?;
    }
    writeln!(out, "(win/draw in per cent by score in centipawns)")?;
    Ok(())
}
