//! Win, draw and loss probabilities from a score.

use std::ops::RangeInclusive;

use chess::{Position, Role};

use crate::Wdl;

/// The WDL model: the win probability is a logistic curve, whose middle (the score that wins half
/// of the games) and width, in centipawns, depend on the material.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Model {
    /// The middle: a quadratic polynomial of the material.
    pub middle: [f64; 3],
    /// The width: a quadratic polynomial of the material.
    pub width: [f64; 3],
}

/// Fitted by `riga lab wdl` to games of the embedded network, at 5,000 nodes per move.
pub const MODEL: Model = Model { middle: [156.0, -90.8, 41.0], width: [79.2, 18.1, -5.5] };

/// The range of material that matters: positions beyond it count like those at its ends.
pub const MATERIAL: RangeInclusive<u32> = 8..=78;

/// Pawns count 1, knights and bishops 3, rooks 5, queens 9, of both sides together.
pub fn material(position: &Position) -> u32 {
    [(Role::Pawn, 1), (Role::Knight, 3), (Role::Bishop, 3), (Role::Rook, 5), (Role::Queen, 9)]
        .into_iter()
        .map(|(role, worth)| worth * position.role(role).count())
        .sum::<u32>()
        .clamp(*MATERIAL.start(), *MATERIAL.end())
}

impl Model {
    /// Number of coefficients.
    pub const COEFFICIENTS: usize = 6;

    /// A coefficient by its index.
    pub fn coefficient(&mut self, place: usize) -> &mut f64 {
        if place < 3 { &mut self.middle[place] } else { &mut self.width[place - 3] }
    }

    /// Loss, draw and win probabilities for a score in centipawns.
    pub fn chances(&self, score: f64, material: u32) -> [f64; 3] {
        // Scaled from -1 to 1, so that no power dominates.
        let middle = f64::from(MATERIAL.start() + MATERIAL.end()) / 2.0;
        let x = (f64::from(material) - middle) / (f64::from(*MATERIAL.end()) - middle);
        let polynomial = |c: [f64; 3]| c[0] + x * (c[1] + x * c[2]);
        // Bounds the slope of the curve, and keeps the middle above a dead draw.
        let (middle, width) = (polynomial(self.middle).max(1.0), polynomial(self.width).max(5.0));
        let curve = |score: f64| 1.0 / (1.0 + ((middle - score) / width).exp());
        let (win, loss) = (curve(score), curve(-score));
        [loss, 1.0 - win - loss, win]
    }
}

/// The probabilities of the side to move with a score in centipawns, in per mille.
pub(crate) fn of(cp: i32, position: &Position) -> Wdl {
    let [loss, _, win] = MODEL.chances(f64::from(cp), material(position));
    let [loss, win] = [loss, win].map(|chance| (1000.0 * chance).round() as u16);
    Wdl { win, draw: 1000 - win - loss, loss }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_add_up_and_grow_with_the_score() {
        for material in MATERIAL {
            let mut last = -1.0;
            for score in (-3_000..=3_000).step_by(20) {
                let [loss, draw, win] = MODEL.chances(f64::from(score), material);
                assert!((loss + draw + win - 1.0).abs() < 1e-9);
                assert!(win - loss >= last);
                last = win - loss;
            }
        }
    }

    #[test]
    fn both_sides_see_the_same_chances() {
        let position = Position::default();
        for cp in [-900, -50, 0, 50, 900] {
            let (ours, theirs) = (of(cp, &position), of(-cp, &position));
            assert_eq!((ours.win, ours.draw, ours.loss), (theirs.loss, theirs.draw, theirs.win));
            assert_eq!(ours.win + ours.draw + ours.loss, 1000);
        }
        assert_eq!(of(20_000, &position).win, 1000, "a win by tablebases");
    }
}
