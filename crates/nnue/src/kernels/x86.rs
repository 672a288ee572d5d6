//! Kernels for x86-64.

/// The loops of `portable.rs`, compiled for a processor.
macro_rules! loops {
    ($features:literal) => {
        #[target_feature(enable = $features)]
        pub(in super::super) fn shift(to: &mut Row, from: &Row, on: &Row, off: &Row) {
            portable::shift(to, from, on, off);
        }

        #[target_feature(enable = $features)]
        pub(in super::super) fn capture(to: &mut Row, from: &Row, on: &Row, off: [&Row; 2]) {
            portable::capture(to, from, on, off);
        }

        #[target_feature(enable = $features)]
        pub(in super::super) fn castle(to: &mut Row, from: &Row, on: [&Row; 2], off: [&Row; 2]) {
            portable::castle(to, from, on, off);
        }

        #[target_feature(enable = $features)]
        pub(in super::super) fn change(to: &mut Row, rows: &[Row], on: &[u16], off: &[u16]) {
            portable::change(to, rows, on, off);
        }
    };
}

pub(super) mod avx2 {
    //! 16 numbers at a time.

    use std::arch::x86_64::{
        __m256i, _mm256_add_epi32, _mm256_load_si256, _mm256_madd_epi16, _mm256_max_epi16,
        _mm256_min_epi16, _mm256_mullo_epi16, _mm256_set1_epi16, _mm256_setzero_si256,
        _mm256_srli_epi16, _mm256_store_si256,
    };

    use super::super::portable;
    use crate::net::Row;
    use crate::shape::{HIDDEN, HIDDEN_ONE, SQUARE_SHIFT};

    loops!("avx2");

    const SHIFT: i32 = SQUARE_SHIFT as i32;

    /// Eight partial sums.
    #[repr(align(32))]
    struct Sums([i32; 8]);

    #[target_feature(enable = "avx2")]
    pub(in super::super) fn weigh(hidden: &Row, weights: &Row) -> i64 {
        let one = _mm256_set1_epi16(HIDDEN_ONE as i16);
        let zero = _mm256_setzero_si256();
        let mut sums = [zero; 2];
        for at in (0..HIDDEN).step_by(32) {
            for (half, sum) in sums.iter_mut().enumerate() {
                let at = at + half * 16;
                let hidden = load(hidden, at);
                let clipped = _mm256_min_epi16(_mm256_max_epi16(hidden, zero), one);
                let square = _mm256_srli_epi16::<SHIFT>(_mm256_mullo_epi16(clipped, clipped));
                *sum = _mm256_add_epi32(*sum, _mm256_madd_epi16(square, load(weights, at)));
            }
        }
        let sum = _mm256_add_epi32(sums[0], sums[1]);
        let mut parts = Sums([0; 8]);
        #[expect(unsafe_code, reason = "stores through a pointer")]
        // SAFETY: `Sums` is 32 bytes long and aligned to as many.
        unsafe {
            _mm256_store_si256((&raw mut parts).cast(), sum);
        }
        parts.0.iter().copied().map(i64::from).sum()
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn load(row: &Row, at: usize) -> __m256i {
        debug_assert!(at.is_multiple_of(16) && at + 16 <= HIDDEN);
        #[expect(unsafe_code, reason = "loads through a pointer")]
        // SAFETY: callers pass multiples of 16 below HIDDEN, and a row is aligned to 64 bytes.
        unsafe {
            _mm256_load_si256(row.0.as_ptr().add(at).cast())
        }
    }
}

pub(super) mod avx512 {
    //! 32 numbers at a time, with a multiply-accumulate instruction.

    use std::arch::x86_64::{
        __m512i, _mm512_add_epi32, _mm512_dpwssd_epi32, _mm512_load_si512, _mm512_max_epi16,
        _mm512_min_epi16, _mm512_mullo_epi16, _mm512_set1_epi16, _mm512_setzero_si512,
        _mm512_srli_epi16, _mm512_store_si512,
    };

    use super::super::portable;
    use crate::net::Row;
    use crate::shape::{HIDDEN, HIDDEN_ONE, SQUARE_SHIFT};

    loops!("avx512f,avx512bw,avx512vnni");

    const SHIFT: u32 = SQUARE_SHIFT;

    /// Sixteen partial sums.
    #[repr(align(64))]
    struct Sums([i32; 16]);

    #[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
    pub(in super::super) fn weigh(hidden: &Row, weights: &Row) -> i64 {
        let one = _mm512_set1_epi16(HIDDEN_ONE as i16);
        let zero = _mm512_setzero_si512();
        let mut sums = [zero; 2];
        for (step, at) in (0..HIDDEN).step_by(32).enumerate() {
            let clipped = _mm512_min_epi16(_mm512_max_epi16(load(hidden, at), zero), one);
            let square = _mm512_srli_epi16::<SHIFT>(_mm512_mullo_epi16(clipped, clipped));
            sums[step % 2] = _mm512_dpwssd_epi32(sums[step % 2], square, load(weights, at));
        }
        let sum = _mm512_add_epi32(sums[0], sums[1]);
        let mut parts = Sums([0; 16]);
        #[expect(unsafe_code, reason = "stores through a pointer")]
        // SAFETY: `Sums` is 64 bytes long and aligned to as many.
        unsafe {
            _mm512_store_si512((&raw mut parts).cast(), sum);
        }
        parts.0.iter().copied().map(i64::from).sum()
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
    fn load(row: &Row, at: usize) -> __m512i {
        debug_assert!(at.is_multiple_of(32) && at + 32 <= HIDDEN);
        #[expect(unsafe_code, reason = "loads through a pointer")]
        // SAFETY: callers pass multiples of 32 below HIDDEN, and a row is aligned to 64 bytes.
        unsafe {
            _mm512_load_si512(row.0.as_ptr().add(at).cast())
        }
    }
}
