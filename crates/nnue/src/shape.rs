//! The shape of the network: its constants, in one place.
//!
//! A position becomes two lists of active inputs, one from each side's point of view. Each side's
//! inputs are summed into an accumulator ([`HIDDEN`] numbers). Each number of its first half is
//! multiplied by one of its second half, both clipped; the products of both sides, the side to
//! move's first, go through three small layers ([`FIRST`] and [`SECOND`] units, and the value).
//! There are [`OUTPUTS`] sets of these layers, chosen by the number of pieces on the board. The
//! trainer reads the same constants from `training/shape.json`, and every network file has them in
//! its header.

/// King buckets of the inputs, by the king's square from its owner's point of view, mirrored to the
/// files a to d: the weights depend on the king's square.
#[rustfmt::skip]
pub const BUCKETS: [[u8; 4]; 8] = [
    [0, 1, 2, 3],
    [4, 4, 5, 5],
    [6, 6, 6, 6],
    [7, 7, 7, 7],
    [7, 7, 7, 7],
    [7, 7, 7, 7],
    [7, 7, 7, 7],
    [7, 7, 7, 7],
];
/// Number of king buckets.
pub const KING_BUCKETS: usize = 8;
/// Inputs of one king bucket: 12 pieces on 64 squares.
pub const BOARD: usize = 768;
/// Inputs per side.
pub const INPUTS: usize = KING_BUCKETS * BOARD;
/// Size of the accumulator of a side.
pub const HIDDEN: usize = 1024;
/// Products of a side: each takes two numbers of its accumulator.
pub const PRODUCTS: usize = HIDDEN / 2;
/// Units of the first layer after the products. Each is passed on twice: clipped, and squared.
pub const FIRST: usize = 16;
/// Units of the second layer.
pub const SECOND: usize = 32;
/// Sets of layers after the accumulators, by the number of pieces on the board.
pub const OUTPUTS: usize = 8;
/// The value of 1.0 in the accumulator.
pub const HIDDEN_ONE: i32 = 255;
/// Bits by which a product of two accumulated numbers is shifted, so that it fits into seven.
pub const PRODUCT_SHIFT: u32 = 9;
/// The value of 1.0 in a product.
pub const PRODUCT_ONE: f64 = (HIDDEN_ONE * HIDDEN_ONE) as f64 / (1 << PRODUCT_SHIFT) as f64;
/// Bits of 1.0 in the first layer's units, and in the second layer's after squaring.
pub const UNIT_BITS: u32 = 13;
/// The value of 1.0 in the units.
pub const UNIT_ONE: i32 = 1 << UNIT_BITS;
/// Bits of 1.0 in the second layer's weights.
pub const SECOND_BITS: u32 = 9;
/// The value of 1.0 in the last layer's weights.
pub const LAST_ONE: i32 = 1 << 10;
/// The largest weight of the second and the last layer, so that sums fit into 32 bits.
pub const LIMIT: i32 = 4095;
/// The largest bias of the layers, for the same reason.
pub const BIAS_LIMIT: i32 = 1 << 30;
/// Centipawns for an output of 1.0.
pub const SCALE: i32 = 400;

// The sums of the layers fit into 32 bits with their biases, and a product into seven bits.
const _: () = assert!((2 * FIRST as i64 * UNIT_ONE as i64) * LIMIT as i64 <= 1 << 30);
const _: () = assert!((SECOND as i64 * UNIT_ONE as i64) * LIMIT as i64 <= 1 << 30);
const _: () =
    assert!((HIDDEN_ONE * HIDDEN_ONE + (1 << (PRODUCT_SHIFT - 1))) >> PRODUCT_SHIFT <= 127);
// Kernels process 64 products at a time.
const _: () = assert!(PRODUCTS.is_multiple_of(64));
// Inputs are stored in 16 bits, and the file has four bits for a king bucket.
const _: () = assert!(INPUTS <= 1 << 16 && KING_BUCKETS <= 16);
const _: () = {
    let mut square = 0;
    let mut greatest = 0;
    while square < 32 {
        let bucket = BUCKETS[square / 4][square % 4];
        if bucket > greatest {
            greatest = bucket;
        }
        square += 1;
    }
    assert!(greatest as usize + 1 == KING_BUCKETS);
};

/// The set of layers for a number of pieces, 2 to 64.
#[inline]
pub const fn output_of(pieces: u32) -> usize {
    let bucket = (pieces.saturating_sub(2) / 4) as usize;
    if bucket < OUTPUTS { bucket } else { OUTPUTS - 1 }
}
