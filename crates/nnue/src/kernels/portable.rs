//! The arithmetic in plain Rust: the reference for the other kernels.
//!
//! The functions are inlined into the other kernels, where the compiler can use wider registers.

use crate::layers::{CHUNK, Layers, Units};
use crate::net::{Input, Row};
use crate::shape::{
    FIRST, HIDDEN, HIDDEN_ONE, PRODUCT_SHIFT, PRODUCTS, SECOND, SECOND_BITS, UNIT_BITS, UNIT_ONE,
};

/// The products of both accumulators, the side to move's first, in chunks.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub(super) struct Products(pub(super) [[u8; CHUNK]; HIDDEN / CHUNK]);

impl Products {
    pub(super) const ZERO: Self = Self([[0; CHUNK]; HIDDEN / CHUNK]);

    /// Of two accumulators, by a function that writes those of one.
    #[inline]
    pub(super) fn of(hidden: [&Row; 2], multiply: impl Fn(&Row, &mut [u8])) -> Self {
        let mut products = Self::ZERO;
        let numbers = products.0.as_flattened_mut();
        for (to, row) in numbers.chunks_exact_mut(PRODUCTS).zip(hidden) {
            multiply(row, to);
        }
        products
    }
}

#[inline(always)]
#[expect(clippy::inline_always, reason = "compiled once for each kind of processor")]
pub(super) fn shift(to: &mut Row, from: &Row, on: &Input, off: &Input) {
    for i in 0..HIDDEN {
        let change = i16::from(on.0[i]) - i16::from(off.0[i]);
        to.0[i] = from.0[i].wrapping_add(change);
    }
}

#[inline(always)]
#[expect(clippy::inline_always, reason = "compiled once for each kind of processor")]
pub(super) fn capture(to: &mut Row, from: &Row, on: &Input, off: [&Input; 2]) {
    for i in 0..HIDDEN {
        let gone = i16::from(off[0].0[i]) + i16::from(off[1].0[i]);
        to.0[i] = from.0[i].wrapping_add(i16::from(on.0[i]) - gone);
    }
}

#[inline(always)]
#[expect(clippy::inline_always, reason = "compiled once for each kind of processor")]
pub(super) fn castle(to: &mut Row, from: &Row, on: [&Input; 2], off: [&Input; 2]) {
    for i in 0..HIDDEN {
        let come = i16::from(on[0].0[i]) + i16::from(on[1].0[i]);
        let gone = i16::from(off[0].0[i]) + i16::from(off[1].0[i]);
        to.0[i] = from.0[i].wrapping_add(come - gone);
    }
}

/// Numbers that stay in registers while all changes are added.
const TILE: usize = 128;

#[inline(always)]
#[expect(clippy::inline_always, reason = "compiled once for each kind of processor")]
pub(super) fn change(to: &mut Row, inputs: &[Input], on: &[u16], off: &[u16]) {
    let (tiles, rest) = to.0.as_chunks_mut::<TILE>();
    const { assert!(HIDDEN.is_multiple_of(TILE)) };
    debug_assert!(rest.is_empty());
    for (number, tile) in tiles.iter_mut().enumerate() {
        let at = number * TILE;
        let mut sum = *tile;
        for &input in on {
            let weights = &inputs[usize::from(input)].0[at..at + TILE];
            for i in 0..TILE {
                sum[i] = sum[i].wrapping_add(weights[i].into());
            }
        }
        for &input in off {
            let weights = &inputs[usize::from(input)].0[at..at + TILE];
            for i in 0..TILE {
                sum[i] = sum[i].wrapping_sub(weights[i].into());
            }
        }
        *tile = sum;
    }
}

pub(super) fn output(hidden: [&Row; 2], layers: &Layers) -> i32 {
    rest(&first(&Products::of(hidden, multiply), layers), layers)
}

/// Multiplies the two halves of an accumulator, clipped to 0..=255.
#[inline]
fn multiply(row: &Row, products: &mut [u8]) {
    let (left, right) = row.0.split_at(PRODUCTS);
    for (to, (&left, &right)) in products.iter_mut().zip(left.iter().zip(right)) {
        let [left, right] = [left, right].map(|number| i32::from(number).clamp(0, HIDDEN_ONE));
        *to = ((left * right + (1 << (PRODUCT_SHIFT - 1))) >> PRODUCT_SHIFT) as u8;
    }
}

/// The sums of the first layer. Most products are zero, and chunks of zeros are skipped.
#[inline]
pub(super) fn first(products: &Products, layers: &Layers) -> Units<FIRST> {
    let mut sums = layers.first_bias;
    for (chunk, weights) in products.0.iter().zip(&layers.first) {
        if *chunk == [0; CHUNK] {
            continue;
        }
        for (sum, weights) in sums.0.iter_mut().zip(&weights.0) {
            for (&product, &weight) in chunk.iter().zip(weights) {
                *sum += i32::from(product) * i32::from(weight);
            }
        }
    }
    sums
}

/// The second layer, of the first one's units clipped and squared, and the last, of squares.
#[inline]
pub(super) fn rest(first: &Units<FIRST>, layers: &Layers) -> i32 {
    let mut sums = layers.second_bias;
    for (&unit, weights) in first.0.iter().zip(&layers.second) {
        let clipped = unit.clamp(-UNIT_ONE, UNIT_ONE);
        let squared = (clipped * clipped) >> UNIT_BITS;
        let clipped = clipped.max(0);
        for i in 0..SECOND {
            let [for_clipped, for_squared] = weights.0[i].map(i32::from);
            sums.0[i] += clipped * for_clipped + squared * for_squared;
        }
    }
    let mut value = layers.last_bias;
    for (&sum, &weight) in sums.0.iter().zip(&layers.last.0) {
        let clipped = (sum >> SECOND_BITS).clamp(0, UNIT_ONE);
        value += ((clipped * clipped) >> UNIT_BITS) * weight;
    }
    value
}
