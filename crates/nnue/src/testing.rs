//! Helpers for tests.

use crate::kernels::some_weights;
use crate::layers::Weights;
use crate::net::{Input, Net, Row};
use crate::shape::{INPUTS, OUTPUTS};

/// A network of random weights similar to trained ones.
pub(crate) fn random_net(seed: u64) -> Net {
    let mut state = seed;
    let mut next = |limit: i32| {
        // Knuth's generator; its upper bits are good enough here.
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 33) % (2 * limit as u64 + 1)) as i32 - limit
    };
    let inputs = (0..INPUTS).map(|_| Input(std::array::from_fn(|_| next(100) as i8))).collect();
    let bias = Row(std::array::from_fn(|_| next(100) as i16));
    let layers: Vec<Weights> = (0..OUTPUTS).map(|_| some_weights(30, &mut next)).collect();
    Net::new(format!("random weights of seed {seed}"), inputs, bias, &layers)
        .expect("weights within the limits")
}
