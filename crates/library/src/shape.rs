//! What the games of a library are like: how long, and how many positions they share.

use crate::error::Result;
use crate::library::Library;
use crate::shared;

/// Figures of all games, also deleted ones. A game counts once for a position.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Shape {
    /// Games.
    pub games: u64,
    /// Moves a game.
    pub plies: f64,
    /// The share of different positions among all visits.
    pub distinct: f64,
    /// Positions a game that no other game of its segment has reached.
    pub alone: f64,
    /// Positions a game that it shares with others.
    pub in_common: f64,
    /// The ranges of game numbers that these fall into, a game.
    pub ranges: f64,
}

impl Library {
    /// Measures the games by their index.
    pub fn shape(&self) -> Result<Shape> {
        let (mut games, mut plies, mut alone, mut keys, mut visits, mut ranges) =
            (0, 0, 0, 0, 0, 0);
        for segment in self.segments().iter() {
            let meta = &segment.files.meta;
            games += u64::from(meta.games);
            plies += meta.plies;
            alone += meta.singles;
            keys += meta.shared;
            shared::each(&segment.files.shared, meta.layout, meta.games, |runs| {
                let mut last = None;
                for run in runs {
                    visits += u64::from(run.len);
                    ranges += u64::from(last != Some(run.start));
                    last = Some(run.end());
                }
            })?;
        }
        let part = |count: u64, all: u64| count as f64 / all.max(1) as f64;
        Ok(Shape {
            games,
            plies: part(plies, games),
            distinct: part(alone + keys, alone + visits),
            alone: part(alone, games),
            in_common: part(visits, games),
            ranges: part(ranges, games),
        })
    }
}
