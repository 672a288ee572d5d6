//! King and pawn against king (KPK bitbase).

use chess::{Color, Square};

/// One bit per position, set where the side with the pawn wins. `reference/kpk.rs` solves the
/// ending independently, and a test compares the two.
static WINS: &[u8; 24 * 64 * 64 * 2 / 8] = include_bytes!("kpk.bin");

/// Whether the side with the only pawn on the board wins.
pub(super) fn wins(strong: Color, kings: [Square; 2], pawn: Square, turn: Color) -> bool {
    // Normalised to a pawn that moves up on the files a to d.
    let up = if strong == Color::White { 0 } else { 0o70 };
    let left = if pawn.index() & 7 < 4 { 0 } else { 0o7 };
    let seen = |square: Square| square.index() ^ up ^ left;
    let pawn = seen(pawn);
    let place = ((pawn >> 3) - 1) * 4 + (pawn & 7);
    let kings = seen(kings[(!strong).index()]) * 64 + seen(kings[strong.index()]);
    let index = (place * 64 * 64 + kings) * 2 + usize::from(turn != strong);
    WINS[index / 8] >> (index % 8) & 1 == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_opposition_decides() {
        // King on e6, pawn on e5, the enemy on e8: won with either side to move. With the king on
        // e5 and the pawn on e4 against e7, it is won only if the enemy is to move.
        let wins = |king, enemy, pawn, turn| wins(Color::White, [king, enemy], pawn, turn);
        for turn in Color::ALL {
            assert!(wins(Square::E6, Square::E8, Square::E5, turn));
            assert!(!wins(Square::A6, Square::A8, Square::A5, turn));
        }
        assert!(wins(Square::E5, Square::E7, Square::E4, Color::Black));
        assert!(!wins(Square::E5, Square::E7, Square::E4, Color::White));
    }
}
