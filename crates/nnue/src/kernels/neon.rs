//! Kernels for `AArch64`, where every processor has NEON.

use std::arch::aarch64::{
    int8x16_t, vcombine_u8, vdupq_n_s16, vdupq_n_s32, vget_low_s8, vld1q_s8, vld1q_s16, vld1q_s32,
    vmaxq_s16, vminq_s16, vmovn_u16, vmull_high_s8, vmull_s8, vpadalq_s16, vpaddq_s16,
    vqrdmulhq_s16, vreinterpretq_s8_s32, vreinterpretq_u16_s16, vshlq_n_s16, vst1q_s32, vst1q_u8,
};

use super::portable::Products;
use super::portable::rest;
pub(super) use super::portable::{capture, castle, change, shift};
use crate::layers::{CHUNK, Layers, Units};
use crate::net::Row;
use crate::shape::{FIRST, HIDDEN_ONE, PRODUCT_SHIFT, PRODUCTS};

/// A product's shift to the left before its multiplication, which shifts to the right by 15.
const BEFORE: i32 = 15 - PRODUCT_SHIFT as i32;

pub(super) fn output(hidden: [&Row; 2], layers: &Layers) -> i32 {
    rest(&first(&Products::of(hidden, multiply), layers), layers)
}

/// Multiplies the halves of an accumulator.
fn multiply(row: &Row, products: &mut [u8]) {
    debug_assert_eq!(products.len(), PRODUCTS);
    #[expect(unsafe_code, reason = "loads and stores through pointers")]
    // SAFETY: NEON is part of the architecture, and `at + 16` is at most PRODUCTS.
    unsafe {
        let one = vdupq_n_s16(HIDDEN_ONE as i16);
        let zero = vdupq_n_s16(0);
        let clip = |at: usize| vminq_s16(vmaxq_s16(vld1q_s16(row.0.as_ptr().add(at)), zero), one);
        let product = |at: usize| {
            let left = vshlq_n_s16::<BEFORE>(clip(at));
            vmovn_u16(vreinterpretq_u16_s16(vqrdmulhq_s16(left, clip(PRODUCTS + at))))
        };
        for at in (0..PRODUCTS).step_by(16) {
            let both = vcombine_u8(product(at), product(at + 8));
            vst1q_u8(products.as_mut_ptr().add(at), both);
        }
    }
}

fn first(products: &Products, layers: &Layers) -> Units<FIRST> {
    let mut units = layers.first_bias;
    #[expect(unsafe_code, reason = "loads and stores through pointers")]
    // SAFETY: NEON is part of the architecture; four registers hold the units, and four the weights
    // of a chunk.
    unsafe {
        const { assert!(FIRST == 16 && CHUNK == 4) };
        let at = |place: usize| units.0.as_ptr().add(4 * place);
        let mut sums = [vld1q_s32(at(0)), vld1q_s32(at(1)), vld1q_s32(at(2)), vld1q_s32(at(3))];
        for (chunk, weights) in products.0.iter().zip(&layers.first) {
            if *chunk == [0; CHUNK] {
                continue;
            }
            let four: int8x16_t = vreinterpretq_s8_s32(vdupq_n_s32(i32::from_le_bytes(*chunk)));
            let weights = weights.0.as_flattened().as_ptr();
            for (place, sum) in sums.iter_mut().enumerate() {
                let weights = vld1q_s8(weights.add(16 * place));
                let low = vmull_s8(vget_low_s8(four), vget_low_s8(weights));
                let high = vmull_high_s8(four, weights);
                // Products have seven bits: two of them, weighed, fit into sixteen.
                *sum = vpadalq_s16(*sum, vpaddq_s16(low, high));
            }
        }
        for (place, sum) in sums.into_iter().enumerate() {
            vst1q_s32(units.0.as_mut_ptr().add(4 * place), sum);
        }
    }
    units
}
