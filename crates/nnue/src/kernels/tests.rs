//! Every kernel agrees with the portable one, bit for bit.

use proptest::prelude::*;

use super::check::some_weights;
use super::{Kernel, portable};
use crate::layers::{Layers, Weights};
use crate::net::{Input, Row};
use crate::shape::{
    BIAS_LIMIT, FIRST, HIDDEN, HIDDEN_ONE, LAST_ONE, LIMIT, SECOND, SECOND_BITS, UNIT_ONE,
};

fn row(numbers: std::ops::RangeInclusive<i16>) -> impl Strategy<Value = Row> {
    proptest::collection::vec(numbers, HIDDEN).prop_map(|numbers| {
        let mut row = Row::ZERO;
        row.0.copy_from_slice(&numbers);
        row
    })
}

fn any_row() -> impl Strategy<Value = Row> {
    row(i16::MIN..=i16::MAX)
}

fn any_input() -> impl Strategy<Value = Input> {
    proptest::collection::vec(any::<i8>(), HIDDEN).prop_map(|numbers| {
        let mut input = Input([0; HIDDEN]);
        input.0.copy_from_slice(&numbers);
        input
    })
}

proptest! {
    #[test]
    fn all_kernels_agree(
        rows in proptest::collection::vec(any_row(), 3),
        inputs in proptest::collection::vec(any_input(), 5),
        hidden in [row(-100..=300), row(-600..=300)],
        seed: u32,
    ) {
        let mut state = u64::from(seed);
        let layers = Layers::new(&some_weights(30, &mut |limit| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) as i32 % (2 * limit + 1) - limit
        }));
        let layers = layers.expect("weights within the limits");
        let compute = |kernel: Kernel| {
            let [a, b, c, d] = [0, 1, 2, 3].map(|at| &inputs[at]);
            let mut to = [Row::ZERO, Row::ZERO, Row::ZERO, rows[2].clone()];
            kernel.shift(&mut to[0], &rows[0], a, b);
            kernel.capture(&mut to[1], &rows[0], a, [b, c]);
            kernel.castle(&mut to[2], &rows[0], [a, d], [b, c]);
            kernel.change(&mut to[3], &inputs, &[0, 3, 4], &[1, 2]);
            let pairs = [[&rows[0], &rows[1]], [&hidden[0], &hidden[1]], [&rows[0], &hidden[1]]];
            (to, pairs.map(|pair| kernel.output(pair, &layers)))
        };
        let expected = compute(Kernel::PORTABLE);
        for kernel in Kernel::available() {
            prop_assert_eq!(&compute(kernel), &expected, "{}", kernel.name());
        }
    }
}

/// Layers in which every number is the same, but for its sign.
fn uniform(first: i8, second: i16, last: i16, bias: i32) -> Layers {
    let weights = Weights {
        first: vec![first; FIRST * HIDDEN],
        first_bias: vec![bias; FIRST],
        second: vec![second; SECOND * 2 * FIRST],
        second_bias: vec![bias; SECOND],
        last: vec![last; SECOND],
        last_bias: bias,
    };
    Layers::new(&weights).expect("numbers within the limits")
}

#[test]
fn the_greatest_sums_fit() {
    let full = Row([i16::MAX; HIDDEN]);
    let most = LIMIT as i16;
    for (layers, expected) in [
        (uniform(127, most, most, BIAS_LIMIT), BIAS_LIMIT + SECOND as i32 * UNIT_ONE * LIMIT),
        (uniform(127, most, -most, BIAS_LIMIT), BIAS_LIMIT - SECOND as i32 * UNIT_ONE * LIMIT),
        // Negative units are clipped to nothing, and their squares are whole.
        (uniform(-127, -most, most, -BIAS_LIMIT), -BIAS_LIMIT),
        (uniform(-128, most, most, 0), SECOND as i32 * UNIT_ONE * LIMIT),
    ] {
        for kernel in Kernel::available() {
            assert_eq!(kernel.output([&full, &full], &layers), expected, "{}", kernel.name());
        }
    }
}

#[test]
fn layers_compute_what_the_documentation_says() {
    // One pair of numbers isn't zero: 200 / 255 and 100 / 255.
    let mut hidden = [Row::ZERO, Row::ZERO];
    (hidden[1].0[5], hidden[1].0[HIDDEN / 2 + 5]) = (200, 100);
    let mut weights = uniform(0, 0, 0, 0).weights();
    // Unit 3 of the first layer: -1.5 of the product, and 0.1.
    let one = f64::from(UNIT_ONE) * 512.0 / f64::from(HIDDEN_ONE * HIDDEN_ONE);
    weights.first[3 * HIDDEN + HIDDEN / 2 + 5] = (-1.5 * one).round() as i8;
    weights.first_bias[3] = UNIT_ONE / 10;
    // Unit 7 of the second: 2 of its square, 4 of it clipped, and 0.25.
    weights.second[7 * 2 * FIRST + 3] = 4 << SECOND_BITS;
    weights.second[7 * 2 * FIRST + FIRST + 3] = 2 << SECOND_BITS;
    weights.second_bias[7] = (UNIT_ONE / 4) << SECOND_BITS;
    weights.last[7] = (3 * LAST_ONE / 2) as i16;
    let layers = Layers::new(&weights).expect("numbers within the limits");
    let product = 200.0 / 255.0 * 100.0 / 255.0;
    let first: f64 = 0.1 - 1.5 * product;
    let second = 0.25 + 2.0 * first * first;
    let expected = 1.5 * second * second;
    let found = portable::output([&hidden[0], &hidden[1]], &layers);
    let found = f64::from(found) / f64::from(UNIT_ONE * LAST_ONE);
    assert!((found - expected).abs() < 0.01, "{found} is not {expected}");
}

#[test]
fn every_kernel_passes_its_own_check() {
    for kernel in Kernel::available() {
        assert!(kernel.is_exact(7), "{}", kernel.name());
    }
}
