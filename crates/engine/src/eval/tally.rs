//! Observers of the evaluation, free of cost when there is none.

use chess::Color;

use super::{Tapered, Weights};

/// Receives every count that enters the evaluation.
pub trait Tally {
    /// Whether it listens. If so, no count may come from a cache.
    const LISTENS: bool;

    /// The weight at `index` counts `count` times for `color`.
    fn count(&mut self, color: Color, index: usize, count: i32);

    /// The score of the danger to the king of `color`, after the counts it is made of.
    fn danger(&mut self, color: Color, score: Tapered);

    /// The final result.
    fn close(&mut self, balance: &Balance);
}

/// No observer.
impl Tally for () {
    const LISTENS: bool = false;

    #[inline]
    fn count(&mut self, _: Color, _: usize, _: i32) {}

    #[inline]
    fn danger(&mut self, _: Color, _: Tapered) {}

    #[inline]
    fn close(&mut self, _: &Balance) {}
}

/// The last steps from the sum of the terms to one number, all for White.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Balance {
    /// The sum of all terms but complexity.
    pub sum: Tapered,
    /// What complexity adds to the endgame score.
    pub complexity: i32,
    /// The game phase: 24 with all pieces on the board, 0 with kings and pawns.
    pub phase: i32,
    /// The scale of the endgame score, out of [`FULL_SCALE`], if White is better and if Black is.
    pub scales: [i32; 2],
    /// The bonus for a known ending.
    pub ending: i32,
    /// The value of the position.
    pub value: i32,
}

/// The scale of an undiminished endgame score.
pub const FULL_SCALE: i32 = 64;
/// The phase with all pieces on the board.
pub const FULL_PHASE: i32 = 24;

impl Balance {
    /// The endgame score after complexity, before scaling.
    pub fn endgame(&self) -> i32 {
        self.sum.eg() + self.complexity
    }

    /// The scale that applies.
    pub fn scale(&self) -> i32 {
        self.scales[usize::from(self.endgame() < 0)]
    }

    /// The scale of the middlegame score, out of [`FULL_SCALE`]: if the side that is ahead can
    /// hardly win, that of the endgame score.
    pub fn middlegame_scale(&self) -> i32 {
        let hopeless = self.scale() <= HOPELESS && self.endgame() != 0;
        if hopeless { self.scale() } else { FULL_SCALE }
    }

    /// The tapered evaluation: blends both scores by the phase, and adds the bonus for a known
    /// ending.
    pub fn blend(&self) -> i32 {
        let mg = self.sum.mg() * self.middlegame_scale() * self.phase;
        let eg = self.endgame() * self.scale() * (FULL_PHASE - self.phase);
        let value = (mg + eg) / (FULL_SCALE * FULL_PHASE) + self.ending;
        value.clamp(-LIMIT, LIMIT)
    }
}

/// Up to this scale, an advantage hardly ever wins.
pub const HOPELESS: i32 = 16;

/// The largest value: higher numbers are mates and tablebase wins.
pub const LIMIT: i32 = 19_999;

/// The running sum: all terms are added here.
pub(super) struct Ledger<'a, T> {
    pub weights: &'a Weights,
    pub tally: &'a mut T,
    /// For White.
    pub score: Tapered,
}

impl<T: Tally> Ledger<'_, T> {
    /// Adds the weight at `index` once for the side `S`.
    #[inline]
    pub fn once<S: super::side::Side>(&mut self, index: usize) {
        self.tally.count(S::US, index, 1);
        self.score += self.weights[index].signed::<S>();
    }

    /// Adds the weight at `index` `count` times for the side `S`.
    #[inline]
    pub fn times<S: super::side::Side>(&mut self, index: usize, count: i32) {
        self.tally.count(S::US, index, count);
        self.score += self.weights[index].signed::<S>() * count;
    }
}

impl Tapered {
    /// The score for White of a term of the side `S`.
    #[inline]
    pub(super) fn signed<S: super::side::Side>(self) -> Self {
        match S::US {
            Color::White => self,
            Color::Black => -self,
        }
    }
}
