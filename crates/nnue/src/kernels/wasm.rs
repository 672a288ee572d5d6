//! Kernels for WebAssembly with SIMD (simd128).

use std::arch::wasm32::{
    i16x8_max, i16x8_min, i16x8_mul, i16x8_splat, i32x4_add, i32x4_dot_i16x8, i32x4_extract_lane,
    i32x4_splat, u16x8_shr, v128, v128_load,
};

pub(super) use super::portable::{capture, castle, change, shift};
use crate::net::Row;
use crate::shape::{HIDDEN, HIDDEN_ONE, SQUARE_SHIFT};

pub(super) fn weigh(hidden: &Row, weights: &Row) -> i64 {
    let one = i16x8_splat(HIDDEN_ONE as i16);
    let zero = i16x8_splat(0);
    let mut sums = [i32x4_splat(0); 2];
    for at in (0..HIDDEN).step_by(16) {
        for (half, sum) in sums.iter_mut().enumerate() {
            let at = at + half * 8;
            let clipped = i16x8_min(i16x8_max(load(hidden, at), zero), one);
            let square = u16x8_shr(i16x8_mul(clipped, clipped), SQUARE_SHIFT);
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

#[inline]
fn load(row: &Row, at: usize) -> v128 {
    debug_assert!(at.is_multiple_of(8) && at + 8 <= HIDDEN);
    #[expect(unsafe_code, reason = "loads through a pointer")]
    // SAFETY: callers pass multiples of 8 below HIDDEN; WebAssembly needs no alignment.
    unsafe {
        v128_load(row.0.as_ptr().add(at).cast())
    }
}
