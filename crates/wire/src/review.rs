//! Reviews of games: the report, the way to it, and the queue.

use review::{GameReport, Label, ScoreText};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The state of a review.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ReviewState {
    /// Nobody has asked for it.
    None,
    /// In the queue.
    Waiting,
    /// Being made.
    Running,
    /// There is a report.
    Done,
    /// It has failed too often.
    Failed,
}

/// The review of a game, finished or not.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ReviewView {
    /// The state of the newest review. An earlier report stays while another one is made.
    pub state: ReviewState,
    /// The share that is done, from 0 to 1.
    pub progress: f64,
    /// Number of reviews that come before it, while it waits.
    pub ahead: Option<u32>,
    /// Why it failed, or why the last attempt did.
    pub error: Option<String>,
    /// The moves judged so far, while it runs: from the last move of the game to the first.
    pub so_far: Vec<JudgedMove>,
    /// The report.
    pub report: Option<GameReport>,
    /// When the report was made, in UTC.
    pub created: Option<i64>,
}

impl ReviewView {
    /// No review.
    pub const NONE: Self = Self {
        state: ReviewState::None,
        progress: 0.0,
        ahead: None,
        error: None,
        so_far: Vec::new(),
        report: None,
        created: None,
    };
}

/// A move of an unfinished review.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct JudgedMove {
    /// The number of the move, in plies from 0.
    pub ply: u32,
    /// Its label. A mistake may still become a miss.
    pub label: Label,
    /// The score after it, for White.
    pub score: ScoreText,
}

impl From<&review::Progress> for JudgedMove {
    fn from(progress: &review::Progress) -> Self {
        Self { ply: progress.ply as u32, label: progress.label, score: progress.score.into() }
    }
}

/// A request for a review.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewReview {
    /// Nodes per move.
    #[serde(default)]
    #[schema(minimum = 10_000, maximum = 1_000_000, default = 100_000)]
    pub nodes: Option<u64>,
}

/// The result of a request for many reviews.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct QueuedReviews {
    /// Games whose reviews were queued.
    pub queued: u32,
    /// Games that have such a review, or are waiting for one.
    pub known: u32,
    /// Whether there are games that didn't fit into the queue: ask again when it is shorter.
    pub more: bool,
}

/// A visitor's reviews.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ReviewQueue {
    /// Number of waiting reviews.
    pub waiting: u32,
    /// Number of running reviews.
    pub running: u32,
    /// Number of finished reviews. Those of last week are forgotten; their reports stay.
    pub done: u32,
    /// Number of failed reviews.
    pub failed: u32,
    /// The reviews: running, waiting in their order, failed, and finished ones; at most 100.
    pub jobs: Vec<QueuedReview>,
}

/// A review in the queue.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct QueuedReview {
    /// The game id.
    pub game: String,
    /// White's name.
    pub white: String,
    /// Black's name.
    pub black: String,
    /// The state.
    pub state: ReviewState,
    /// The share that is done, from 0 to 1.
    pub progress: f64,
    /// Why it failed, or why the last attempt did.
    pub error: Option<String>,
}
