//! A root move as the tables see it.

use chess::Move;

use super::wdl::TableWdl;

/// A legal root move and its result.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct RootMove {
    /// The move.
    pub m: Move,
    /// The result for the side that makes it, with the fifty-move counter of the game.
    pub wdl: TableWdl,
    /// Plies from the root to the next capture, pawn move or mate: positive if the side that moves
    /// wins, negative if it loses, zero for a draw. Rounded tables may be one ply too low. `None`
    /// without DTZ tables; the result then ignores the fifty-move counter.
    pub dtz: Option<i32>,
    /// The order of the moves: positive wins, zero draws, negative loses. Moves of the same rank
    /// are equal.
    pub rank: i32,
}
