//! The evaluation by groups of terms.

use chess::{Color, Position};

use super::layout::{Group, TERMS};
use super::{Balance, COUNT, FULL_PHASE, Tally, Tapered, WEIGHTS, evaluate_with};

/// The value of a group of terms for White and for Black.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The group.
    pub group: Group,
    /// White's and Black's, each from its own point of view.
    pub sides: [Tapered; 2],
}

impl Row {
    /// White's minus Black's.
    pub fn total(&self) -> Tapered {
        self.sides[0] - self.sides[1]
    }

    /// White's minus Black's in centipawns, in a game phase from 24 (all pieces) to 0.
    pub fn blend(&self, phase: i32) -> i32 {
        let total = self.total();
        (total.mg() * phase + total.eg() * (FULL_PHASE - phase)) / FULL_PHASE
    }
}

/// One row for each group of terms of a position's evaluation, and how their sum became one number.
pub fn rows(position: &Position) -> (Vec<Row>, Balance) {
    let mut trace = Trace {
        sums: [[Tapered::ZERO; COUNT]; 2],
        dangers: [Tapered::ZERO; 2],
        balance: Balance::default(),
    };
    evaluate_with(position, &WEIGHTS, &mut trace, None);
    let side = |group: Group, color: usize| match group {
        Group::Danger => trace.dangers[color],
        Group::Complexity => {
            // It is added to the side that is ahead.
            let gain = trace.balance.complexity;
            let ahead = if color == 0 { gain.max(0) } else { (-gain).max(0) };
            Tapered::new(0, ahead)
        }
        _ => {
            let terms = TERMS.into_iter().filter(|term| term.group == group);
            let weights = terms.flat_map(|term| trace.sums[color][term.range()].to_vec());
            weights.fold(Tapered::ZERO, |sum, weight| sum + weight)
        }
    };
    let row = |group| Row { group, sides: [side(group, 0), side(group, 1)] };
    (Group::ALL.into_iter().map(row).collect(), trace.balance)
}

struct Trace {
    sums: [[Tapered; COUNT]; 2],
    dangers: [Tapered; 2],
    balance: Balance,
}

impl Tally for Trace {
    const LISTENS: bool = true;

    fn count(&mut self, color: Color, index: usize, count: i32) {
        self.sums[color.index()][index] += WEIGHTS[index] * count;
    }

    fn danger(&mut self, color: Color, score: Tapered) {
        self.dangers[color.index()] = score;
    }

    fn close(&mut self, balance: &Balance) {
        self.balance = *balance;
    }
}
