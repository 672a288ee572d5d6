//! The coefficients of the evaluation, for the tuner.

use chess::{Color, Position};

use super::layout::{COUNT, Group, TERMS, Term};
use super::{Balance, Tally, Tapered, WEIGHTS, evaluate_with};

/// How often a weight counts.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Count {
    /// The index of the weight in the table.
    pub index: u16,
    /// How many times; White's minus Black's for terms that are summed.
    pub times: i16,
}

/// Everything that determines the value of a position, apart from the weights.
#[derive(Clone, Debug, Default)]
pub struct Coefficients {
    /// The linear terms: all but danger and complexity.
    pub linear: Vec<Count>,
    /// The danger to each king, White's first; its score is not linear.
    pub dangers: [Vec<Count>; 2],
    /// The complexity terms.
    pub complexity: Vec<Count>,
    /// How the middlegame and endgame scores are combined.
    pub balance: Balance,
}

impl Coefficients {
    /// Computes the coefficients of a position.
    pub fn of(position: &Position) -> Self {
        let mut counter = Counter { sums: [[0; COUNT]; 2], balance: Balance::default() };
        evaluate_with(position, &WEIGHTS, &mut counter, None);
        let Counter { sums: [white, black], balance } = counter;
        let mut coefficients = Self { balance, ..Self::default() };
        let push = |list: &mut Vec<Count>, index: usize, times: i32| {
            if times != 0 {
                list.push(Count { index: index as u16, times: times as i16 });
            }
        };
        for (index, group) in TERMS.into_iter().flat_map(places) {
            match group {
                Group::Danger => {
                    push(&mut coefficients.dangers[0], index, white[index]);
                    push(&mut coefficients.dangers[1], index, black[index]);
                }
                Group::Complexity => push(&mut coefficients.complexity, index, white[index]),
                _ => push(&mut coefficients.linear, index, white[index] - black[index]),
            }
        }
        coefficients
    }
}

fn places(term: Term) -> impl Iterator<Item = (usize, Group)> {
    term.range().map(move |index| (index, term.group))
}

struct Counter {
    sums: [[i32; COUNT]; 2],
    balance: Balance,
}

impl Tally for Counter {
    const LISTENS: bool = true;

    fn count(&mut self, color: Color, index: usize, count: i32) {
        self.sums[color.index()][index] += count;
    }

    fn danger(&mut self, _: Color, _: Tapered) {}

    fn close(&mut self, balance: &Balance) {
        self.balance = *balance;
    }
}
