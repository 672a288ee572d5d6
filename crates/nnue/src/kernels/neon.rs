//! Kernels for `AArch64`, where every processor has NEON.

use std::arch::aarch64::{
    vdupq_n_s16, vdupq_n_s32, vget_low_s16, vld1q_s16, vmaxq_s16, vminq_s16, vmlal_high_s16,
    vmlal_s16, vmulq_s16, vreinterpretq_s16_u16, vreinterpretq_u16_s16, vshrq_n_u16, vst1q_s32,
};

pub(super) use super::portable::{capture, castle, change, shift};
use crate::net::Row;
use crate::shape::{HIDDEN, HIDDEN_ONE, SQUARE_SHIFT};

const SHIFT: i32 = SQUARE_SHIFT as i32;

pub(super) fn weigh(hidden: &Row, weights: &Row) -> i64 {
    let mut lanes = [0_i32; 4];
    #[expect(unsafe_code, reason = "loads through a pointer")]
    // SAFETY: NEON is part of the architecture, and `at + 8` is at most HIDDEN.
    unsafe {
        let one = vdupq_n_s16(HIDDEN_ONE as i16);
        let zero = vdupq_n_s16(0);
        let mut sum = vdupq_n_s32(0);
        for at in (0..HIDDEN).step_by(8) {
            let hidden = vld1q_s16(hidden.0.as_ptr().add(at));
            let clipped = vminq_s16(vmaxq_s16(hidden, zero), one);
            let square = vreinterpretq_u16_s16(vmulq_s16(clipped, clipped));
            let square = vreinterpretq_s16_u16(vshrq_n_u16::<SHIFT>(square));
            let weights = vld1q_s16(weights.0.as_ptr().add(at));
            sum = vmlal_s16(sum, vget_low_s16(square), vget_low_s16(weights));
            sum = vmlal_high_s16(sum, square, weights);
        }
        vst1q_s32(lanes.as_mut_ptr(), sum);
    }
    lanes.iter().copied().map(i64::from).sum()
}
