//! Ten named levels, from a beginner to all that the engine can do.

use std::fmt;

use crate::Options;

/// A level, 1 to 10.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Level(u8);

/// Name and strength of each level but the last, which has no limit.
const LEVELS: [(&str, Option<u32>); 10] = [
    ("beginner", Some(600)),
    ("novice", Some(800)),
    ("casual player", Some(1_000)),
    ("hobby player", Some(1_200)),
    ("club player", Some(1_450)),
    ("strong club player", Some(1_700)),
    ("expert", Some(2_000)),
    ("master", Some(2_300)),
    ("grandmaster", Some(2_650)),
    ("full strength", None),
];

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

    /// Its strength, unless it has no limit.
    pub const fn elo(self) -> Option<u32> {
        LEVELS[self.0 as usize - 1].1
    }

    /// Sets an engine to this level.
    pub fn limit(self, options: &mut Options) {
        options.limit_strength = self.elo().is_some();
        options.elo = self.elo().unwrap_or(Options::default().elo);
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
        assert!(strengths[..9].iter().all(|elo| Options::ELO.contains(elo)));
        assert_eq!((Level::new(0), Level::new(11)), (None, None));
    }

    #[test]
    fn the_ladder_measures_these_levels() {
        let elos: Vec<String> = Level::all().filter_map(|l| Some(l.elo()?.to_string())).collect();
        let ladder = include_str!("../../../tools/ladder.sh");
        assert!(ladder.contains(&format!("elos=\"{}\"", elos.join(" "))));
    }

    #[test]
    fn a_level_sets_the_options_and_the_last_one_frees_them() {
        let mut options = Options::default();
        Level::new(3).expect("there are ten").limit(&mut options);
        assert_eq!((options.limit_strength, options.elo), (true, 1_000));
        Level::new(10).expect("there are ten").limit(&mut options);
        assert_eq!(options, Options::default());
    }
}
