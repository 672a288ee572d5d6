//! Compares a kernel with the portable one where it runs, also where no test harness does.

use super::Kernel;
use crate::net::Row;
use crate::shape::OUTPUT_LIMIT;

impl Kernel {
    /// Whether it computes the same integers as the portable kernel, for rows made from a seed and
    /// for the largest numbers.
    pub fn is_exact(self, seed: u64) -> bool {
        let mut state = seed | 1;
        let mut roll = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) as i32
        };
        let mut row = |limit: i32| {
            let mut row = Row::ZERO;
            row.0.fill_with(|| (roll() % (2 * limit + 1) - limit) as i16);
            row
        };
        let mut most = [Row::ZERO, Row::ZERO, Row::ZERO];
        most[0].0.fill(i16::MAX);
        most[1].0.fill(OUTPUT_LIMIT as i16);
        most[2].0.fill(-OUTPUT_LIMIT as i16);
        (0..100).all(|_| {
            let rows: [Row; 6] = std::array::from_fn(|_| row(i16::MAX.into()));
            let weights = row(OUTPUT_LIMIT);
            // Within the range that clipping leaves alone, and beyond it.
            let hidden = row(300);
            let compute = |kernel: Self| {
                let mut to = [Row::ZERO, Row::ZERO, Row::ZERO, rows[5].clone()];
                kernel.shift(&mut to[0], &rows[0], &rows[1], &rows[2]);
                kernel.capture(&mut to[1], &rows[0], &rows[1], [&rows[2], &rows[3]]);
                kernel.castle(&mut to[2], &rows[0], [&rows[1], &rows[4]], [&rows[2], &rows[3]]);
                kernel.change(&mut to[3], &rows, &[0, 3, 4], &[1, 2]);
                let sums = [
                    kernel.weigh(&rows[0], &weights),
                    kernel.weigh(&hidden, &weights),
                    kernel.weigh(&most[0], &most[1]),
                    kernel.weigh(&most[0], &most[2]),
                ];
                (to, sums)
            };
            compute(self) == compute(Self::PORTABLE)
        })
    }
}
