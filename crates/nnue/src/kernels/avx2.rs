//! Kernels for x86-64 with AVX2: 16 accumulated numbers at a time.

use std::arch::x86_64::{
    __m256i, _mm_add_epi32, _mm_cvtsi128_si32, _mm_shuffle_epi32, _mm256_add_epi32,
    _mm256_castsi256_ps, _mm256_castsi256_si128, _mm256_cmpeq_epi32, _mm256_extracti128_si256,
    _mm256_load_si256, _mm256_madd_epi16, _mm256_maddubs_epi16, _mm256_max_epi16, _mm256_max_epi32,
    _mm256_min_epi16, _mm256_min_epi32, _mm256_movemask_ps, _mm256_mulhrs_epi16,
    _mm256_mullo_epi32, _mm256_or_si256, _mm256_packus_epi16, _mm256_permute4x64_epi64,
    _mm256_set1_epi16, _mm256_set1_epi32, _mm256_setzero_si256, _mm256_slli_epi16,
    _mm256_slli_epi32, _mm256_srai_epi32, _mm256_store_si256,
};

use super::portable::Products;
use super::{loops, portable};
use crate::layers::{CHUNK, Layers, Units};
use crate::net::{Input, Row};
use crate::shape::{
    FIRST, HIDDEN, HIDDEN_ONE, PRODUCT_SHIFT, PRODUCTS, SECOND, SECOND_BITS, UNIT_BITS, UNIT_ONE,
};

loops!("avx2");

/// A product's shift to the left before its multiplication, which shifts to the right by 15.
const BEFORE: i32 = 15 - PRODUCT_SHIFT as i32;
const UNITS: i32 = UNIT_BITS as i32;
const SECONDS: i32 = SECOND_BITS as i32;
/// Products in a register, and numbers of 32 bits.
const STEP: usize = 32;
const LANES: usize = 8;

// Two registers hold one number of each unit of the first layer, four of the second's.
const _: () = assert!(FIRST == 2 * LANES && SECOND == 4 * LANES && CHUNK == 4);

/// Which chunks of eight aren't zero, one bit each.
type Masks = [u8; HIDDEN / STEP];

#[target_feature(enable = "avx2")]
pub(super) fn output(hidden: [&Row; 2], layers: &Layers) -> i32 {
    let mut products = Products::ZERO;
    let masks = multiply(hidden, &mut products);
    rest(first(&products, masks, layers), layers)
}

/// Multiplies the halves of the accumulators and notes which chunks aren't zero.
#[inline]
#[target_feature(enable = "avx2")]
fn multiply(hidden: [&Row; 2], products: &mut Products) -> Masks {
    let mut masks = [0; HIDDEN / STEP];
    let numbers = products.0.as_flattened_mut();
    for (place, (to, mask)) in numbers.chunks_exact_mut(STEP).zip(&mut masks).enumerate() {
        let (row, at) = (hidden[place * STEP / PRODUCTS], place * STEP % PRODUCTS);
        let both = _mm256_packus_epi16(product(row, at), product(row, at + STEP / 2));
        // Packing leaves the middle quarters in the wrong places.
        let both = _mm256_permute4x64_epi64::<0b11_01_10_00>(both);
        let none = _mm256_cmpeq_epi32(both, _mm256_setzero_si256());
        *mask = !_mm256_movemask_ps(_mm256_castsi256_ps(none)) as u8;
        store(to, both);
    }
    masks
}

/// 16 products, in 16 bits.
#[inline]
#[target_feature(enable = "avx2")]
fn product(row: &Row, at: usize) -> __m256i {
    let one = _mm256_set1_epi16(HIDDEN_ONE as i16);
    let zero = _mm256_setzero_si256();
    let clip = |number| _mm256_min_epi16(_mm256_max_epi16(number, zero), one);
    let left = clip(load(&row.0[at..at + STEP / 2]));
    let right = clip(load(&row.0[PRODUCTS + at..PRODUCTS + at + STEP / 2]));
    _mm256_mulhrs_epi16(_mm256_slli_epi16::<BEFORE>(left), right)
}

#[inline]
#[target_feature(enable = "avx2")]
fn first(products: &Products, masks: Masks, layers: &Layers) -> [__m256i; 2] {
    let ones = _mm256_set1_epi16(1);
    let (lower, upper) = layers.first_bias.0.split_at(LANES);
    let mut sums = [load(lower), load(upper)];
    for (group, mask) in masks.into_iter().enumerate() {
        let mut left = mask;
        while left != 0 {
            let chunk = group * LANES + left.trailing_zeros() as usize;
            left &= left - 1;
            let four = _mm256_set1_epi32(i32::from_le_bytes(products.0[chunk]));
            let (lower, upper) = layers.first[chunk].0.as_flattened().split_at(STEP);
            for (sum, weights) in sums.iter_mut().zip([lower, upper]) {
                // Products have seven bits: two of them, weighed, fit into sixteen.
                let twos = _mm256_maddubs_epi16(four, load(weights));
                *sum = _mm256_add_epi32(*sum, _mm256_madd_epi16(twos, ones));
            }
        }
    }
    sums
}

#[inline]
#[target_feature(enable = "avx2")]
fn rest(sums: [__m256i; 2], layers: &Layers) -> i32 {
    let one = _mm256_set1_epi32(UNIT_ONE);
    let zero = _mm256_setzero_si256();
    let square = |number| _mm256_srai_epi32::<UNITS>(_mm256_mullo_epi32(number, number));
    let mut units = Units([0; FIRST]);
    for (to, sum) in units.0.chunks_exact_mut(LANES).zip(sums) {
        let clipped = _mm256_min_epi32(_mm256_max_epi32(sum, _mm256_set1_epi32(-UNIT_ONE)), one);
        // Each lane has a unit twice: clipped in its lower half, squared in its upper one.
        let squared = _mm256_slli_epi32::<16>(square(clipped));
        store(to, _mm256_or_si256(_mm256_max_epi32(clipped, zero), squared));
    }
    let mut sums = [zero; SECOND / LANES];
    for (sum, bias) in sums.iter_mut().zip(layers.second_bias.0.chunks_exact(LANES)) {
        *sum = load(bias);
    }
    for (&unit, weights) in units.0.iter().zip(&layers.second) {
        let unit = _mm256_set1_epi32(unit);
        let weights = weights.0.as_flattened().chunks_exact(2 * LANES);
        for (sum, weights) in sums.iter_mut().zip(weights) {
            *sum = _mm256_add_epi32(*sum, _mm256_madd_epi16(unit, load(weights)));
        }
    }
    let mut value = zero;
    for (sum, weights) in sums.into_iter().zip(layers.last.0.chunks_exact(LANES)) {
        let clipped = _mm256_srai_epi32::<SECONDS>(sum);
        let clipped = _mm256_min_epi32(_mm256_max_epi32(clipped, zero), one);
        value = _mm256_add_epi32(value, _mm256_mullo_epi32(square(clipped), load(weights)));
    }
    let half = _mm_add_epi32(_mm256_castsi256_si128(value), _mm256_extracti128_si256::<1>(value));
    let half = _mm_add_epi32(half, _mm_shuffle_epi32::<0b01_00_11_10>(half));
    let half = _mm_add_epi32(half, _mm_shuffle_epi32::<0b10_11_00_01>(half));
    layers.last_bias + _mm_cvtsi128_si32(half)
}

/// Loads 32 bytes.
#[inline]
#[target_feature(enable = "avx2")]
fn load<T>(numbers: &[T]) -> __m256i {
    debug_assert!(size_of_val(numbers) >= 32 && numbers.as_ptr().addr().is_multiple_of(32));
    #[expect(unsafe_code, reason = "loads through a pointer")]
    // SAFETY: callers pass 32 bytes at least of weights or accumulators, which are aligned to more
    // and start at a multiple.
    unsafe {
        _mm256_load_si256(numbers.as_ptr().cast())
    }
}

/// Stores 32 bytes.
#[inline]
#[target_feature(enable = "avx2")]
fn store<T>(to: &mut [T], numbers: __m256i) {
    debug_assert!(size_of_val(to) >= 32 && to.as_ptr().addr().is_multiple_of(32));
    #[expect(unsafe_code, reason = "stores through a pointer")]
    // SAFETY: callers pass 32 bytes of products or units, which are aligned to more.
    unsafe {
        _mm256_store_si256(to.as_mut_ptr().cast(), numbers);
    }
}
