//! Expected scores: what a score in centipawns is worth between people.
//!
//! The engine's own [WDL model](engine::wdl) is about engines: for them, a pawn in the opening is
//! half a win. People make more of their games undecided. The curve here is flatter; docs/review.md
//! compares it with games between Riga's levels.

use engine::{MatePlies, Score};

/// The width of the logistic curve in centipawns, by the material on the board.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Curve {
    /// The width with all pieces on the board.
    pub full: f64,
    /// The width with bare kings.
    pub bare: f64,
}

/// The curve of reviews.
pub const CURVE: Curve = Curve { full: 271.6, bare: 271.6 };

/// The material of the start position, in pawns.
const FULL: f64 = 78.0;

impl Curve {
    /// The expected score, from 0 to 100 points, of a score in centipawns with this
    /// [material](engine::wdl::material) on the board.
    pub fn points(self, centipawns: f64, material: u32) -> f64 {
        let share = (f64::from(material) / FULL).min(1.0);
        let width = self.bare + (self.full - self.bare) * share;
        100.0 / (1.0 + (-centipawns / width).exp())
    }
}

/// The expected score, from 0 to 100 points, for the side whose score it is. A mate is certain.
///
/// To compare two moves, take the material before them for both: otherwise trading queens in a
/// better position would cost points.
pub fn points(score: Score, material: u32) -> f64 {
    match score {
        Score::Cp(centipawns) => CURVE.points(f64::from(centipawns), material),
        Score::Mate(MatePlies(plies)) if plies > 0 => 100.0,
        Score::Mate(_) => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_grow_with_the_score_and_mirror() {
        for material in [8, 40, 78] {
            let mut last = -1.0;
            for centipawns in (-2000..=2000).step_by(50) {
                let here = points(Score::Cp(centipawns), material);
                assert!(here > last && here < 100.0);
                let mirrored = points(Score::Cp(-centipawns), material);
                assert!((here + mirrored - 100.0).abs() < 1e-9);
                last = here;
            }
        }
        assert!((points(Score::Mate(MatePlies(9)), 40) - 100.0).abs() < f64::EPSILON);
        assert!(points(Score::Mate(MatePlies(0)), 40).abs() < f64::EPSILON);
    }
}
