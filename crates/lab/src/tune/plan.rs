//! The settings of a tuning run, and its errors.

use engine::Options;

/// How to tune.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// Number of epochs.
    pub epochs: usize,
    /// Batch size.
    pub batch: usize,
    /// The initial learning rate, in centipawns; it decays to a tenth.
    pub step: f64,
    /// Weight of the search score against the game result, 0 to 1.
    pub score_share: f64,
    /// Regularisation towards the old weights: about as strong as this many positions that agree
    /// with them. Rare features stay where they are.
    pub pull: f64,
    /// The scale of scores, if known: the win probability is `1 / (1 + exp(-scale * centipawns))`.
    /// Otherwise it is fitted to the results first.
    pub scale: Option<f64>,
    /// One block of positions in this many is held out for validation.
    pub held_out: usize,
    /// Number of threads.
    pub threads: usize,
    /// Seed of the order.
    pub seed: u64,
}

impl Default for Plan {
    fn default() -> Self {
        Self {
            epochs: 30,
            batch: 16_384,
            step: 1.0,
            score_share: 0.5,
            pull: 300.0,
            scale: None,
            held_out: 20,
            threads: 2,
            seed: 1,
        }
    }
}

/// Why tuning failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TuneError {
    /// There are no positions to learn from.
    #[error("no positions to learn from; {skipped} were skipped")]
    NoPositions {
        /// Positions in check or in known endings.
        skipped: u64,
    },
    /// A setting is out of range.
    #[error("`{name}` must be {allowed}")]
    BadPlan {
        /// The field.
        name: &'static str,
        /// The allowed values.
        allowed: &'static str,
    },
}

impl Plan {
    /// Checks the settings.
    pub fn check(&self) -> Result<(), TuneError> {
        let rules = [
            (self.batch > 0, "batch", "1 or more"),
            (self.step > 0.0 && self.step < 100.0, "step", "above 0 and below 100"),
            ((0.0..=1.0).contains(&self.score_share), "score_share", "0 to 1"),
            (self.pull >= 0.0 && self.pull.is_finite(), "pull", "0 or more"),
            (self.scale.is_none_or(|k| k > 0.0 && k < 1.0), "scale", "above 0 and below 1"),
            (self.held_out > 1, "held_out", "2 or more"),
            (Options::THREADS.contains(&self.threads), "threads", "1 to 512"),
        ];
        match rules.into_iter().find(|rule| !rule.0) {
            Some((_, name, allowed)) => Err(TuneError::BadPlan { name, allowed }),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plans_without_sense_are_refused() {
        assert_eq!(Plan::default().check(), Ok(()));
        for bad in [
            Plan { batch: 0, ..Plan::default() },
            Plan { step: f64::NAN, ..Plan::default() },
            Plan { score_share: 1.5, ..Plan::default() },
            Plan { scale: Some(0.0), ..Plan::default() },
            Plan { threads: 0, ..Plan::default() },
        ] {
            assert!(matches!(bad.check(), Err(TuneError::BadPlan { .. })), "{bad:?}");
        }
    }
}
