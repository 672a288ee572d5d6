//! The evaluator, through which the search evaluates positions.

use std::sync::Arc;

use chess::{Color, Move, Position};
use nnue::{Accumulators, Net};

use super::cache::PawnCache;
use super::evaluate::evaluate_with;
use super::{LIMIT, WEIGHTS, Weights};

/// What positions are evaluated with.
#[derive(Clone, Debug)]
pub enum Knowledge {
    /// A network.
    Net(Arc<Net>),
    /// The hand-written evaluation with its own weights, or others.
    Hand(Option<Arc<Weights>>),
}

/// Evaluates the positions along a line of moves, with a network or the hand-written evaluation.
///
/// Each search thread has its own.
#[derive(Debug)]
pub struct Evaluator(Way);

#[derive(Debug)]
enum Way {
    Hand(PawnCache, Option<Arc<Weights>>),
    Net(Box<Accumulators>),
}

impl Evaluator {
    /// With a network, or with weights.
    pub fn new(knowledge: &Knowledge) -> Self {
        Self(match knowledge {
            Knowledge::Net(net) => Way::Net(Box::new(Accumulators::new(Arc::clone(net)))),
            Knowledge::Hand(weights) => Way::Hand(PawnCache::default(), weights.clone()),
        })
    }

    /// With the hand-written evaluation.
    pub fn by_hand() -> Self {
        Self::new(&Knowledge::Hand(None))
    }

    /// Starts a line of moves.
    pub fn start(&mut self, position: &Position) {
        if let Way::Net(accumulators) = &mut self.0 {
            accumulators.start(position);
        }
    }

    /// Makes a move that is legal in the current position.
    #[inline]
    pub fn play(&mut self, before: &Position, m: Move) {
        if let Way::Net(accumulators) = &mut self.0 {
            accumulators.play(before, m);
        }
    }

    /// Makes a null move.
    #[inline]
    pub fn pass(&mut self) {
        if let Way::Net(accumulators) = &mut self.0 {
            accumulators.pass();
        }
    }

    /// Unmakes a move or a null move.
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
            Way::Hand(pawns, weights) => {
                let weights = weights.as_deref().unwrap_or(&WEIGHTS);
                evaluate_with(position, weights, &mut (), Some(pawns))
            }
            // Driving a lone king into a corner needs explicit rules; games rarely contain it.
            Way::Net(_) if is_lone_king(position) => {
                evaluate_with(position, &WEIGHTS, &mut (), None)
            }
            Way::Net(accumulators) => {
                let value = accumulators.evaluate(position);
                // One in 64, since computing it from scratch is slow.
                debug_assert!(
                    !position.key().is_multiple_of(64)
                        || value == accumulators.net().evaluate(position),
                    "the accumulators have lost the line of moves at {position}"
                );
                value.clamp(-LIMIT, LIMIT)
            }
        }
    }

    /// Clears the caches; values stay the same.
    pub fn clear(&mut self) {
        if let Way::Hand(pawns, _) = &mut self.0 {
            pawns.clear();
        }
    }
}

/// Whether a side has only its king.
#[inline]
pub(crate) fn is_lone_king(position: &Position) -> bool {
    Color::ALL.into_iter().any(|color| position.color(color).count() == 1)
}
