//! What to play, and how much of it.

use std::path::PathBuf;

use engine::{Limits, Options};

use super::{Adjudication, Branches, Openings};

/// A run of self-play.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The file to append games to.
    pub out: PathBuf,
    /// Concurrent games, each on its own thread.
    pub threads: usize,
    /// Seed of the random openings; from the clock if there is none.
    pub seed: Option<u64>,
    /// Stop when the file has this many games.
    pub games: Option<u64>,
    /// Stop when the file has this many positions.
    pub positions: Option<u64>,
    /// How each game is played.
    pub game_plan: GamePlan,
}

/// How a self-play game is played.
#[derive(Clone, Debug, PartialEq)]
pub struct GamePlan {
    /// Soft node limit per move: the current iteration is completed.
    pub soft_nodes: u64,
    /// Hard node limit per move.
    pub hard_nodes: u64,
    /// Options of the engine; each concurrent game has its own engine.
    pub engine: Options,
    /// How games start.
    pub openings: Openings,
    /// Games that branch from others.
    pub branches: Branches,
    /// When games are adjudicated.
    pub adjudication: Adjudication,
    /// Games per thousand that are played to the end although they are won.
    pub played_out_per_mille: u16,
}

impl Default for GamePlan {
    fn default() -> Self {
        Self::with_nodes(5000)
    }
}

impl GamePlan {
    /// The default plan with this many nodes per move.
    pub fn with_nodes(soft_nodes: u64) -> Self {
        Self {
            soft_nodes,
            // A search that explodes in the middle of an iteration must end, too.
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
