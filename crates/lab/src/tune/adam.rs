//! The Adam optimiser.

use super::model::Table;

/// Running averages of the gradient and of its square.
#[derive(Debug)]
pub struct Adam {
    mean: Table,
    square: Table,
    steps: i32,
}

const MEAN_DECAY: f64 = 0.9;
const SQUARE_DECAY: f64 = 0.999;

impl Adam {
    pub fn new(weights: usize) -> Self {
        Self { mean: vec![[0.0; 2]; weights], square: vec![[0.0; 2]; weights], steps: 0 }
    }

    /// Updates the weights, by about `step` where the gradient is steady.
    pub fn descend(&mut self, table: &mut Table, gradient: &Table, step: f64) {
        self.steps += 1;
        let mean_bias = 1.0 - MEAN_DECAY.powi(self.steps);
        let square_bias = 1.0 - SQUARE_DECAY.powi(self.steps);
        let averages = self.mean.iter_mut().zip(&mut self.square);
        for ((weight, slope), (mean, square)) in table.iter_mut().zip(gradient).zip(averages) {
            for half in 0..2 {
                mean[half] += (1.0 - MEAN_DECAY) * (slope[half] - mean[half]);
                square[half] += (1.0 - SQUARE_DECAY) * (slope[half] * slope[half] - square[half]);
                let typical = (square[half] / square_bias).sqrt();
                // A weight that never counts has no gradient and stays.
                if typical > 0.0 {
                    weight[half] -= step * mean[half] / mean_bias / typical;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_finds_the_bottom_of_a_bowl() {
        let mut table = vec![[10.0, -3.0]];
        let mut adam = Adam::new(1);
        for round in 0..2000 {
            let gradient = vec![[table[0][0] - 4.0, 100.0 * (table[0][1] - 1.0)]];
            adam.descend(&mut table, &gradient, 0.1 / f64::from(1 + round / 100));
        }
        assert!((table[0][0] - 4.0).abs() < 0.01 && (table[0][1] - 1.0).abs() < 0.01, "{table:?}");
    }
}
