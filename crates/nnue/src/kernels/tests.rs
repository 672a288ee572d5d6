//! Every kernel agrees with the portable one, bit for bit.

use proptest::prelude::*;

use super::Kernel;
use crate::net::Row;
use crate::shape::{HIDDEN, OUTPUT_LIMIT, SQUARE_ONE};

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

fn weights() -> impl Strategy<Value = Row> {
    row(-OUTPUT_LIMIT as i16..=OUTPUT_LIMIT as i16)
}

proptest! {
    #[test]
    fn all_kernels_agree(rows in proptest::collection::vec(any_row(), 6), weights in weights()) {
        let compute = |kernel: Kernel| {
            let mut to = [Row::ZERO, Row::ZERO, Row::ZERO, rows[5].clone()];
            kernel.shift(&mut to[0], &rows[0], &rows[1], &rows[2]);
            kernel.capture(&mut to[1], &rows[0], &rows[1], [&rows[2], &rows[3]]);
            kernel.castle(&mut to[2], &rows[0], [&rows[1], &rows[4]], [&rows[2], &rows[3]]);
            kernel.change(&mut to[3], &rows, &[0, 3, 4], &[1, 2]);
            (to, kernel.weigh(&rows[0], &weights))
        };
        let expected = compute(Kernel::PORTABLE);
        for kernel in Kernel::available() {
            prop_assert_eq!(&compute(kernel), &expected, "{}", kernel.name());
        }
    }
}

#[test]
fn the_greatest_sums_fit() {
    let mut hidden = Row::ZERO;
    let mut weights = Row::ZERO;
    hidden.0.fill(i16::MAX);
    for sign in [1, -1] {
        weights.0.fill(sign * OUTPUT_LIMIT as i16);
        let expected =
            HIDDEN as i64 * i64::from(SQUARE_ONE) * i64::from(sign) * i64::from(OUTPUT_LIMIT);
        for kernel in Kernel::available() {
            assert_eq!(kernel.weigh(&hidden, &weights), expected, "{}", kernel.name());
        }
    }
}

#[test]
fn every_kernel_passes_its_own_check() {
    for kernel in Kernel::available() {
        assert!(kernel.is_exact(7), "{}", kernel.name());
    }
}
