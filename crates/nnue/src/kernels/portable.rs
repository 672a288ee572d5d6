//! The arithmetic in plain Rust: the reference for the other kernels.
//!
//! The functions are inlined into the other kernels, where the compiler can use wider registers.

use crate::net::Row;
use crate::shape::{HIDDEN, HIDDEN_ONE, SQUARE_SHIFT};

#[inline(always)]
#[expect(clippy::inline_always, reason = "compiled once for each kind of processor")]
pub(super) fn shift(to: &mut Row, from: &Row, on: &Row, off: &Row) {
    for i in 0..HIDDEN {
        to.0[i] = from.0[i].wrapping_add(on.0[i]).wrapping_sub(off.0[i]);
    }
}

#[inline(always)]
#[expect(clippy::inline_always, reason = "compiled once for each kind of processor")]
pub(super) fn capture(to: &mut Row, from: &Row, on: &Row, off: [&Row; 2]) {
    for i in 0..HIDDEN {
        let gone = off[0].0[i].wrapping_add(off[1].0[i]);
        to.0[i] = from.0[i].wrapping_add(on.0[i]).wrapping_sub(gone);
    }
}

#[inline(always)]
#[expect(clippy::inline_always, reason = "compiled once for each kind of processor")]
pub(super) fn castle(to: &mut Row, from: &Row, on: [&Row; 2], off: [&Row; 2]) {
    for i in 0..HIDDEN {
        let come = on[0].0[i].wrapping_add(on[1].0[i]);
        let gone = off[0].0[i].wrapping_add(off[1].0[i]);
        to.0[i] = from.0[i].wrapping_add(come).wrapping_sub(gone);
    }
}

/// Numbers that stay in registers while all changes are added.
const TILE: usize = 128;

#[inline(always)]
#[expect(clippy::inline_always, reason = "compiled once for each kind of processor")]
pub(super) fn change(to: &mut Row, rows: &[Row], on: &[u16], off: &[u16]) {
    let (tiles, rest) = to.0.as_chunks_mut::<TILE>();
    const { assert!(HIDDEN.is_multiple_of(TILE)) };
    debug_assert!(rest.is_empty());
    for (number, tile) in tiles.iter_mut().enumerate() {
        let at = number * TILE;
        let mut sum = *tile;
        for &input in on {
            let row = &rows[usize::from(input)].0[at..at + TILE];
            for i in 0..TILE {
                sum[i] = sum[i].wrapping_add(row[i]);
            }
        }
        for &input in off {
            let row = &rows[usize::from(input)].0[at..at + TILE];
            for i in 0..TILE {
                sum[i] = sum[i].wrapping_sub(row[i]);
            }
        }
        *tile = sum;
    }
}

#[inline]
pub(super) fn weigh(hidden: &Row, weights: &Row) -> i64 {
    // Eight sums, as in a register: a single one could overflow.
    let mut sums = [0_i32; 8];
    let (hidden, _) = hidden.0.as_chunks::<8>();
    let (weights, _) = weights.0.as_chunks::<8>();
    for (hidden, weights) in hidden.iter().zip(weights) {
        for i in 0..8 {
            let clipped = i32::from(hidden[i]).clamp(0, HIDDEN_ONE);
            sums[i] += ((clipped * clipped) >> SQUARE_SHIFT) * i32::from(weights[i]);
        }
    }
    sums.iter().copied().map(i64::from).sum()
}
