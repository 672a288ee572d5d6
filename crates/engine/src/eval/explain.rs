//! The evaluation term by term, for display.

use std::fmt;

use chess::{Color, Position};

use super::layout::{Group, TERMS};
use super::{Balance, COUNT, FULL_PHASE, FULL_SCALE, Tally, Tapered, WEIGHTS, evaluate_with, fade};
use crate::{Score, embedded_net};

/// The terms behind a position's value.
///
/// ```
/// use chess::{Color, Position};
/// use engine::eval::{Group, explain};
///
/// let explanation = explain(&Position::default());
/// let material = explanation.rows.iter().find(|row| row.group == Group::Material).unwrap();
/// assert_eq!(material.sides[0], material.sides[1]);
/// assert!(explanation.to_string().contains("Mobility"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// One row for each group of terms.
    pub rows: Vec<Row>,
    /// How the sum of the rows became one number. All for White.
    pub balance: Balance,
    /// The embedded network's score, for White.
    pub network: Score,
    /// The side to move.
    pub turn: Color,
    /// Plies since the last capture or pawn move.
    pub halfmoves: u16,
}

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
}

/// Evaluates a position and records the terms.
pub fn explain(position: &Position) -> Explanation {
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
    Explanation {
        rows: Group::ALL.into_iter().map(row).collect(),
        balance: trace.balance,
        network: Score::Cp(embedded_net().evaluate(position)).for_white(position.turn()),
        turn: position.turn(),
        halfmoves: position.halfmoves(),
    }
}

impl Explanation {
    /// The value in centipawns for White, before fifty-move scaling.
    pub fn value(&self) -> i32 {
        self.balance.value
    }

    /// The value for White after [`fade`].
    pub fn faded(&self) -> i32 {
        fade(self.balance.value, self.halfmoves)
    }
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

/// Centipawns as pawns with a sign.
struct Pawns(i32);

impl fmt::Display for Pawns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{:+.2}", f64::from(self.0) / 100.0))
    }
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "              |      White      |      Black      |      Total")?;
        writeln!(f, "Term          |    MG      EG   |    MG      EG   |    MG      EG")?;
        writeln!(f, "--------------+-----------------+-----------------+-----------------")?;
        let line = |f: &mut fmt::Formatter<'_>, name: &str, cells: [Option<Tapered>; 3]| {
            write!(f, "{name:<13}")?;
            for cell in cells {
                match cell {
                    Some(pair) => {
                        write!(f, " | {:>7} {:>7}", Pawns(pair.mg()), Pawns(pair.eg()))?;
                    }
                    None => write!(f, " | {:>7} {:>7}", "", "")?,
                }
            }
            writeln!(f)
        };
        for row in &self.rows {
            let [white, black] = row.sides;
            line(f, row.group.name(), [Some(white), Some(black), Some(row.total())])?;
        }
        writeln!(f, "--------------+-----------------+-----------------+-----------------")?;
        let balance = &self.balance;
        let sum = Tapered::new(balance.sum.mg(), balance.endgame());
        line(f, "Sum", [None, None, Some(sum)])?;
        writeln!(f)?;
        writeln!(
            f,
            "Phase {} of {FULL_PHASE} (opening {FULL_PHASE}, pawn ending 0), \
             endgame counts {} of {FULL_SCALE}",
            balance.phase,
            balance.scale(),
        )?;
        if balance.ending != 0 {
            writeln!(f, "Known ending {}", Pawns(balance.ending))?;
        }
        write!(f, "Value {} for White", Pawns(self.value()))?;
        if self.faded() != self.value() {
            write!(f, ", {} after {} plies without progress", Pawns(self.faded()), self.halfmoves)?;
        }
        writeln!(f, " ({} to move)", self.turn.name())?;
        writeln!(f, "The network says {} for White", self.network)
    }
}
