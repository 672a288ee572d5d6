//! Where a game turned.

use crate::sides::Judged;

/// The most turning points of a game.
const MOST: usize = 3;
/// Points a move must lose to turn a game.
const LOST: f64 = 10.0;

/// The plies of the costliest moves, in the order they were played.
pub(crate) fn points(judged: &[Judged]) -> Vec<usize> {
    let mut costly: Vec<usize> =
        (0..judged.len()).filter(|&ply| judged[ply].facts.loss() >= LOST).collect();
    costly.sort_by(|&a, &b| judged[b].facts.loss().total_cmp(&judged[a].facts.loss()));
    costly.truncate(MOST);
    costly.sort_unstable();
    costly
}
