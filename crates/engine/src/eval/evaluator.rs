//! The evaluator: the one type through which search asks what a position is worth.

use chess::Position;

use super::WEIGHTS;
use super::cache::PawnCache;
use super::evaluate::evaluate_with;

/// Judges positions. What is behind it is chosen here and nowhere else.
///
/// Each search thread has one of its own.
#[derive(Debug, Default)]
pub struct Evaluator {
    pawns: PawnCache,
}

impl Evaluator {
    /// Centipawns for the side to move, before [`fade`](super::fade), within
    /// [`LIMIT`](super::LIMIT).
    #[inline]
    pub fn evaluate(&mut self, position: &Position) -> i32 {
        evaluate_with(position, &WEIGHTS, &mut (), Some(&mut self.pawns))
    }

    /// Forgets the positions seen before; values stay the same.
    pub fn clear(&mut self) {
        self.pawns.clear();
    }
}
