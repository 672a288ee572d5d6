//! The evaluator: the one type through which search asks what a position is worth.

use std::sync::Arc;

use chess::{Color, Move, Position};
use nnue::{Accumulators, Net};

use super::cache::PawnCache;
use super::evaluate::evaluate_with;
use super::{LIMIT, WEIGHTS};

/// Judges the positions along a line of moves, by a network or by hand-written rules.
///
/// Each search thread has one of its own.
#[derive(Debug)]
pub struct Evaluator(Way);

#[derive(Debug)]
enum Way {
    Hand(PawnCache),
    Net(Box<Accumulators>),
}

impl Evaluator {
    /// One that asks a network, or without one goes by hand-written rules.
    pub fn new(net: Option<Arc<Net>>) -> Self {
        net.map_or_else(Self::by_hand, Self::by_net)
    }

    /// One that goes by hand-written rules.
    pub fn by_hand() -> Self {
        Self(Way::Hand(PawnCache::default()))
    }

    /// One that asks a network.
    pub fn by_net(net: Arc<Net>) -> Self {
        Self(Way::Net(Box::new(Accumulators::new(net))))
    }

    /// Begins a line of moves.
    pub fn start(&mut self, position: &Position) {
        if let Way::Net(accumulators) = &mut self.0 {
            accumulators.start(position);
        }
    }

    /// Follows a move that is legal in the present position.
    #[inline]
    pub fn play(&mut self, before: &Position, m: Move) {
        if let Way::Net(accumulators) = &mut self.0 {
            accumulators.play(before, m);
        }
    }

    /// Follows a pass.
    #[inline]
    pub fn pass(&mut self) {
        if let Way::Net(accumulators) = &mut self.0 {
            accumulators.pass();
        }
    }

    /// Goes back by a move or a pass.
    #[inline]
    pub fn undo(&mut self) {
        if let Way::Net(accumulators) = &mut self.0 {
            accumulators.undo();
        }
    }

    /// Centipawns for the side to move, before [`fade`](super::fade), within [`LIMIT`]. The
    /// position must be the one at the end of the line.
    #[inline]
    pub fn evaluate(&mut self, position: &Position) -> i32 {
        match &mut self.0 {
            Way::Hand(pawns) => evaluate_with(position, &WEIGHTS, &mut (), Some(pawns)),
            // Driving a lone king into a corner is a matter of rules; games seldom show it.
            Way::Net(_) if is_lone_king(position) => {
                evaluate_with(position, &WEIGHTS, &mut (), None)
            }
            Way::Net(accumulators) => {
                let value = accumulators.evaluate(position);
                // One in 64, for from scratch it takes long.
                debug_assert!(
                    !position.key().is_multiple_of(64)
                        || value == accumulators.net().evaluate(position),
                    "the accumulators have lost the line of moves at {position}"
                );
                value.clamp(-LIMIT, LIMIT)
            }
        }
    }

    /// Forgets the positions seen before; values stay the same.
    pub fn clear(&mut self) {
        if let Way::Hand(pawns) = &mut self.0 {
            pawns.clear();
        }
    }
}

/// Whether a side has nothing but its king.
#[inline]
pub(crate) fn is_lone_king(position: &Position) -> bool {
    Color::ALL.into_iter().any(|color| position.color(color).count() == 1)
}
