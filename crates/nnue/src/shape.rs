//! The shape of the network: its constants, in one place.
//!
//! A position becomes two lists of active inputs, one from each side's point of view. Each side's
//! inputs are summed into an accumulator ([`HIDDEN`] numbers). The two accumulators, the side to
//! move's first, are clipped, squared and weighted by one of [`OUTPUTS`] output layers (output
//! buckets), chosen by the number of pieces on the board. The trainer reads the same constants from
//! `training/shape.json`, and every network file has them in its header.

/// King buckets of the inputs, by the king's square from its owner's point of view, mirrored to the
/// files a to d: the weights depend on the king's square.
#[rustfmt::skip]
pub const BUCKETS: [[u8; 4]; 8] = [
    [0, 0, 1, 1],
    [2, 2, 2, 2],
    [3, 3, 3, 3],
    [3, 3, 3, 3],
    [3, 3, 3, 3],
    [3, 3, 3, 3],
    [3, 3, 3, 3],
    [3, 3, 3, 3],
];
/// Number of king buckets.
pub const KING_BUCKETS: usize = 4;
/// Inputs of one king bucket: 12 pieces on 64 squares.
pub const BOARD: usize = 768;
/// Inputs per side.
pub const INPUTS: usize = KING_BUCKETS * BOARD;
/// Size of the accumulator of a side.
pub const HIDDEN: usize = 512;
/// Output layers, by the number of pieces on the board.
pub const OUTPUTS: usize = 8;
/// The value of 1.0 in the accumulator.
pub const HIDDEN_ONE: i32 = 255;
/// Bits by which a squared value is shifted, so that sums fit into 32 bits.
pub const SQUARE_SHIFT: u32 = 4;
/// The value of 1.0 in the weights of an output layer.
pub const OUTPUT_ONE: i32 = 2048;
/// The largest weight of an output layer, so that sums fit into 32 bits.
pub const OUTPUT_LIMIT: i32 = 2047;
/// Centipawns for an output of 1.0.
pub const SCALE: i32 = 400;

/// The value of 1.0 after squaring.
pub const SQUARE_ONE: i32 = (HIDDEN_ONE * HIDDEN_ONE) >> SQUARE_SHIFT;

// A square fits into a signed 16-bit number, and kernels sum in 32 bits, in at least four lanes per
// side.
const _: () = assert!(SQUARE_ONE <= i16::MAX as i32);
const _: () =
    assert!((HIDDEN / 4) as i64 * SQUARE_ONE as i64 * OUTPUT_LIMIT as i64 <= i32::MAX as i64);
// Kernels process 32 numbers at a time.
const _: () = assert!(HIDDEN.is_multiple_of(32));
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

/// The output layer for a number of pieces, 2 to 64.
#[inline]
pub const fn output_of(pieces: u32) -> usize {
    let bucket = (pieces.saturating_sub(2) / 4) as usize;
    if bucket < OUTPUTS { bucket } else { OUTPUTS - 1 }
}
