//! Counts the leaves of the move tree (perft), the standard test of a move generator.

use crate::{Move, MoveList, Position};

/// The number of move sequences of exactly `depth` plies. The last ply is counted, not played.
///
/// ```
/// use chess::{Position, perft};
///
/// assert_eq!(perft(&Position::default(), 3), 8_902);
/// ```
pub fn perft(position: &Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => u64::from(position.count_legal_moves()),
        _ => {
            let mut moves = MoveList::new();
            position.legal_moves_into(&mut moves);
            let mut leaves = 0;
            for &m in &moves {
                let mut next = position.clone();
                next.play_unchecked(m);
                leaves += perft(&next, depth - 1);
            }
            leaves
        }
    }
}

/// The count below each legal move. The sum is `perft` of the position; at depth 0 there are no
/// moves to divide by.
pub fn divide(position: &Position, depth: u32) -> Vec<(Move, u64)> {
    let Some(below) = depth.checked_sub(1) else { return Vec::new() };
    let moves = position.legal_moves();
    moves.into_iter().map(|m| (m, perft(&position.after(m), below))).collect()
}
