//! Fits the WDL model: win, draw and loss probabilities by score.
//!
//! The win probability by score is a logistic curve around the score at which half of the games are
//! won; that score and the width of the curve depend on the material. The loss probability is the
//! same curve for the opponent, and the rest is the draw probability.

use engine::wdl::{MATERIAL, Model, material};
use nnue::data::Sample;

/// Scores beyond this add nothing.
const HIGHEST: i32 = 1_200;
/// Scores are binned in steps of this many centipawns.
const STEP: i32 = 10;
const SCORES: usize = (2 * HIGHEST / STEP + 1) as usize;

/// Results by score and material.
#[derive(Clone, Debug)]
pub struct Counts {
    /// Lost, drawn, won by the side to move.
    bins: Vec<[u64; 3]>,
    /// Positions counted.
    pub positions: u64,
}

impl Default for Counts {
    fn default() -> Self {
        let materials = (MATERIAL.end() - MATERIAL.start() + 1) as usize;
        Self { bins: vec![[0; 3]; SCORES * materials], positions: 0 }
    }
}

impl Counts {
    /// Counts a position unless its score is a mate.
    pub fn add(&mut self, sample: &Sample) {
        let score = i32::from(sample.score.value());
        if score.abs() > HIGHEST {
            return;
        }
        let result = match sample.winner {
            None => 1,
            Some(winner) if winner == sample.position.turn() => 2,
            Some(_) => 0,
        };
        self.count(score, material(&sample.position), result, 1);
    }

    fn count(&mut self, score: i32, material: u32, result: usize, times: u64) {
        let score = ((score + HIGHEST) as usize + STEP as usize / 2) / STEP as usize;
        let material = (material - MATERIAL.start()) as usize;
        self.bins[material * SCORES + score][result] += times;
        self.positions += times;
    }

    /// Score, material and results of all non-empty bins.
    fn filled(&self) -> impl Iterator<Item = (f64, u32, [f64; 3])> {
        self.bins.iter().enumerate().filter(|(_, bin)| **bin != [0; 3]).map(|(index, bin)| {
            let score = (index % SCORES) as i32 * STEP - HIGHEST;
            let material = MATERIAL.start() + (index / SCORES) as u32;
            (f64::from(score), material, bin.map(|count| count as f64))
        })
    }

    /// How badly a model explains the results: the mean negative log-likelihood.
    pub fn loss(&self, model: &Model) -> f64 {
        let total: f64 = self
            .filled()
            .map(|(score, material, results)| {
                let chances = model.chances(score, material);
                let parts = results.iter().zip(chances);
                -parts.map(|(count, chance)| count * chance.max(1e-9).ln()).sum::<f64>()
            })
            .sum();
        total / (self.positions.max(1) as f64)
    }

    /// The model that explains the results best, found by descent from another one.
    pub fn fit(&self, start: Model) -> Model {
        let mut best = start;
        let mut loss = self.loss(&best);
        let mut steps = [8.0; Model::COEFFICIENTS];
        // Coordinate descent, with steps that grow while they help.
        while steps.iter().any(|&step| step > 0.01) {
            for (place, step) in steps.iter_mut().enumerate() {
                let better = [*step, -*step].into_iter().find_map(|change| {
                    let mut tried = best;
                    *tried.coefficient(place) += change;
                    let tried_loss = self.loss(&tried);
                    (tried_loss < loss).then_some((tried, tried_loss))
                });
                if let Some((tried, tried_loss)) = better {
                    (best, loss) = (tried, tried_loss);
                    *step *= 1.3;
                } else {
                    *step *= 0.5;
                }
            }
        }
        best
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_model_behind_the_results_is_found() {
        let truth = Model { middle: [180.0, 40.0, 10.0], width: [60.0, 20.0, 5.0] };
        let mut counts = Counts::default();
        for material in MATERIAL {
            for score in (-800..=800).step_by(STEP as usize) {
                let chances = truth.chances(f64::from(score), material);
                for (result, chance) in chances.into_iter().enumerate() {
                    counts.count(score, material, result, (chance * 10_000.0).round() as u64);
                }
            }
        }
        let start = Model { middle: [100.0, 0.0, 0.0], width: [100.0, 0.0, 0.0] };
        let fitted = counts.fit(start);
        assert!(counts.loss(&fitted) <= counts.loss(&truth) + 1e-5);
        for material in [10, 40, 78] {
            for score in [0.0, 120.0, 400.0] {
                let pairs = fitted.chances(score, material).into_iter();
                for (found, wanted) in pairs.zip(truth.chances(score, material)) {
                    assert!((found - wanted).abs() < 0.01, "{fitted:?}");
                }
            }
        }
    }
}
