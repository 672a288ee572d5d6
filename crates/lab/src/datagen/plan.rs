//! What to play, and how much of it.

use std::path::PathBuf;

use engine::{Limits, Options};

use super::{Adjudication, Branches, Openings};

/// A run of self-play.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The file that games are added to.
    pub out: PathBuf,
    /// Games at a time, each on a thread of its own.
    pub threads: usize,
    /// What the random openings come from; the clock if there is none.
    pub seed: Option<u64>,
    /// Go on until the file has so many games.
    pub games: Option<u64>,
    /// Go on until the file has so many positions.
    pub positions: Option<u64>,
    /// How each game is played.
    pub rules: Rules,
}

/// How a game of self-play goes.
#[derive(Clone, Debug, PartialEq)]
pub struct Rules {
    /// Nodes for a move; the iteration that has begun then is completed.
    pub soft_nodes: u64,
    /// Nodes for a move at most.
    pub hard_nodes: u64,
    /// Settings of the engine, one for each game at a time.
    pub engine: Options,
    /// How games begin.
    pub openings: Openings,
    /// Games that branch from others.
    pub branches: Branches,
    /// When they end early.
    pub adjudication: Adjudication,
    /// How many games in a thousand are played to the end although they are won.
    pub played_out_per_mille: u16,
}

impl Default for Rules {
    fn default() -> Self {
        Self::with_nodes(5000)
    }
}

impl Rules {
    /// The usual rules with so many nodes a move.
    pub fn with_nodes(soft_nodes: u64) -> Self {
        Self {
            soft_nodes,
            // A search that explodes in the middle of an iteration must end all the same.
            hard_nodes: soft_nodes.saturating_mul(8),
            engine: Options { hash: 8, ..Options::default() },
            openings: Openings::default(),
            branches: Branches::default(),
            adjudication: Adjudication::default(),
            played_out_per_mille: 100,
        }
    }

    /// The limits of each search.
    pub fn limits(&self) -> Limits {
        Limits {
            soft_nodes: Some(self.soft_nodes),
            nodes: Some(self.hard_nodes),
            ..Limits::default()
        }
    }
}
