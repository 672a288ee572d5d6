//! The result of tuning.

use std::fmt;

use engine::eval::{TERMS, WEIGHTS, Weights};

use super::weights_file;

/// The errors after an epoch.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Epoch {
    /// Its number, from 1; 0 is before the first.
    pub number: usize,
    /// The mean squared error on the training positions; a running mean of the epoch.
    pub training: f64,
    /// The mean squared error on the held-out positions.
    pub held_out: f64,
}

/// A progress report.
#[derive(Copy, Clone, Debug, PartialEq)]
pub enum Progress {
    /// This many positions have been counted.
    Counted(u64),
    /// The scale of scores is known.
    Scale(f64),
    /// An epoch is over.
    Epoch(Epoch),
}

/// The new weights and statistics of the run.
#[derive(Clone, Debug)]
pub struct Report {
    /// The new weights.
    pub weights: Weights,
    /// Training positions.
    pub learnt: u64,
    /// Held-out positions.
    pub held_out: u64,
    /// Positions in check or in a known ending.
    pub skipped: u64,
    /// The scale of scores that was used.
    pub scale: f64,
    /// Every epoch; the first entry is before any.
    pub epochs: Vec<Epoch>,
    /// The error on held-out positions with the new weights, rounded as they will be used.
    pub rounded: f64,
}

impl Report {
    /// The text of a new `weights.rs` for the engine.
    pub fn to_weights_file(&self) -> String {
        weights_file(&self.weights)
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "Learnt from {} positions, held out {}, skipped {}. Scale {:.6} per centipawn.",
            self.learnt, self.held_out, self.skipped, self.scale
        )?;
        writeln!(f, "\nround   training   held out")?;
        for epoch in &self.epochs {
            writeln!(f, "{:>5}   {:.6}   {:.6}", epoch.number, epoch.training, epoch.held_out)?;
        }
        writeln!(f, "rounded            {:.6}", self.rounded)?;
        writeln!(f, "\n{:<24} {:>16}  {:>16}", "term", "before", "after")?;
        for term in TERMS {
            let changes = term.range().filter(|&index| WEIGHTS[index] != self.weights[index]);
            for index in changes {
                let name = match term.len {
                    1 => term.name.to_owned(),
                    _ => format!("{}[{}]", term.name, index - term.start),
                };
                let [before, after] = [WEIGHTS[index], self.weights[index]];
                let pair = |weight: engine::eval::Tapered| format!("{weight:?}");
                writeln!(f, "{name:<24} {:>16}  {:>16}", pair(before), pair(after))?;
            }
        }
        Ok(())
    }
}
