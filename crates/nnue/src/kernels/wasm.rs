//! Kernels for WebAssembly with SIMD (simd128).
//!
//! A loop costs a check for interruption each time round, and the compiler doesn't unroll it by
//! itself, so every round handles a block of several registers.

use std::arch::wasm32::{
    i16x8_add, i16x8_max, i16x8_min, i16x8_mul, i16x8_splat, i16x8_sub, i32x4_add, i32x4_dot_i16x8,
    i32x4_extract_lane, i32x4_splat, u16x8_shr, v128, v128_load, v128_store,
};

use crate::net::Row;
use crate::shape::{HIDDEN, HIDDEN_ONE, SQUARE_SHIFT};

/// Numbers in a register.
const LANES: usize = 8;
/// Registers in a block: half of what a processor has.
const REGISTERS: usize = 8;
const BLOCK: usize = LANES * REGISTERS;

const _: () = assert!(HIDDEN.is_multiple_of(BLOCK));

pub(super) fn shift(to: &mut Row, from: &Row, on: &Row, off: &Row) {
    compute(to, |at| i16x8_sub(i16x8_add(load(from, at), load(on, at)), load(off, at)));
}

pub(super) fn capture(to: &mut Row, from: &Row, on: &Row, off: [&Row; 2]) {
    compute(to, |at| {
        let gone = i16x8_add(load(off[0], at), load(off[1], at));
        i16x8_sub(i16x8_add(load(from, at), load(on, at)), gone)
    });
}

pub(super) fn castle(to: &mut Row, from: &Row, on: [&Row; 2], off: [&Row; 2]) {
    compute(to, |at| {
        let come = i16x8_add(load(on[0], at), load(on[1], at));
        let gone = i16x8_add(load(off[0], at), load(off[1], at));
        i16x8_sub(i16x8_add(load(from, at), come), gone)
    });
}

pub(super) fn change(to: &mut Row, rows: &[Row], on: &[u16], off: &[u16]) {
    for block in (0..HIDDEN).step_by(BLOCK) {
        let mut sums: [v128; REGISTERS] = std::array::from_fn(|i| load(to, block + i * LANES));
        for &input in on {
            let row = &rows[usize::from(input)];
            for (i, sum) in sums.iter_mut().enumerate() {
                *sum = i16x8_add(*sum, load(row, block + i * LANES));
            }
        }
        for &input in off {
            let row = &rows[usize::from(input)];
            for (i, sum) in sums.iter_mut().enumerate() {
                *sum = i16x8_sub(*sum, load(row, block + i * LANES));
            }
        }
        for (i, &sum) in sums.iter().enumerate() {
            store(to, block + i * LANES, sum);
        }
    }
}

pub(super) fn weigh(hidden: &Row, weights: &Row) -> i64 {
    let one = i16x8_splat(HIDDEN_ONE as i16);
    let zero = i16x8_splat(0);
    let mut sums = [i32x4_splat(0); 2];
    for block in (0..HIDDEN).step_by(BLOCK) {
        for i in 0..REGISTERS {
            let at = block + i * LANES;
            let clipped = i16x8_min(i16x8_max(load(hidden, at), zero), one);
            let square = u16x8_shr(i16x8_mul(clipped, clipped), SQUARE_SHIFT);
            let sum = &mut sums[i % 2];
            *sum = i32x4_add(*sum, i32x4_dot_i16x8(square, load(weights, at)));
        }
    }
    // Four lanes of 32 bits hold the greatest sum (`shape.rs`), together they may not.
    let sum = i32x4_add(sums[0], sums[1]);
    i64::from(i32x4_extract_lane::<0>(sum))
        + i64::from(i32x4_extract_lane::<1>(sum))
        + i64::from(i32x4_extract_lane::<2>(sum))
        + i64::from(i32x4_extract_lane::<3>(sum))
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
fn store(row: &mut Row, at: usize, value: v128) {
    debug_assert!(at.is_multiple_of(LANES) && at + LANES <= HIDDEN);
    #[expect(unsafe_code, reason = "stores through a pointer")]
    // SAFETY: as for loads.
    unsafe {
        v128_store(row.0.as_mut_ptr().add(at).cast(), value);
    }
}
