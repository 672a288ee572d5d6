//! Codes scores, each as its difference to the previous one, with adaptive models.

use chess::Color;

use super::level::HIGHEST;
use super::range::{Bit, Coder};
use super::tables::{CLASSES, CONTEXTS, class_prior, detail_prior};

/// Models of score differences; they adapt within a block.
#[derive(Clone, Debug)]
pub struct ScoreModel {
    /// The class of a difference: 0, or its sign and number of bits.
    classes: Vec<[Bit; CLASSES]>,
    /// The two highest bits below the first, by class.
    details: [[Bit; 4]; CLASSES],
}

impl Default for ScoreModel {
    fn default() -> Self {
        let tree = |context| std::array::from_fn(|node| Bit::expecting(class_prior(context, node)));
        Self {
            classes: (0..CONTEXTS).map(tree).collect(),
            details: std::array::from_fn(|class| {
                std::array::from_fn(|node| Bit::expecting(detail_prior(class, node)))
            }),
        }
    }
}

/// The recent scores of a game. Levels are from White's point of view.
#[derive(Copy, Clone, Debug)]
pub struct Trend {
    last: i32,
    before: i32,
    /// The recent size of differences, in sixteenths of a level.
    unrest: i32,
}

impl Trend {
    /// The start of a game.
    pub const START: Self = Self { last: 0, before: 0, unrest: 256 };

    /// Codes the next level and returns it; `None` if it is out of range. The side to move matters
    /// because each side is a little optimistic.
    #[inline]
    pub fn code(
        &mut self,
        coder: &mut impl Coder,
        model: &mut ScoreModel,
        turn: Color,
        level: i32,
    ) -> Option<i32> {
        let sign = if turn == Color::White { 1 } else { -1 };
        let expected = sign * self.last;
        let classes = &mut model.classes[self.context(sign)];
        let given = sign * level - expected;
        let class = coder.tree(classes, 5, class_of(given));
        let difference = if class == 0 {
            0
        } else {
            let details = &mut model.details[class as usize];
            let size = magnitude(coder, details, (class - 1) / 2, given.unsigned_abs()) as i32;
            if class.is_multiple_of(2) { -size } else { size }
        };
        let level = sign * (expected + difference);
        if level.abs() > HIGHEST {
            return None;
        }
        self.unrest += (16 * difference.abs() - self.unrest) >> 2;
        (self.before, self.last) = (self.last, level);
        Some(level)
    }

    /// The context: how volatile the game is, how far from even, and whether the last score went up
    /// or down.
    #[inline]
    const fn context(&self, sign: i32) -> usize {
        let unrest = if self.unrest > 1 { self.unrest as u32 } else { 1 };
        let octave = unrest.ilog2();
        let half = octave * 2 + (unrest << 1 >> octave & 1);
        let unrest = match half {
            0..=9 => 0,
            10..=15 => half as usize - 9,
            _ => 7,
        };
        let far = match self.last.unsigned_abs() {
            0..96 => 0,
            96..176 => 1,
            176..224 => 2,
            _ => 3,
        };
        let fall = match sign * (self.before - self.last) {
            ..-6 => 0,
            -6..=6 => 1,
            _ => 2,
        };
        (unrest * 4 + far) * 3 + fall
    }
}

/// 0 for no difference; otherwise 1 plus twice the position of its highest bit, plus 1 if negative.
#[inline]
const fn class_of(difference: i32) -> u32 {
    match difference.unsigned_abs().checked_ilog2() {
        None => 0,
        Some(bits) => 1 + 2 * bits + (difference < 0) as u32,
    }
}

/// A number with its highest bit at `bits`: two more bits with models, the rest without.
#[inline]
fn magnitude(coder: &mut impl Coder, details: &mut [Bit], bits: u32, value: u32) -> u32 {
    let modelled = bits.min(2);
    let plain = bits - modelled;
    let mask = (1 << modelled) - 1;
    let high = coder.tree(details, modelled, value >> plain & mask);
    let low = if plain == 0 { 0 } else { coder.uniform(value & ((1 << plain) - 1), 1 << plain) };
    1 << bits | high << plain | low
}
