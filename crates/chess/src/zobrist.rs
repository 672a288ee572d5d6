//! The random numbers of Zobrist keys, fixed at compile time so that keys are the same on every
//! machine.

use crate::{File, Piece, Square};

/// Black is to move.
pub(crate) const BLACK_TO_MOVE: u64 = splitmix(0);

static EN_PASSANT: [u64; 8] = numbers(1);
/// By the square of the rook that may still castle; only those on the back ranks are used.
static CASTLING: [u64; 64] = numbers(9);
pub(crate) static PIECES: [[u64; 64]; 12] = {
    let mut table = [[0; 64]; 12];
    let mut piece = 0;
    while piece < 12 {
        table[piece] = numbers(73 + 64 * piece as u64);
        piece += 1;
    }
    table
};

#[inline]
pub(crate) fn piece(piece: Piece, square: Square) -> u64 {
    PIECES[piece.index()][square.index()]
}

#[inline]
pub(crate) fn en_passant(file: File) -> u64 {
    EN_PASSANT[file.index()]
}

#[inline]
pub(crate) fn castling(rook: Square) -> u64 {
    CASTLING[rook.index()]
}

const fn numbers<const N: usize>(first: u64) -> [u64; N] {
    let mut table = [0; N];
    let mut i = 0;
    while i < N {
        table[i] = splitmix(first + i as u64);
        i += 1;
    }
    table
}

/// The n-th number of the `SplitMix64` sequence.
const fn splitmix(n: u64) -> u64 {
    let mut z = (n + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ z >> 31
}
