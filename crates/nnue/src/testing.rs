//! Helpers for tests.

use crate::layers::Weights;
use crate::net::{Net, Row};
use crate::shape::{FIRST, HIDDEN, INPUTS, OUTPUTS, SECOND};

/// A network of random weights similar to trained ones.
pub(crate) fn random_net(seed: u64) -> Net {
    let mut state = seed;
    let mut next = |limit: i32| {
        // Knuth's generator; its upper bits are good enough here.
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 33) % (2 * limit as u64 + 1)) as i32 - limit
    };
    let mut row = |limit: i32| Row(std::array::from_fn(|_| next(limit) as i16));
    let inputs = (0..INPUTS).map(|_| row(100)).collect();
    let bias = row(100);
    let layers: Vec<Weights> = (0..OUTPUTS).map(|_| random_weights(&mut next)).collect();
    Net::new(format!("random weights of seed {seed}"), inputs, bias, &layers)
        .expect("weights within the limits")
}

/// Layers whose units are often, but not always, beyond where they are clipped. `next` gives a
/// number from minus to plus a limit.
pub(crate) fn random_weights(next: &mut impl FnMut(i32) -> i32) -> Weights {
    let mut many = |count: usize, limit: i32| (0..count).map(|_| next(limit)).collect::<Vec<_>>();
    let small = |numbers: Vec<i32>| numbers.into_iter().map(|number| number as i16).collect();
    Weights {
        first: many(FIRST * HIDDEN, 30).into_iter().map(|weight| weight as i8).collect(),
        first_bias: many(FIRST, 10_000),
        second: small(many(SECOND * 2 * FIRST, 500)),
        second_bias: many(SECOND, 4_000_000),
        last: small(many(SECOND, 1_000)),
        last_bias: many(1, 1_000_000)[0],
    }
}
