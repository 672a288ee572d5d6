//! Ten named levels, from a beginner to all that the engine can do.

use std::fmt;

use crate::{Elo, Strength};

/// A level, 1 to 10.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Level(u8);

/// Name and strength of each level.
const LEVELS: [(&str, Strength); 10] = [
    ("beginner", elo(600)),
    ("novice", elo(800)),
    ("casual player", elo(1_000)),
    ("hobby player", elo(1_200)),
    ("club player", elo(1_450)),
    ("strong club player", elo(1_700)),
    ("expert", elo(2_000)),
    ("master", elo(2_300)),
    ("grandmaster", elo(2_650)),
    ("full strength", Strength::Full),
];

const fn elo(rating: u32) -> Strength {
    Strength::Elo(Elo::new(rating).expect("the levels are in range"))
}

impl Level {
    /// All levels, the weakest first.
    pub fn all() -> impl Iterator<Item = Self> {
        (1..=LEVELS.len() as u8).map(Self)
    }

    /// The level of a number from 1 to 10.
    pub const fn new(number: u8) -> Option<Self> {
        if 1 <= number && number as usize <= LEVELS.len() { Some(Self(number)) } else { None }
    }

    /// 1 to 10.
    pub const fn number(self) -> u8 {
        self.0
    }

    /// Who plays like this.
    pub const fn name(self) -> &'static str {
        LEVELS[self.0 as usize - 1].0
    }

    /// How strongly it plays.
    pub const fn strength(self) -> Strength {
        LEVELS[self.0 as usize - 1].1
    }

    /// Its rating, unless it has no limit.
    pub const fn elo(self) -> Option<u32> {
        match self.strength() {
            Strength::Full => None,
            Strength::Elo(elo) => Some(elo.get()),
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.number(), self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_level_is_stronger_than_the_one_before() {
        let strengths: Vec<u32> = Level::all().map(|level| level.elo().unwrap_or(9_999)).collect();
        assert_eq!(strengths.len(), 10);
        assert!(strengths.is_sorted_by(|weaker, stronger| weaker < stronger));
        assert_eq!(Level::all().last().map(Level::strength), Some(Strength::Full));
        assert_eq!((Level::new(0), Level::new(11)), (None, None));
    }

    #[test]
    fn the_ladder_measures_these_levels() {
        let elos: Vec<String> = Level::all().filter_map(|l| Some(l.elo()?.to_string())).collect();
        let ladder = include_str!("../../../tools/ladder.sh");
        assert!(ladder.contains(&format!("elos=\"{}\"", elos.join(" "))));
    }
}
