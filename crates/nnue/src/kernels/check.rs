//! Compares a kernel with the portable one where it runs, also where no test harness does.

use super::Kernel;
use crate::layers::{Layers, Weights};
use crate::net::{Input, Row};
use crate::shape::{BIAS_LIMIT, FIRST, HIDDEN, LIMIT, SECOND};

impl Kernel {
    /// Whether it computes the same integers as the portable kernel, for weights made from a seed
    /// and for the largest numbers.
    pub fn is_exact(self, seed: u64) -> bool {
        let mut state = seed | 1;
        let mut roll = |limit: i32| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) as i32 % (2 * limit + 1) - limit
        };
        let sets: Vec<Layers> = [1, 30, 127]
            .map(|limit| Layers::new(&some_weights(limit, &mut roll)))
            .map(|layers| layers.expect("numbers within the limits"))
            .into();
        let most = [i16::MAX, i16::MIN].map(|number| Row([number; HIDDEN]));
        (0..40).all(|_| {
            let mut row = |limit: i32| Row(std::array::from_fn(|_| roll(limit) as i16));
            let rows: [Row; 3] = std::array::from_fn(|_| row(i16::MAX.into()));
            // Within the range that clipping leaves alone, and beyond it.
            let hidden = [row(300), row(300)];
            let inputs: [Input; 5] =
                std::array::from_fn(|_| Input(std::array::from_fn(|_| roll(i8::MAX.into()) as i8)));
            let [a, b, c, d, _] = &inputs;
            let compute = |kernel: Self| {
                let mut to = [Row::ZERO, Row::ZERO, Row::ZERO, rows[2].clone()];
                kernel.shift(&mut to[0], &rows[0], a, b);
                kernel.capture(&mut to[1], &rows[0], a, [b, c]);
                kernel.castle(&mut to[2], &rows[0], [a, d], [b, c]);
                kernel.change(&mut to[3], &inputs, &[0, 3, 4], &[1, 2]);
                let outputs = sets.iter().flat_map(|layers| {
                    [
                        kernel.output([&hidden[0], &hidden[1]], layers),
                        kernel.output([&rows[0], &rows[1]], layers),
                        kernel.output([&most[0], &hidden[0]], layers),
                        kernel.output([&most[0], &most[0]], layers),
                        kernel.output([&most[1], &most[1]], layers),
                    ]
                });
                (to, outputs.collect::<Vec<_>>())
            };
            compute(self) == compute(Self::PORTABLE)
        })
    }
}

/// Weights, those of the first layer up to a limit; with the greatest limit, every number is the
/// greatest. `roll` gives a number from minus to plus a limit.
pub(crate) fn some_weights(limit: i32, roll: &mut impl FnMut(i32) -> i32) -> Weights {
    let greatest = limit == 127;
    let mut some = |limit: i32, most: i32| if greatest { most } else { roll(limit) };
    let mut weights = Weights { last_bias: some(1_000_000, BIAS_LIMIT), ..Weights::default() };
    weights.first.resize_with(FIRST * HIDDEN, || some(limit, 127) as i8);
    weights.first_bias.resize_with(FIRST, || some(10_000, BIAS_LIMIT));
    weights.second.resize_with(SECOND * 2 * FIRST, || some(500, LIMIT) as i16);
    weights.second_bias.resize_with(SECOND, || some(4_000_000, BIAS_LIMIT));
    weights.last.resize_with(SECOND, || some(1_000, LIMIT) as i16);
    weights
}
