//! Kernels for x86-64 with AVX-512: 32 accumulated numbers at a time, and instructions that
//! multiply and add.

use std::arch::x86_64::{
    __m512i, _mm256_storeu_si256, _mm512_add_epi32, _mm512_castsi256_si512, _mm512_cvtepi16_epi8,
    _mm512_cvtepi32_epi16, _mm512_dpbusd_epi32, _mm512_dpwssd_epi32, _mm512_inserti64x4,
    _mm512_load_si512, _mm512_maskz_compress_epi32, _mm512_max_epi16, _mm512_max_epi32,
    _mm512_min_epi16, _mm512_min_epi32, _mm512_mulhrs_epi16, _mm512_mullo_epi32, _mm512_or_si512,
    _mm512_reduce_add_epi32, _mm512_set1_epi16, _mm512_set1_epi32, _mm512_setr_epi32,
    _mm512_setzero_si512, _mm512_slli_epi16, _mm512_slli_epi32, _mm512_srai_epi32,
    _mm512_store_si512, _mm512_test_epi32_mask,
};

use super::portable::Products;
use super::{loops, portable};
use crate::layers::{CHUNK, Layers, Units};
use crate::net::{Input, Row};
use crate::shape::{
    FIRST, HIDDEN, HIDDEN_ONE, PRODUCT_SHIFT, PRODUCTS, SECOND, SECOND_BITS, UNIT_BITS, UNIT_ONE,
};

loops!("avx512f,avx512bw,avx512vnni");

/// A product's shift to the left before its multiplication, which shifts to the right by 15.
const BEFORE: u32 = 15 - PRODUCT_SHIFT;
const UNITS: u32 = UNIT_BITS;
const SECONDS: u32 = SECOND_BITS;
/// Products in a register.
const STEP: usize = 64;

// A register holds one number of each unit of the first layer, and half of the second's.
const _: () = assert!(FIRST == 16 && SECOND == 32 && CHUNK == 4);

/// The chunks that aren't zero: the first of these numbers are theirs.
#[repr(C, align(64))]
struct Found([u16; HIDDEN / CHUNK + 16]);

#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
pub(super) fn output(hidden: [&Row; 2], layers: &Layers) -> i32 {
    let mut products = Products::ZERO;
    let mut found = Found([0; HIDDEN / CHUNK + 16]);
    let count = multiply(hidden, &mut products, &mut found);
    rest(first(&products, &found.0[..count], layers), layers)
}

/// Multiplies the halves of the accumulators and notes which chunks aren't zero; returns how many.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
fn multiply(hidden: [&Row; 2], products: &mut Products, found: &mut Found) -> usize {
    let mut count = 0;
    let mut chunks = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    for (side, row) in hidden.into_iter().enumerate() {
        for at in (0..PRODUCTS).step_by(STEP) {
            let low = _mm512_cvtepi16_epi8(product(row, at));
            let high = _mm512_cvtepi16_epi8(product(row, at + STEP / 2));
            let both = _mm512_inserti64x4::<1>(_mm512_castsi256_si512(low), high);
            let some = _mm512_test_epi32_mask(both, both);
            let numbers = _mm512_cvtepi32_epi16(_mm512_maskz_compress_epi32(some, chunks));
            chunks = _mm512_add_epi32(chunks, _mm512_set1_epi32((STEP / CHUNK) as i32));
            #[expect(unsafe_code, reason = "stores through a pointer")]
            // SAFETY: there are 64 products from `side * PRODUCTS + at` on, aligned like the
            // registers; `count` is at most the number of chunks so far, and 16 places follow.
            unsafe {
                let to = products.0.as_mut_ptr().cast::<u8>().add(side * PRODUCTS + at);
                _mm512_store_si512(to.cast(), both);
                let to = found.0.as_mut_ptr().add(count);
                _mm256_storeu_si256(to.cast(), numbers);
            }
            count += some.count_ones() as usize;
        }
    }
    count
}

/// 32 products, in 16 bits.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
fn product(row: &Row, at: usize) -> __m512i {
    let one = _mm512_set1_epi16(HIDDEN_ONE as i16);
    let zero = _mm512_setzero_si512();
    let clip = |number| _mm512_min_epi16(_mm512_max_epi16(number, zero), one);
    let left = clip(load(&row.0[at..at + STEP / 2]));
    let right = clip(load(&row.0[PRODUCTS + at..PRODUCTS + at + STEP / 2]));
    _mm512_mulhrs_epi16(_mm512_slli_epi16::<BEFORE>(left), right)
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
fn first(products: &Products, found: &[u16], layers: &Layers) -> __m512i {
    let mut sums = [
        load(&layers.first_bias.0),
        _mm512_setzero_si512(),
        _mm512_setzero_si512(),
        _mm512_setzero_si512(),
    ];
    let add = |sum: &mut __m512i, chunk: u16| {
        let four = _mm512_set1_epi32(i32::from_le_bytes(products.0[usize::from(chunk)]));
        let weights = load(layers.first[usize::from(chunk)].0.as_flattened());
        *sum = _mm512_dpbusd_epi32(*sum, four, weights);
    };
    // Four sums, since each addition waits for the one before.
    let (fours, left) = found.as_chunks::<4>();
    for four in fours {
        for (sum, &chunk) in sums.iter_mut().zip(four) {
            add(sum, chunk);
        }
    }
    for &chunk in left {
        add(&mut sums[0], chunk);
    }
    let [a, b, c, d] = sums;
    _mm512_add_epi32(_mm512_add_epi32(a, b), _mm512_add_epi32(c, d))
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
fn rest(sums: __m512i, layers: &Layers) -> i32 {
    let one = _mm512_set1_epi32(UNIT_ONE);
    let zero = _mm512_setzero_si512();
    let square = |number| _mm512_srai_epi32::<UNITS>(_mm512_mullo_epi32(number, number));
    let clipped = _mm512_min_epi32(_mm512_max_epi32(sums, _mm512_set1_epi32(-UNIT_ONE)), one);
    // Each lane has a unit twice: clipped in its lower half, squared in its upper one.
    let squared = _mm512_slli_epi32::<16>(square(clipped));
    let mut units = Units([0; FIRST]);
    store(&mut units, _mm512_or_si512(_mm512_max_epi32(clipped, zero), squared));
    let (lower, upper) = layers.second_bias.0.split_at(SECOND / 2);
    let mut sums = [load(lower), load(upper)];
    for (&unit, weights) in units.0.iter().zip(&layers.second) {
        let unit = _mm512_set1_epi32(unit);
        let (lower, upper) = weights.0.as_flattened().split_at(SECOND);
        sums[0] = _mm512_dpwssd_epi32(sums[0], unit, load(lower));
        sums[1] = _mm512_dpwssd_epi32(sums[1], unit, load(upper));
    }
    let (lower, upper) = layers.last.0.split_at(SECOND / 2);
    let weigh = |sum, weights: &[i32]| {
        let clipped = _mm512_srai_epi32::<SECONDS>(sum);
        let clipped = _mm512_min_epi32(_mm512_max_epi32(clipped, zero), one);
        _mm512_mullo_epi32(square(clipped), load(weights))
    };
    let value = _mm512_add_epi32(weigh(sums[0], lower), weigh(sums[1], upper));
    layers.last_bias + _mm512_reduce_add_epi32(value)
}

/// Loads 64 bytes.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
fn load<T>(numbers: &[T]) -> __m512i {
    debug_assert!(size_of_val(numbers) >= 64 && numbers.as_ptr().addr().is_multiple_of(64));
    #[expect(unsafe_code, reason = "loads through a pointer")]
    // SAFETY: callers pass 64 bytes at least of weights or accumulators, which are aligned to as
    // many and start at a multiple.
    unsafe {
        _mm512_load_si512(numbers.as_ptr().cast())
    }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
fn store(to: &mut Units<FIRST>, numbers: __m512i) {
    #[expect(unsafe_code, reason = "stores through a pointer")]
    // SAFETY: there are 64 bytes, aligned to as many.
    unsafe {
        _mm512_store_si512(to.0.as_mut_ptr().cast(), numbers);
    }
}
