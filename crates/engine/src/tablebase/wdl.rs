//! The five results in a table.

use std::fmt;
use std::ops::Neg;

/// The result of a position with best play, for the side to move. A position that is won only
/// without the fifty-move rule is a cursed win, and a blessed loss for the other side.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(i8)]
pub enum TableWdl {
    /// Lost.
    Loss = -2,
    /// Lost, but the fifty-move rule saves a draw.
    BlessedLoss = -1,
    /// Drawn.
    Draw = 0,
    /// Won, but the fifty-move rule makes it a draw.
    CursedWin = 1,
    /// Won.
    Win = 2,
}

impl TableWdl {
    /// 1 if the position would be won without the fifty-move rule, -1 if it would be lost, 0 if
    /// it would be drawn.
    pub const fn signum(self) -> i32 {
        (self as i32).signum()
    }

    /// The display name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Loss => "loss",
            Self::BlessedLoss => "blessed loss",
            Self::Draw => "draw",
            Self::CursedWin => "cursed win",
            Self::Win => "win",
        }
    }
}

impl Neg for TableWdl {
    type Output = Self;

    fn neg(self) -> Self {
        match self {
            Self::Loss => Self::Win,
            Self::BlessedLoss => Self::CursedWin,
            Self::Draw => Self::Draw,
            Self::CursedWin => Self::BlessedLoss,
            Self::Win => Self::Loss,
        }
    }
}

#[cfg(feature = "syzygy")]
impl From<shakmaty_syzygy::Wdl> for TableWdl {
    fn from(wdl: shakmaty_syzygy::Wdl) -> Self {
        use shakmaty_syzygy::Wdl;
        match wdl {
            Wdl::Loss => Self::Loss,
            Wdl::BlessedLoss => Self::BlessedLoss,
            Wdl::Draw => Self::Draw,
            Wdl::CursedWin => Self::CursedWin,
            Wdl::Win => Self::Win,
        }
    }
}

impl fmt::Display for TableWdl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
