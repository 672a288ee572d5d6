//! Helpers for tests.

use crate::net::{Net, Output, Row};
use crate::shape::{INPUTS, OUTPUT_LIMIT, OUTPUTS};

/// A network of random weights similar to trained ones.
pub(crate) fn random_net(seed: u64) -> Net {
    let mut state = seed;
    let mut next = |limit: i16| {
        // Knuth's generator; its upper bits are good enough here.
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 33) % (2 * limit as u64 + 1)) as i16 - limit
    };
    let mut row = |limit: i16| Row(std::array::from_fn(|_| next(limit)));
    let inputs = (0..INPUTS).map(|_| row(100)).collect();
    let bias = row(100);
    let output = |number| Output {
        weights: [row(OUTPUT_LIMIT as i16), row(OUTPUT_LIMIT as i16)],
        bias: number * 500 - 1_500,
    };
    let outputs = (0..OUTPUTS as i32).map(output).collect();
    Net::new(format!("random weights of seed {seed}"), inputs, bias, outputs)
        .expect("the lengths match the shape")
}
