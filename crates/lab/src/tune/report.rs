//! What came of it.

use std::fmt;

use engine::eval::{TERMS, WEIGHTS, Weights};

use super::weights_file;

/// How well the weights foretell after a round.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Epoch {
    /// Its number, from 1; 0 is before the first.
    pub number: usize,
    /// The mean squared error on what is learnt from; a running mean of the round.
    pub training: f64,
    /// The mean squared error on what was held out.
    pub held_out: f64,
}

/// Something worth telling has happened.
#[derive(Copy, Clone, Debug, PartialEq)]
pub enum Progress {
    /// So many positions have been counted.
    Counted(u64),
    /// The scale of scores is known.
    Scale(f64),
    /// A round is over.
    Epoch(Epoch),
}

/// New weights and how they were found.
#[derive(Clone, Debug)]
pub struct Report {
    /// The new weights.
    pub weights: Weights,
    /// Positions learnt from.
    pub learnt: u64,
    /// Positions held out.
    pub held_out: u64,
    /// Positions that were in check or a known ending.
    pub skipped: u64,
    /// The scale of scores that was used.
    pub scale: f64,
    /// Every round; the first is before any.
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
