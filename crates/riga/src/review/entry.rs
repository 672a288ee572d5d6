//! A line of the JSON file: which game it is, and its report.

use anyhow::{Result, bail};
use chess::Move;
use game::Game;
use serde::{Deserialize, Serialize};

use super::theory::Theory;
use ::review::{GameReport, Mode, Steps};

/// A game and its report, as a line of JSON.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry<R> {
    /// Which game it is.
    pub game: Heading,
    /// The report, by value or by reference.
    pub report: R,
    /// How long it follows the games of a library, if one was given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub theory: Option<Theory>,
}

/// Which game a report is about.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Heading {
    /// The number of the game in the input, from 1, counting all games.
    pub index: u64,
    /// A checksum of start position and moves.
    pub checksum: String,
    pub white: Option<String>,
    pub black: Option<String>,
    pub event: Option<String>,
    pub date: Option<String>,
}

impl Heading {
    /// The heading of the game with this number.
    pub fn of(index: u64, game: &Game) -> Self {
        let tag = |name| game.tags.get(name).map(str::to_owned);
        Self {
            index,
            checksum: checksum(game),
            white: tag("White"),
            black: tag("Black"),
            event: tag("Event"),
            date: tag("Date"),
        }
    }
}

/// What a report must have in common with those that are made now.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    pub engine: String,
    pub nodes: Option<u64>,
    pub mode: Mode,
    pub steps: Steps,
}

impl Settings {
    /// The settings a report was made with.
    pub fn of(report: &GameReport) -> Self {
        Self {
            engine: report.engine.clone(),
            nodes: report.nodes,
            mode: report.mode,
            steps: report.steps,
        }
    }
}

impl Entry<GameReport> {
    /// Fails unless it is a sound report of this game.
    pub fn check(&self, game: &Game) -> Result<()> {
        if self.game.checksum != checksum(game) {
            bail!("the report is about another game");
        }
        Ok(self.report.check(game)?)
    }

    /// Fails unless the report was made with these settings.
    pub fn check_settings(&self, wanted: &Settings) -> Result<()> {
        let found = Settings::of(&self.report);
        let nodes = |nodes: Option<u64>| match nodes {
            Some(nodes) => format!("--nodes {nodes}"),
            None => "--time".to_owned(),
        };
        if found.nodes != wanted.nodes {
            bail!("made with {}, not {}", nodes(found.nodes), nodes(wanted.nodes));
        }
        if found.mode != wanted.mode {
            bail!("made with --mode {}, not --mode {}", found.mode, wanted.mode);
        }
        if found.steps != wanted.steps {
            bail!("made with --steps {}, not --steps {}", found.steps, wanted.steps);
        }
        if found.engine != wanted.engine {
            bail!("made by {}, not by {}", found.engine, wanted.engine);
        }
        Ok(())
    }
}

/// A checksum (FNV-1a) of the start position and the moves of the main line.
pub fn checksum(game: &Game) -> String {
    let moves =
        game.line().moves().flat_map(|m: Move| m.to_bits().to_le_bytes()).collect::<Vec<_>>();
    let start = game.tree.start().to_string();
    let mut sum: u64 = 0xcbf2_9ce4_8422_2325;
    for byte in start.bytes().chain([0]).chain(moves) {
        sum = (sum ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    }
    format!("{sum:016x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(moves: &str) -> Game {
        let mut game = Game::default();
        for text in moves.split(' ') {
            let m = game.position().parse_san(text).expect("legal");
            game.play(m).expect("the game goes on");
        }
        game
    }

    #[test]
    fn the_checksum_depends_on_the_moves_alone() {
        let mut one = game("e4 e5");
        let sum = checksum(&one);
        assert_eq!(sum.len(), 16);
        one.tags.set("White", "Tal");
        assert_eq!(checksum(&one), sum);
        assert_ne!(checksum(&game("e4 e6")), sum);
        assert_ne!(checksum(&game("e4")), sum);
    }
}
