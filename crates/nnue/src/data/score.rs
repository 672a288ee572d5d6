//! A score in 16 bits.

use std::fmt;
use std::ops::Neg;

use chess::Color;

use super::level;

/// A score in 16 bits: centipawns up to 300 pawns, or the plies to a mate. The point of view
/// depends on the context; a [`Game`](super::Game) uses White's.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PackedScore(i16);

/// Mate on the board; a mate in `n` plies is `n` less.
const MATE: i32 = 32_000;
/// Longer mates are stored as this long.
const MATE_PLIES: i32 = 1000;
/// The highest score that is not a mate.
const CENTIPAWNS: i32 = 30_000;

impl PackedScore {
    /// Centipawns, clamped to 300 pawns.
    pub const fn cp(cp: i32) -> Self {
        let bounded = if cp > CENTIPAWNS {
            CENTIPAWNS
        } else if cp < -CENTIPAWNS {
            -CENTIPAWNS
        } else {
            cp
        };
        Self(bounded as i16)
    }

    /// A forced mate in this many plies: positive for the mating side, zero or negative for the
    /// other.
    pub const fn mate(plies: i32) -> Self {
        let distance =
            if plies.unsigned_abs() > MATE_PLIES as u32 { MATE_PLIES } else { plies.abs() };
        let value = MATE - distance;
        Self(if plies > 0 { value } else { -value } as i16)
    }

    /// The score as a number: centipawns, or 32000 minus the plies to a mate.
    pub const fn value(self) -> i16 {
        self.0
    }

    /// The score with a number; `None` for one beyond mate.
    pub const fn from_value(value: i32) -> Option<Self> {
        if value.unsigned_abs() > MATE as u32 { None } else { Some(Self(value as i16)) }
    }

    /// Whether it is a mate score.
    pub const fn is_mate(self) -> bool {
        self.0.unsigned_abs() > CENTIPAWNS as u16
    }

    /// Plies to the mate, as [`mate`](Self::mate) takes them.
    pub const fn mate_plies(self) -> Option<i32> {
        if !self.is_mate() {
            return None;
        }
        let distance = MATE - (self.0 as i32).abs();
        Some(if self.0 > 0 { distance } else { -distance })
    }

    /// The score as read back from a file: in the middle of its level. Mates become the outermost
    /// levels, 2,773 centipawns.
    pub fn quantised(self) -> Self {
        level::score(level::level(self))
    }

    /// Converts between the point of view of `turn` and White's.
    pub fn flip_for(self, turn: Color) -> Self {
        match turn {
            Color::White => self,
            Color::Black => -self,
        }
    }
}

impl Neg for PackedScore {
    type Output = Self;

    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl fmt::Display for PackedScore {
    /// Centipawns as a number, mates as `#3` and `#-2` in moves.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.mate_plies() {
            None => write!(f, "{}", self.0),
            Some(plies) => {
                let sign = if self.0 > 0 { "" } else { "-" };
                write!(f, "#{sign}{}", plies.unsigned_abs().div_ceil(2))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_and_mates_keep_apart() {
        assert_eq!(PackedScore::cp(35).value(), 35);
        assert_eq!(PackedScore::cp(i32::MAX).value(), 30_000);
        assert_eq!(PackedScore::cp(i32::MIN).mate_plies(), None);
        for plies in [1, 2, 7, 1000, -2, -999] {
            assert_eq!(PackedScore::mate(plies).mate_plies(), Some(plies));
            assert_eq!((-PackedScore::mate(plies)).mate_plies(), Some(-plies));
        }
        assert_eq!(PackedScore::mate(i32::MIN).mate_plies(), Some(-1000));
        assert_eq!(PackedScore::mate(0).value(), -32_000);
        assert_eq!(PackedScore::from_value(32_001), None);
        assert_eq!(PackedScore::from_value(i32::MIN), None);
        assert_eq!(PackedScore::from_value(-32_000), Some(PackedScore::mate(0)));
        assert_eq!(PackedScore::cp(-7).to_string(), "-7");
        let mates = [3, -4, -3, -1, 0].map(|plies| PackedScore::mate(plies).to_string());
        assert_eq!(mates, ["#2", "#-2", "#-2", "#-1", "#-0"]);
    }
}
