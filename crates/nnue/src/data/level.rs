//! Scores in files: one of 513 levels of the win probability.
//!
//! A search of a few thousand nodes differs from a deeper one by some 20 centipawns, so that a step
//! of 3 loses nothing of value. Scores far from zero are coarser: there the win probability hardly
//! changes.

use super::PackedScore;

/// Levels are from `-HIGHEST` to `HIGHEST`; mates have the outermost ones.
pub const HIGHEST: i32 = 256;

/// Centipawns for each level: level `q` is the win probability `1/2 + q/513`, so the score is `400
/// ln((513 + 2q) / (513 - 2q))`, rounded.
#[rustfmt::skip]
static CENTIPAWNS: [i16; HIGHEST as usize + 1] = [
    0, 3, 6, 9, 12, 16, 19, 22, 25, 28, 31, 34, 37, 41, 44, 47,
    50, 53, 56, 59, 63, 66, 69, 72, 75, 78, 81, 85, 88, 91, 94, 97,
    100, 103, 107, 110, 113, 116, 119, 123, 126, 129, 132, 135, 139, 142, 145, 148,
    151, 155, 158, 161, 164, 168, 171, 174, 178, 181, 184, 187, 191, 194, 197, 201,
    204, 207, 211, 214, 217, 221, 224, 227, 231, 234, 238, 241, 244, 248, 251, 255,
    258, 262, 265, 269, 272, 276, 279, 283, 286, 290, 293, 297, 300, 304, 307, 311,
    315, 318, 322, 326, 329, 333, 337, 340, 344, 348, 352, 355, 359, 363, 367, 371,
    374, 378, 382, 386, 390, 394, 398, 402, 406, 410, 414, 418, 422, 426, 430, 434,
    438, 443, 447, 451, 455, 459, 464, 468, 472, 477, 481, 485, 490, 494, 499, 503,
    508, 512, 517, 522, 526, 531, 536, 541, 545, 550, 555, 560, 565, 570, 575, 580,
    585, 590, 595, 600, 606, 611, 616, 622, 627, 633, 638, 644, 649, 655, 661, 667,
    673, 678, 684, 690, 697, 703, 709, 715, 722, 728, 735, 741, 748, 755, 762, 769,
    776, 783, 790, 797, 805, 812, 820, 828, 836, 844, 852, 860, 869, 877, 886, 895,
    904, 913, 922, 932, 942, 952, 962, 972, 983, 994, 1005, 1016, 1028, 1040, 1052, 1064,
    1077, 1091, 1105, 1119, 1133, 1148, 1164, 1180, 1197, 1215, 1233, 1252, 1272, 1292, 1314, 1337,
    1362, 1388, 1415, 1444, 1476, 1510, 1547, 1588, 1633, 1684, 1742, 1810, 1891, 1992, 2128, 2333,
    2773,
];

/// The level nearest to a score.
pub fn level(score: PackedScore) -> i32 {
    let value = i32::from(score.value());
    if score.is_mate() {
        return HIGHEST * value.signum();
    }
    // The steps of the table grow: a score belongs to the level with the nearer win probability.
    let chance = 1.0 / (1.0 + (f64::from(-value.abs()) / 400.0).exp());
    let level = ((chance - 0.5) * f64::from(2 * HIGHEST + 1)).round() as i32;
    level.min(HIGHEST) * value.signum()
}

/// The score in the middle of a level.
pub fn score(level: i32) -> PackedScore {
    let cp = i32::from(CENTIPAWNS[level.unsigned_abs() as usize]);
    PackedScore::cp(cp * level.signum())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_what_its_formula_says() {
        for q in -HIGHEST..=HIGHEST {
            let exact = 400.0 * (f64::from(513 + 2 * q) / f64::from(513 - 2 * q)).ln();
            assert_eq!(score(q).value(), exact.round() as i16, "{q}");
            assert_eq!(level(score(q)), q);
        }
    }

    #[test]
    fn scores_near_even_lose_two_centipawns_at_most() {
        for (range, most) in [(200, 2), (500, 3), (1000, 7), (1500, 19)] {
            for cp in -range..=range {
                let found = score(level(PackedScore::cp(cp)));
                let loss = (i32::from(found.value()) - cp).abs();
                assert!(loss <= most, "{cp} becomes {found}");
                assert_eq!(level(PackedScore::cp(-cp)), -level(PackedScore::cp(cp)));
            }
        }
        assert_eq!(level(PackedScore::cp(0)), 0);
        assert_eq!(score(level(PackedScore::mate(-4))).value(), -2773);
        assert_eq!(score(level(PackedScore::cp(30_000))).value(), 2773);
    }
}
