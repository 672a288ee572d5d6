//! Attacks of rooks, bishops and queens: one multiplication and one load ("magic bitboards").
//!
//! The relevant occupied squares of a slider are masked and hashed by a multiplication to an index
//! into a table of precomputed attack sets. The table is computed at compile time; nothing here
//! needs BMI2 or start-up code.

#![expect(long_running_const_eval, reason = "the attack tables are 107,648 sets")]

use crate::{Bitboard, Square};

/// The directions of rooks, and of bishops.
pub(crate) const ROOK_STEPS: [(i8, i8); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
pub(crate) const BISHOP_STEPS: [(i8, i8); 4] = [(1, 1), (-1, 1), (1, -1), (-1, -1)];

/// The magic of one square.
#[derive(Copy, Clone)]
struct Magic {
    mask: u64,
    factor: u64,
    shift: u32,
    /// Index of the square's first entry in the table.
    start: u32,
}

const ROOK_SETS: usize = 102_400;
const BISHOP_SETS: usize = 5_248;

const ROOKS: [Magic; 64] = magics(&ROOK_STEPS, &ROOK_MAGICS);
const BISHOPS: [Magic; 64] = magics(&BISHOP_STEPS, &BISHOP_MAGICS);

static ROOK: [Magic; 64] = ROOKS;
static BISHOP: [Magic; 64] = BISHOPS;
static ROOK_ATTACKS: [Bitboard; ROOK_SETS] = sets(&ROOK_STEPS, &ROOKS);
static BISHOP_ATTACKS: [Bitboard; BISHOP_SETS] = sets(&BISHOP_STEPS, &BISHOPS);

/// Attacks of a rook on `square`, given the occupied squares.
#[inline]
pub fn rook_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    ROOK_ATTACKS[ROOK[square.index()].index(occupied.0)]
}

/// Attacks of a bishop on `square`, given the occupied squares.
#[inline]
pub fn bishop_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    BISHOP_ATTACKS[BISHOP[square.index()].index(occupied.0)]
}

/// Attacks of a queen on `square`, given the occupied squares.
#[inline]
pub fn queen_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    rook_attacks(square, occupied) | bishop_attacks(square, occupied)
}

impl Magic {
    #[inline]
    const fn index(&self, occupied: u64) -> usize {
        let hash = (occupied & self.mask).wrapping_mul(self.factor) >> self.shift;
        self.start as usize + hash as usize
    }
}

/// Walks from `square` in each direction up to an occupied square or the edge. With `inner`, edge
/// squares are left out, since a piece there can't block anything.
pub(crate) const fn walk(square: usize, steps: &[(i8, i8)], occupied: u64, inner: bool) -> u64 {
    let mut reached = 0;
    let mut i = 0;
    while i < steps.len() {
        let (east, north) = steps[i];
        let mut file = (square % 8) as i8 + east;
        let mut rank = (square / 8) as i8 + north;
        while on_board(file, rank) && (!inner || on_board(file + east, rank + north)) {
            let bit = 1 << (rank * 8 + file);
            reached |= bit;
            if occupied & bit != 0 {
                break;
            }
            file += east;
            rank += north;
        }
        i += 1;
    }
    reached
}

const fn on_board(file: i8, rank: i8) -> bool {
    0 <= file && file < 8 && 0 <= rank && rank < 8
}

const fn magics(steps: &[(i8, i8)], factors: &[u64; 64]) -> [Magic; 64] {
    let mut magics = [Magic { mask: 0, factor: 0, shift: 0, start: 0 }; 64];
    let mut start = 0;
    let mut square = 0;
    while square < 64 {
        let mask = walk(square, steps, 0, true);
        let bits = mask.count_ones();
        magics[square] = Magic { mask, factor: factors[square], shift: 64 - bits, start };
        start += 1 << bits;
        square += 1;
    }
    magics
}

/// Fills the table; fails to compile if a magic maps two different sets to one index.
const fn sets<const N: usize>(steps: &[(i8, i8)], magics: &[Magic; 64]) -> [Bitboard; N] {
    let mut sets = [Bitboard::EMPTY; N];
    let mut square = 0;
    while square < 64 {
        let magic = magics[square];
        let mut occupied = 0_u64;
        loop {
            let attacks = walk(square, steps, occupied, false);
            let index = magic.index(occupied);
            assert!(sets[index].0 == 0 || sets[index].0 == attacks);
            sets[index] = Bitboard(attacks);
            // The next subset of the mask (carry-rippler).
            occupied = occupied.wrapping_sub(magic.mask) & magic.mask;
            if occupied == 0 {
                break;
            }
        }
        square += 1;
    }
    sets
}

// Found by trying sparse random numbers until one hashes every subset of the mask without
// conflicts.
#[rustfmt::skip]
const ROOK_MAGICS: [u64; 64] = [
    0x0080_0481_6011_4000, 0x2240_2000_1000_4001, 0x8280_1000_8020_0008, 0xA080_0581_0800_1000,
    0x0600_1060_2200_2804, 0x1A00_0200_2410_2841, 0x0080_0100_0200_0080, 0x2080_0524_4100_1480,
    0x0050_8000_4000_2080, 0x0001_C008_C260_1000, 0x0402_0010_2201_4A80, 0x0011_0010_0500_2008,
    0x0000_8008_0080_0400, 0x6A12_0002_0011_0804, 0x0408_8001_0002_0080, 0x5001_0009_0000_5882,
    0x0200_8280_0040_0128, 0x0880_8080_4000_2002, 0x0060_0100_4021_0010, 0x0208_0080_8010_0008,
    0x0206_0200_1008_0421, 0x0001_0100_0204_0008, 0x0020_0101_0002_0004, 0x2200_0600_0B60_8104,
    0x0E40_0040_8000_2080, 0x8100_4000_4020_1002, 0x0300_1000_8080_2000, 0x0080_4801_8010_0080,
    0x0000_0800_8080_0400, 0x0A12_0101_8080_0400, 0x4004_0401_0100_0200, 0x0020_0402_0011_A045,
    0x0120_0040_0080_8000, 0x2020_0140_00C0_3000, 0xA100_1000_8080_2000, 0x0880_8008_0080_1001,
    0x4800_8008_0080_0400, 0x0400_8002_0080_0401, 0x0021_0802_0400_0110, 0x0080_0040_8200_1104,
    0x0A80_2080_4011_8002, 0x0430_4420_1000_4009, 0x0002_0380_C032_0022, 0x0029_0010_0021_000A,
    0x0A18_0801_0011_0004, 0x0180_0200_0400_8080, 0x0100_8108_1004_0002, 0x0000_0494_0442_0001,
    0x8000_2840_8001_0500, 0x0220_2000_8040_0080, 0x0600_1000_8120_0480, 0x4090_8010_0408_0080,
    0x0801_0010_0800_0500, 0x0001_0018_0C00_0300, 0x2021_0004_1200_0500, 0x0A49_806C_0108_8200,
    0x9841_00B2_4080_0121, 0x6088_5080_C302_0422, 0x0281_000C_2000_4011, 0x8490_C900_6004_1001,
    0x8021_0002_0800_0411, 0x4401_0008_0400_0213, 0x820A_0050_A801_0402, 0x0001_0440_9029_0402,
];

#[rustfmt::skip]
const BISHOP_MAGICS: [u64; 64] = [
    0x0810_2042_4080_2100, 0x2110_0408_0048_4000, 0x0022_4200_4200_1000, 0x00A4_4400_8014_02C8,
    0x100C_1028_9F00_1800, 0x2400_8804_4000_8029, 0x0002_0890_0430_6400, 0x0014_8021_0120_2041,
    0x2000_0811_1000_8111, 0x0008_0584_0404_0820, 0x1000_4104_0900_4240, 0x0480_1104_0480_0080,
    0x0300_1A0A_1000_000D, 0x0200_0441_2010_0200, 0x0000_0208_0484_0444, 0x0509_0081_440E_2148,
    0x2408_0040_0841_0440, 0x4020_0005_042C_03C0, 0x8005_1088_0E00_2200, 0x0028_0024_0418_1140,
    0x0201_0028_2008_0008, 0x0201_0000_8080_C040, 0x0004_0032_0084_04C0, 0x8410_2001_8608_4201,
    0x0211_4800_4082_0410, 0x4090_0400_0908_0080, 0x4004_4400_1818_2401, 0x0016_0020_C600_8200,
    0x0111_8400_AF80_2004, 0x0008_0200_2041_0080, 0x4100_A102_0209_1040, 0x00C2_0221_8844_0248,
    0x8A04_1A40_1218_9002, 0x8AB0_8410_9260_4233, 0xA024_0228_0884_0240, 0x0066_1108_0204_0040,
    0x0044_0042_0044_0090, 0x6020_0301_0080_4C00, 0x1001_4202_0006_8820, 0x2078_0483_0108_2100,
    0x1201_1119_2001_4080, 0x0004_4802_2800_1000, 0x228A_2080_2080_1000, 0x2200_20C2_0200_A020,
    0x0898_0401_0400_0210, 0x00C2_5002_0200_24A2, 0x3450_1004_8B90_2B01, 0x4004_0084_0052_8104,
    0x8003_0101_5042_0490, 0x0008_8400_8210_0000, 0x0000_9200_8404_4200, 0x0000_0440_8404_0040,
    0x0080_1404_208E_0008, 0x3000_0810_6102_100A, 0x3004_2870_0102_0900, 0x0004_1004_4100_2002,
    0x4002_8084_1002_3280, 0x8044_0100_8201_2001, 0x2004_0409_1041_1000, 0x8008_0D21_0084_0404,
    0x0006_0058_4002_9600, 0x0808_0010_2001_0114, 0x0000_0930_0438_1040, 0x0208_2054_0402_4410,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lookups_equal_walking() {
        let mut occupied = 0x9E37_79B9_7F4A_7C15_u64;
        for _ in 0..2_000 {
            occupied = occupied.wrapping_mul(0xD134_2543_DE82_EF95).wrapping_add(1);
            let crowded = occupied ^ occupied >> 29;
            for square in Square::all() {
                let rook = walk(square.index(), &ROOK_STEPS, crowded, false);
                let bishop = walk(square.index(), &BISHOP_STEPS, crowded, false);
                assert_eq!(rook_attacks(square, Bitboard(crowded)).0, rook);
                assert_eq!(bishop_attacks(square, Bitboard(crowded)).0, bishop);
                assert_eq!(queen_attacks(square, Bitboard(crowded)).0, rook | bishop);
            }
        }
    }
}
