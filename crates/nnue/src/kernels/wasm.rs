//! Kernels for WebAssembly with SIMD (simd128).
//!
//! A loop costs a check for interruption each time round, and the compiler doesn't unroll it by
//! itself, so every round handles a block of several registers.

use std::arch::wasm32::{
    i16x8_add, i16x8_extend_high_i8x16, i16x8_extend_low_i8x16, i16x8_load_extend_i8x8, i16x8_max,
    i16x8_min, i16x8_q15mulr_sat, i16x8_shl, i16x8_splat, i16x8_sub, i32x4_add, i32x4_dot_i16x8,
    i32x4_extract_lane, i32x4_splat, u8x16_narrow_i16x8, u16x8_extend_low_u8x16, v128, v128_load,
    v128_store,
};

use super::portable::{Products, rest};
use crate::layers::{CHUNK, Layers, Units};
use crate::net::{Input, Row};
use crate::shape::{FIRST, HIDDEN, HIDDEN_ONE, PRODUCT_SHIFT, PRODUCTS};

/// A product's shift to the left before its multiplication, which shifts to the right by 15.
const BEFORE: u32 = 15 - PRODUCT_SHIFT;

/// Numbers in a register.
const LANES: usize = 8;
/// Registers in a block: half of what a processor has.
const REGISTERS: usize = 8;
const BLOCK: usize = LANES * REGISTERS;

const _: () = assert!(HIDDEN.is_multiple_of(BLOCK));

pub(super) fn shift(to: &mut Row, from: &Row, on: &Input, off: &Input) {
    compute(to, |at| i16x8_sub(i16x8_add(load(from, at), weights(on, at)), weights(off, at)));
}

pub(super) fn capture(to: &mut Row, from: &Row, on: &Input, off: [&Input; 2]) {
    compute(to, |at| {
        let gone = i16x8_add(weights(off[0], at), weights(off[1], at));
        i16x8_sub(i16x8_add(load(from, at), weights(on, at)), gone)
    });
}

pub(super) fn castle(to: &mut Row, from: &Row, on: [&Input; 2], off: [&Input; 2]) {
    compute(to, |at| {
        let come = i16x8_add(weights(on[0], at), weights(on[1], at));
        let gone = i16x8_add(weights(off[0], at), weights(off[1], at));
        i16x8_sub(i16x8_add(load(from, at), come), gone)
    });
}

pub(super) fn change(to: &mut Row, inputs: &[Input], on: &[u16], off: &[u16]) {
    for block in (0..HIDDEN).step_by(BLOCK) {
        let mut sums: [v128; REGISTERS] = std::array::from_fn(|i| load(to, block + i * LANES));
        for &input in on {
            let input = &inputs[usize::from(input)];
            for (i, sum) in sums.iter_mut().enumerate() {
                *sum = i16x8_add(*sum, weights(input, block + i * LANES));
            }
        }
        for &input in off {
            let input = &inputs[usize::from(input)];
            for (i, sum) in sums.iter_mut().enumerate() {
                *sum = i16x8_sub(*sum, weights(input, block + i * LANES));
            }
        }
        for (i, &sum) in sums.iter().enumerate() {
            store(to, block + i * LANES, sum);
        }
    }
}

pub(super) fn output(hidden: [&Row; 2], layers: &Layers) -> i32 {
    rest(&first(&Products::of(hidden, multiply), layers), layers)
}

/// Multiplies the halves of an accumulator.
fn multiply(row: &Row, products: &mut [u8]) {
    debug_assert_eq!(products.len(), PRODUCTS);
    let (zero, one) = (i16x8_splat(0), i16x8_splat(HIDDEN_ONE as i16));
    let clip = |at: usize| i16x8_min(i16x8_max(load(row, at), zero), one);
    let product = |at: usize| i16x8_q15mulr_sat(i16x8_shl(clip(at), BEFORE), clip(PRODUCTS + at));
    for block in (0..PRODUCTS).step_by(BLOCK) {
        for i in 0..REGISTERS / 2 {
            let at = block + 2 * i * LANES;
            let both = u8x16_narrow_i16x8(product(at), product(at + LANES));
            #[expect(unsafe_code, reason = "stores through a pointer")]
            // SAFETY: 16 products follow `at`; WebAssembly needs no alignment.
            unsafe {
                v128_store(products.as_mut_ptr().add(at).cast(), both);
            }
        }
    }
}

fn first(products: &Products, layers: &Layers) -> Units<FIRST> {
    // Two sums for each unit: of the first and of the last two products of each chunk.
    let mut sums = [i32x4_splat(0); FIRST / 2];
    for (chunk, weights) in products.0.iter().zip(&layers.first) {
        if *chunk == [0; CHUNK] {
            continue;
        }
        let four = u16x8_extend_low_u8x16(i32x4_splat(i32::from_le_bytes(*chunk)));
        for (i, units) in weights.0.as_chunks::<4>().0.iter().enumerate() {
            #[expect(unsafe_code, reason = "loads through a pointer")]
            // SAFETY: four units have 16 weights; WebAssembly needs no alignment.
            let weights = unsafe { v128_load(units.as_ptr().cast()) };
            let [low, high] = [i16x8_extend_low_i8x16(weights), i16x8_extend_high_i8x16(weights)];
            sums[2 * i] = i32x4_add(sums[2 * i], i32x4_dot_i16x8(four, low));
            sums[2 * i + 1] = i32x4_add(sums[2 * i + 1], i32x4_dot_i16x8(four, high));
        }
    }
    let mut units = layers.first_bias;
    for (two, sum) in units.0.as_chunks_mut::<2>().0.iter_mut().zip(sums) {
        two[0] += i32x4_extract_lane::<0>(sum) + i32x4_extract_lane::<1>(sum);
        two[1] += i32x4_extract_lane::<2>(sum) + i32x4_extract_lane::<3>(sum);
    }
    units
}

/// Sets each register of a row.
#[inline]
fn compute(to: &mut Row, value: impl Fn(usize) -> v128) {
    for block in (0..HIDDEN).step_by(BLOCK) {
        for i in 0..REGISTERS {
            let at = block + i * LANES;
            store(to, at, value(at));
        }
    }
}

#[inline]
fn load(row: &Row, at: usize) -> v128 {
    debug_assert!(at.is_multiple_of(LANES) && at + LANES <= HIDDEN);
    #[expect(unsafe_code, reason = "loads through a pointer")]
    // SAFETY: callers pass multiples of 8 below HIDDEN; WebAssembly needs no alignment.
    unsafe {
        v128_load(row.0.as_ptr().add(at).cast())
    }
}

#[inline]
fn weights(input: &Input, at: usize) -> v128 {
    debug_assert!(at.is_multiple_of(LANES) && at + LANES <= HIDDEN);
    #[expect(unsafe_code, reason = "loads through a pointer")]
    // SAFETY: as for accumulators.
    unsafe {
        i16x8_load_extend_i8x8(input.0.as_ptr().add(at))
    }
}

#[inline]
fn store(row: &mut Row, at: usize, value: v128) {
    debug_assert!(at.is_multiple_of(LANES) && at + LANES <= HIDDEN);
    #[expect(unsafe_code, reason = "stores through a pointer")]
    // SAFETY: as for loads.
    unsafe {
        v128_store(row.0.as_mut_ptr().add(at).cast(), value);
    }
}
