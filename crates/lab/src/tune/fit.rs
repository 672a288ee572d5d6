//! Win probabilities, their loss against the targets, and its gradient.

use super::counted::{Counted, Record};
use super::model::{Table, backward, forward};

/// The win probability for a score.
pub fn win_chance(centipawns: f64, scale: f64) -> f64 {
    1.0 / (1.0 + (-scale * centipawns).exp())
}

/// What the evaluation should predict.
#[derive(Copy, Clone, Debug)]
pub struct Target {
    /// The scale of scores.
    pub scale: f64,
    /// Weight of the search score against the result.
    pub score_share: f64,
}

impl Target {
    fn of(self, record: &Record) -> f64 {
        let result = f64::from(record.result);
        match record.score {
            Some(score) => {
                let chance = win_chance(f64::from(score), self.scale);
                result + self.score_share * (chance - result)
            }
            None => result,
        }
    }
}

/// The mean squared error over some positions.
pub fn loss(
    counted: &Counted,
    chosen: &[u32],
    table: &Table,
    target: Target,
    threads: usize,
) -> f64 {
    let part = |chosen: &[u32]| -> f64 {
        let each = chosen.iter().map(|&index| {
            let record = &counted.records[index as usize];
            let value = forward(record, &counted.counts(record), table).value;
            (win_chance(value, target.scale) - target.of(record)).powi(2)
        });
        each.sum()
    };
    let parts = in_parallel(chosen, threads, part);
    parts.into_iter().sum::<f64>() / chosen.len().max(1) as f64
}

/// The gradient of the mean loss over some positions, and the loss.
pub fn slope(
    counted: &Counted,
    chosen: &[u32],
    table: &Table,
    target: Target,
    threads: usize,
) -> (Table, f64) {
    let part = |chosen: &[u32]| {
        let mut gradient = vec![[0.0; 2]; table.len()];
        let mut loss = 0.0;
        for &index in chosen {
            let record = &counted.records[index as usize];
            let counts = counted.counts(record);
            let here = forward(record, &counts, table);
            let chance = win_chance(here.value, target.scale);
            let error = chance - target.of(record);
            loss += error * error;
            let slope = 2.0 * error * chance * (1.0 - chance) * target.scale;
            backward(record, &counts, &here, slope, &mut gradient);
        }
        (gradient, loss)
    };
    let share = 1.0 / chosen.len().max(1) as f64;
    let mut total = vec![[0.0; 2]; table.len()];
    let mut loss = 0.0;
    for (gradient, part) in in_parallel(chosen, threads, part) {
        loss += part * share;
        for (sum, slope) in total.iter_mut().zip(gradient) {
            sum[0] += slope[0] * share;
            sum[1] += slope[1] * share;
        }
    }
    (total, loss)
}

/// The scale at which the evaluation predicts the results best. The loss has a single minimum, so a
/// ternary search finds it.
pub fn fit_scale(counted: &Counted, chosen: &[u32], table: &Table, threads: usize) -> f64 {
    let loss_at =
        |scale: f64| loss(counted, chosen, table, Target { scale, score_share: 0.0 }, threads);
    let (mut low, mut high) = (0.0005_f64, 0.02_f64);
    while high - low > 0.000_01 {
        let left = low + (high - low) / 3.0;
        let right = high - (high - low) / 3.0;
        if loss_at(left) < loss_at(right) {
            high = right;
        } else {
            low = left;
        }
    }
    f64::midpoint(low, high)
}

/// Splits the positions among threads; the results are in order, so that floating-point sums are
/// the same on every run.
fn in_parallel<R: Send>(
    chosen: &[u32],
    threads: usize,
    work: impl Fn(&[u32]) -> R + Sync,
) -> Vec<R> {
    let size = chosen.len().div_ceil(threads).max(1);
    std::thread::scope(|scope| {
        let work = &work;
        let workers: Vec<_> =
            chosen.chunks(size).map(|part| scope.spawn(move || work(part))).collect();
        let join = |worker: std::thread::ScopedJoinHandle<'_, R>| {
            worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        workers.into_iter().map(join).collect()
    })
}
