//! Detects whether a single move leads from one position to another, by their keys alone.
//!
//! A search that could return to an earlier position can claim a draw one ply before the repetition
//! occurs ("upcoming repetition", with a cuckoo table). A move of a piece other than a pawn changes
//! the key by a number that depends only on the piece and the squares; there are 3,668 such
//! numbers, and each is in one of two slots of a small table.

use crate::zobrist::{BLACK_TO_MOVE, PIECES};
use crate::{Position, Square, between};

const SIZE: usize = 8_192;

/// A key difference, and the two squares of the move that causes it, in either direction.
#[derive(Copy, Clone)]
struct Step {
    change: u64,
    squares: [u8; 2],
}

const EMPTY: Step = Step { change: 0, squares: [0; 2] };

static STEPS: [Step; SIZE] = build().0;

const _: () = assert!(build().1 == 3_668);

impl Position {
    /// Whether a piece on this board, moving along empty squares, makes (or takes back) the key
    /// difference between this position and another with the other side to move.
    #[inline]
    pub fn is_one_step_from(&self, other_key: u64) -> bool {
        let change = self.key() ^ other_key;
        let places = [first(change), second(change)].map(|place| STEPS[place]);
        let Some(step) = places.into_iter().find(|step| step.change == change) else {
            return false;
        };
        let [a, b] = step.squares.map(|index| Square::from_index(usize::from(index)));
        (between(a, b) & self.occupied()).is_empty()
    }

    /// The key difference of passing the turn.
    pub const PASS: u64 = BLACK_TO_MOVE;
}

const fn first(change: u64) -> usize {
    change as usize % SIZE
}

const fn second(change: u64) -> usize {
    (change >> 16) as usize % SIZE
}

/// The table, and the number of entries.
#[expect(clippy::large_stack_arrays, reason = "it is evaluated at compile time")]
const fn build() -> ([Step; SIZE], usize) {
    let mut table = [EMPTY; SIZE];
    let mut count = 0;
    // Pieces alternate in color, pawns first.
    let mut piece = 2;
    while piece < 12 {
        let mut a = 0;
        while a < 64 {
            let mut b = a + 1;
            while b < 64 {
                if reaches(piece / 2, a, b) {
                    let change = PIECES[piece][a] ^ PIECES[piece][b] ^ BLACK_TO_MOVE;
                    insert(&mut table, Step { change, squares: [a as u8, b as u8] });
                    count += 1;
                }
                b += 1;
            }
            a += 1;
        }
        piece += 1;
    }
    (table, count)
}

/// Inserts an entry in one of its slots; the one that was there moves to its other slot.
const fn insert(table: &mut [Step; SIZE], mut step: Step) {
    let mut place = first(step.change);
    loop {
        let before = table[place];
        table[place] = step;
        if before.change == 0 {
            return;
        }
        step = before;
        place = if place == first(step.change) { second(step.change) } else { first(step.change) };
    }
}

/// Whether a piece of this role (1 for a knight to 5 for a king) moves from one square to another
/// on an empty board.
const fn reaches(role: usize, a: usize, b: usize) -> bool {
    let files = (a % 8).abs_diff(b % 8);
    let ranks = (a / 8).abs_diff(b / 8);
    let straight = files == 0 || ranks == 0;
    let diagonal = files == ranks;
    match role {
        1 => files * ranks == 2,
        2 => diagonal,
        3 => straight,
        4 => straight || diagonal,
        _ => files <= 1 && ranks <= 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_quiet_move_of_a_piece_is_a_step_forth_and_back() {
        let position: Position =
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w - - 0 1"
                .parse()
                .expect("legal");
        let mut steps = 0;
        for &m in &position.legal_moves() {
            let after = position.after(m);
            let pawn = position.piece_on(m.from()).is_some_and(|piece| piece.role().index() == 0);
            let reversible = !pawn && !position.is_capture(m);
            assert_eq!(position.is_one_step_from(after.key()), reversible, "{m:?}");
            assert_eq!(after.is_one_step_from(position.key()), reversible, "{m:?}");
            steps += u32::from(reversible);
        }
        assert!(steps > 20, "{steps}");
    }

    #[test]
    fn a_step_needs_free_squares() {
        let open: Position = "4k3/8/8/8/8/8/8/R3K3 w - - 0 1".parse().expect("legal");
        let far: Position = "R3k3/8/8/8/8/8/8/4K3 b - - 0 1".parse().expect("legal");
        assert!(open.is_one_step_from(far.key()));
        let blocked: Position = "4k3/8/8/p7/8/8/8/R3K3 w - - 0 1".parse().expect("legal");
        let beyond: Position = "R3k3/8/8/p7/8/8/8/4K3 b - - 0 1".parse().expect("legal");
        assert!(!blocked.is_one_step_from(beyond.key()));
    }
}
