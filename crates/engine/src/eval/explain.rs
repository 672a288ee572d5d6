//! The evaluation term by term, for display.

use std::fmt;

use chess::{Color, Position};

use super::{Balance, FULL_PHASE, FULL_SCALE, Row, Tapered, fade, rows};
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

/// Evaluates a position and records the terms.
pub fn explain(position: &Position) -> Explanation {
    let (rows, balance) = rows(position);
    Explanation {
        rows,
        balance,
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
