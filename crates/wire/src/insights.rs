//! What the reviews of a user's games have in common.

use review::{Motif, Whose};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// What the reviews of your games say about your play.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ReviewStatistics {
    /// Number of reviewed games.
    pub games: u64,
    /// Mean accuracy of the games, from 0 to 100.
    pub accuracy: Option<f64>,
    /// The newest reviewed games, in chronological order.
    pub newest: Vec<AccuracyPoint>,
    /// With White and with Black.
    pub sides: Vec<AccuracyRow>,
    /// By opening, the most played first.
    pub openings: Vec<AccuracyRow>,
    /// By speed.
    pub speeds: Vec<AccuracyRow>,
    /// By phase.
    pub phases: Vec<AccuracyRow>,
    /// By the time left before a move: `under_10s`, `under_30s`, `under_1m`, `under_5m`, `more`.
    pub time_left: Vec<AccuracyRow>,
    /// By the time spent on a move: `under_2s`, `under_5s`, `under_15s`, `under_1m`, `more`.
    pub time_spent: Vec<AccuracyRow>,
    /// Kinds of mistakes, the costliest first.
    pub mistakes: Vec<MistakeRow>,
    /// The kinds of mistakes that cost most.
    pub work_on: Vec<WorkOn>,
}

/// The accuracy of a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct AccuracyPoint {
    /// The game id.
    pub game: String,
    /// When it was played.
    pub at: i64,
    /// Your accuracy, from 0 to 100.
    pub accuracy: f64,
}

/// The accuracy of a category.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct AccuracyRow {
    /// The category.
    pub of: String,
    /// Number of games, or of moves for phases and times.
    pub count: u64,
    /// Mean accuracy, from 0 to 100.
    pub accuracy: f64,
}

/// A kind of mistake.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct MistakeRow {
    /// What happened.
    pub motif: Motif,
    /// Whether you allowed or missed it.
    pub whose: Whose,
    /// How often.
    pub count: u64,
    /// Points of expected score lost by it: a game is worth 100.
    pub lost: f64,
    /// The costliest of them.
    pub examples: Vec<MistakeAt>,
}

/// A mistake in a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct MistakeAt {
    /// The game id.
    pub game: String,
    /// The number of plies before it.
    pub ply: u32,
    /// The move, in SAN.
    pub played: String,
    /// Points lost.
    pub lost: f64,
}

/// Something to work on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct WorkOn {
    /// What happens.
    pub motif: Motif,
    /// Whether you allow or miss it.
    pub whose: Whose,
    /// Its share of all points lost by explained mistakes, from 0 to 1.
    pub share: f64,
    /// Points lost per reviewed game.
    pub per_game: f64,
    /// Number of your puzzles about it.
    pub puzzles: u64,
    /// Those that are due.
    pub due: u64,
}
