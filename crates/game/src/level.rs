//! Ten named levels of the engine, from beginner to full strength.

use std::fmt;

/// A level of the engine, 1 to 10.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(
    feature = "json",
    derive(serde::Serialize, serde::Deserialize),
    serde(into = "u8", try_from = "u8")
)]
pub struct Level(u8);

/// Name and rating of each level; the last is unlimited.
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

/// The nominal rating of the engine at full strength.
const FULL_STRENGTH: u32 = 3_000;

/// There is no level with this number.
#[derive(Copy, Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("levels are 1 to 10, not {0}")]
pub struct UnknownLevel(pub u8);

impl Level {
    /// All levels, weakest first.
    pub fn all() -> impl Iterator<Item = Self> {
        (1..=LEVELS.len() as u8).map(Self)
    }

    /// The level with a number from 1 to 10.
    pub const fn new(number: u8) -> Option<Self> {
        if 1 <= number && number as usize <= LEVELS.len() { Some(Self(number)) } else { None }
    }

    /// 1 to 10.
    pub const fn number(self) -> u8 {
        self.0
    }

    /// Its name.
    pub const fn name(self) -> &'static str {
        LEVELS[self.0 as usize - 1].0
    }

    /// The rating it plays at; none for the last level, which is unlimited.
    pub const fn elo(self) -> Option<u32> {
        LEVELS[self.0 as usize - 1].1
    }

    /// Its rating for the rating system.
    pub const fn rating(self) -> u32 {
        match self.elo() {
            Some(elo) => elo,
            None => FULL_STRENGTH,
        }
    }

    /// Its name as a player: "Riga, level 3".
    pub fn player_name(self) -> String {
        format!("Riga, level {}", self.0)
    }
}

impl fmt::Display for Level {
    /// The number.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl From<Level> for u8 {
    fn from(level: Level) -> Self {
        level.0
    }
}

impl TryFrom<u8> for Level {
    type Error = UnknownLevel;

    fn try_from(number: u8) -> Result<Self, UnknownLevel> {
        Self::new(number).ok_or(UnknownLevel(number))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_level_is_stronger_than_the_one_before() {
        let strengths: Vec<u32> = Level::all().map(Level::rating).collect();
        assert_eq!(strengths.len(), 10);
        assert!(strengths.is_sorted_by(|weaker, stronger| weaker < stronger));
        assert_eq!((Level::new(0), Level::new(11)), (None, None));
    }

    #[test]
    fn the_ladder_measures_these_levels() {
        let elos: Vec<String> = Level::all().filter_map(|l| Some(l.elo()?.to_string())).collect();
        let ladder = include_str!("../../../tools/ladder.sh");
        assert!(ladder.contains(&format!("elos=\"{}\"", elos.join(" "))));
    }
}
