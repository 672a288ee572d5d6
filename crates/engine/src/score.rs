//! How good a position is, in a form people read.

use std::fmt;
use std::ops::Neg;

use chess::Color;

/// How good a position is for one side; everywhere in this crate for the side to move.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Score {
    /// Hundredths of a pawn.
    Cp(i32),
    /// A forced mate.
    Mate(MatePlies),
}

/// Plies to a forced mate: positive if we give it, zero or negative if we suffer it.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct MatePlies(pub i32);

impl MatePlies {
    /// The distance in moves, as UCI and people count it.
    pub const fn moves(self) -> i32 {
        if self.0 > 0 { (self.0 + 1) / 2 } else { self.0 / 2 }
    }
}

impl Score {
    /// The same score as White sees it, when it is `turn`'s.
    pub fn for_white(self, turn: Color) -> Self {
        match turn {
            Color::White => self,
            Color::Black => -self,
        }
    }
}

impl Neg for Score {
    type Output = Self;

    /// The other side's view. A mate that stands on the board is 0 plies away for both.
    fn neg(self) -> Self {
        match self {
            Self::Cp(cp) => Self::Cp(-cp),
            Self::Mate(MatePlies(plies)) => Self::Mate(MatePlies(-plies)),
        }
    }
}

impl fmt::Display for Score {
    /// As people write it: `+0.35`, `-1.20`, `#3`, `#-2`.
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

/// Chances in per mille; they sum to 1000.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct Wdl {
    /// To win.
    pub win: u16,
    /// To draw.
    pub draw: u16,
    /// To lose.
    pub loss: u16,
}

impl Neg for Wdl {
    type Output = Self;

    fn neg(self) -> Self {
        Self { win: self.loss, draw: self.draw, loss: self.win }
    }
}
