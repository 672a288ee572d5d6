//! Scores in user-facing form.

use std::cmp::Ordering;
use std::fmt;
use std::ops::Neg;

use chess::{Color, Position};

use crate::wdl;

/// How good a position is for one side; everywhere in this crate for the side to move.
///
/// Scores are ordered from worst to best: giving mate beats any number of pawns, a shorter mate
/// beats a longer one, and when being mated, longer is better.
///
/// ```
/// use engine::{MatePlies, Score};
///
/// let mate = |plies| Score::Mate(MatePlies(plies));
/// let ascending = [mate(0), mate(-2), mate(-8), Score::Cp(-900), Score::Cp(3), mate(5), mate(1)];
/// assert!(ascending.is_sorted());
/// ```
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Score {
    /// Centipawns.
    Cp(i32),
    /// A forced mate.
    Mate(MatePlies),
}

/// Plies to a forced mate: positive for the mating side, zero or negative for the mated side.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct MatePlies(pub i32);

impl MatePlies {
    /// The distance in moves, as in UCI. Both signs round away from zero: from White's point of view
    /// (see [`Score::for_white`]) the mated side may be an odd number of plies away, too.
    pub const fn moves(self) -> i32 {
        self.0.signum() * self.0.unsigned_abs().div_ceil(2) as i32
    }
}

impl Score {
    /// The same score from White's point of view, if it is `turn`'s.
    pub fn for_white(self, turn: Color) -> Self {
        match turn {
            Color::White => self,
            Color::Black => -self,
        }
    }

    /// Win, draw and loss probabilities of the side to move in a position with this score.
    ///
    /// A mate is certain. Centipawns go through [`wdl::MODEL`], which is fitted to games of our own
    /// network. Another engine's centipawns are treated as if they were ours. Engines that scale
    /// their scores so that one pawn wins half of the games, as Stockfish does, get somewhat
    /// smaller probabilities than they would report themselves.
    pub fn wdl(self, position: &Position) -> Wdl {
        match self {
            Self::Cp(cp) => wdl::of(cp, position),
            Self::Mate(MatePlies(plies)) => {
                let win = if plies > 0 { 1000 } else { 0 };
                Wdl { win, draw: 0, loss: 1000 - win }
            }
        }
    }

    /// A pair that orders like the score: the kind, then the order within it.
    fn rank(self) -> (i8, i64) {
        match self {
            Self::Cp(cp) => (0, cp.into()),
            Self::Mate(MatePlies(plies)) => (if plies > 0 { 1 } else { -1 }, -i64::from(plies)),
        }
    }
}

impl Ord for Score {
    fn cmp(&self, other: &Self) -> Ordering {
        self.rank().cmp(&other.rank())
    }
}

impl PartialOrd for Score {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Neg for Score {
    type Output = Self;

    /// The other side's point of view. A mate on the board is 0 plies away for both.
    fn neg(self) -> Self {
        match self {
            Self::Cp(cp) => Self::Cp(-cp),
            Self::Mate(MatePlies(plies)) => Self::Mate(MatePlies(-plies)),
        }
    }
}

impl fmt::Display for Score {
    /// In the usual notation: `+0.35`, `-1.20`, `#3`, `#-2`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cp(cp) => {
                let sign = if *cp < 0 { '-' } else { '+' };
                write!(f, "{sign}{}.{:02}", cp.abs() / 100, cp.abs() % 100)
            }
            Self::Mate(plies) => write!(f, "#{}", plies.moves()),
        }
    }
}

/// Win, draw and loss probabilities in per mille; they sum to 1000.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct Wdl {
    /// Win.
    pub win: u16,
    /// Draw.
    pub draw: u16,
    /// Loss.
    pub loss: u16,
}

impl Neg for Wdl {
    type Output = Self;

    fn neg(self) -> Self {
        Self { win: self.loss, draw: self.draw, loss: self.win }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn score() -> impl Strategy<Value = Score> {
        // Small numbers, so that equal and adjacent scores are common, and all others.
        let number = prop_oneof![-4..=4, any::<i32>()];
        let mate = number.clone().prop_map(|plies| Score::Mate(MatePlies(plies)));
        prop_oneof![number.prop_map(Score::Cp), mate]
    }

    proptest! {
        #[test]
        fn scores_are_in_one_order(a in score(), b in score(), c in score()) {
            prop_assert_eq!(a.cmp(&b), b.cmp(&a).reverse());
            prop_assert_eq!(a == b, a.cmp(&b).is_eq());
            prop_assert!(a > b || b > c || a <= c, "{a:?} {b:?} {c:?}");
            let mut sorted = [a, b, c];
            sorted.sort();
            prop_assert!(sorted[0] <= sorted[1] && sorted[1] <= sorted[2] && sorted[0] <= sorted[2]);
        }

        #[test]
        fn mates_beat_centipawns_and_the_shorter_is_the_stronger(
            cp: i32, near in 1..1000, further in 1..1000,
        ) {
            let mate = |plies| Score::Mate(MatePlies(plies));
            prop_assert!(mate(near) > Score::Cp(cp) && Score::Cp(cp) > mate(-near));
            prop_assert!(mate(near) > mate(near + further));
            prop_assert!(mate(-near) < mate(-near - further));
            prop_assert!(mate(0) < mate(-near));
        }

        /// Mate on the board is the same number for both sides, so it alone has no mirror image.
        #[test]
        fn the_other_side_sees_the_reverse(a in score(), b in score()) {
            let mirrors = |score: Score| !matches!(
                score,
                Score::Mate(MatePlies(0 | i32::MIN)) | Score::Cp(i32::MIN)
            );
            prop_assume!(mirrors(a) && mirrors(b));
            prop_assert_eq!(a.cmp(&b), (-b).cmp(&-a));
        }

        #[test]
        fn every_score_has_chances_that_add_up_and_grow_with_it(a in score(), b in score()) {
            let position = Position::default();
            let [low, high] = [a.min(b), a.max(b)].map(|score| score.wdl(&position));
            prop_assert_eq!(low.win + low.draw + low.loss, 1000);
            prop_assert!(low.win <= high.win && low.loss >= high.loss, "{a:?} {b:?}");
        }
    }

    #[test]
    fn a_mate_by_black_is_as_many_moves_away_as_one_by_white() {
        let texts = |plies: [i32; 5]| plies.map(|plies| Score::Mate(MatePlies(plies)).to_string());
        assert_eq!(texts([1, 2, 3, 4, 5]), ["#1", "#1", "#2", "#2", "#3"]);
        assert_eq!(texts([-1, -2, -3, -4, -5]), ["#-1", "#-1", "#-2", "#-2", "#-3"]);
        assert_eq!(
            [0, i32::MAX, i32::MIN].map(|plies| MatePlies(plies).moves()),
            [0, 1 << 30, -(1 << 30)]
        );
        for plies in 1..10 {
            let black = Score::Mate(MatePlies(plies)).for_white(Color::Black);
            assert_eq!(black, Score::Mate(MatePlies(-plies)));
            assert_eq!(MatePlies(-plies).moves(), -MatePlies(plies).moves());
        }
    }

    #[test]
    fn a_mate_is_certain() {
        let position = Position::default();
        let wdl = |plies| Score::Mate(MatePlies(plies)).wdl(&position);
        assert_eq!(wdl(7), Wdl { win: 1000, draw: 0, loss: 0 });
        assert_eq!([wdl(-8), wdl(0)], [Wdl { win: 0, draw: 0, loss: 1000 }; 2]);
    }
}
