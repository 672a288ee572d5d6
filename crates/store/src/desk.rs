//! Jobs, and the desk where workers claim them.

use std::time::Duration;

use async_trait::async_trait;
use serde::{Deserialize, Serialize};

use crate::{GameId, NewReview};

/// A job id.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(transparent)]
pub struct JobId(pub i64);

/// A unit of work with all its input: the worker may run on another machine and has access only to
/// the desk. A new kind of job needs a variant here, one in [`Report`] and one in [`JobKind`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(tag = "kind", content = "payload", rename_all = "snake_case")]
pub enum Job {
    /// Review a game.
    Review(ReviewJob),
    /// Play games against oneself, as training data.
    Data(DataJob),
    /// Play games between two settings of our engine.
    Match(MatchJob),
    /// Build a segment of a library.
    Segment(SegmentJob),
}

/// A game to review.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ReviewJob {
    /// The game id, which the review is stored under.
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub game: GameId,
    /// The game as PGN.
    pub pgn: String,
    /// Nodes to search per move.
    pub nodes: u64,
}

/// Training data to generate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct DataJob {
    /// The seed of the random openings: the same seed gives the same games.
    pub seed: u64,
    /// Soft node limit per move.
    pub nodes: u64,
    /// Number of games.
    pub games: u64,
    /// The checksum of the network that plays.
    pub net: String,
}

/// A part of a match.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct MatchJob {
    /// The name of the match, which its parts have in common.
    pub name: String,
    /// The two engines with their settings, as `riga match` takes them.
    pub engines: [String; 2],
    /// The number of the first pair of games, from 0.
    pub first: usize,
    /// The openings as FEN; each is played with both colors.
    pub openings: Vec<String>,
    /// The checksum of the network that plays.
    pub net: String,
}

/// Games to make a segment of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct SegmentJob {
    /// A name that all parts of a collection have in common.
    pub name: String,
    /// The number of the part, from 1.
    pub part: u64,
    /// The games as PGN, which may be compressed, in base64.
    pub pgn: String,
}

/// A kind of job; a worker declares the kinds it can do.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum JobKind {
    /// [`Job::Review`].
    Review,
    /// [`Job::Data`].
    Data,
    /// [`Job::Match`].
    Match,
    /// [`Job::Segment`].
    Segment,
}

chess::names! {
    JobKind { Review = "review", Data = "data", Match = "match", Segment = "segment" }
}

impl Job {
    /// The kind of this job.
    pub const fn kind(&self) -> JobKind {
        match self {
            Self::Review(_) => JobKind::Review,
            Self::Data(_) => JobKind::Data,
            Self::Match(_) => JobKind::Match,
            Self::Segment(_) => JobKind::Segment,
        }
    }

    /// The game it is about, if it is about one.
    pub const fn game(&self) -> Option<&GameId> {
        match self {
            Self::Review(review) => Some(&review.game),
            Self::Data(_) | Self::Match(_) | Self::Segment(_) => None,
        }
    }
}

/// The result of a job.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = JobReport))]
#[serde(tag = "kind", content = "payload", rename_all = "snake_case")]
pub enum Report {
    /// The review of a game.
    Review(NewReview),
    /// Training data.
    Data(DataReport),
    /// Games of a match.
    Match(MatchReport),
    /// A segment of a library.
    Segment(SegmentReport),
}

/// Generated training data.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct DataReport {
    /// A file of training data, in base64.
    pub file: String,
}

/// Games of a match.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct MatchReport {
    /// The results, in the form in which `riga match` keeps them.
    pub pairs: serde_json::Value,
    /// The games as PGN.
    pub pgn: String,
}

/// A segment of a library.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct SegmentReport {
    /// The number of its games.
    pub games: u64,
    /// Games of which nothing could be kept.
    pub rejected: u64,
    /// The first warnings about games, in words.
    pub warnings: Vec<String>,
    /// The packed segment, in base64; empty if there is no game.
    pub file: String,
}

/// How far a job has come.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Progress {
    /// The share that is done, from 0 to 1.
    pub share: f64,
    /// The part of the report that is known, for people who wait for it. A desk may ignore it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub so_far: Option<serde_json::Value>,
}

impl Progress {
    /// A share of the work is done.
    pub const fn of(share: f64) -> Self {
        Self { share, so_far: None }
    }
}

/// A worker's claim to a job, valid until another worker claims it.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Attempt {
    /// The job id.
    pub job: JobId,
    /// The number of this attempt, counting from 1.
    pub number: i64,
}

/// A job claimed by a worker.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Claim {
    /// The attempt.
    pub attempt: Attempt,
    /// The job.
    pub job: Job,
}

/// Why a desk refuses a worker's request.
#[derive(Debug, thiserror::Error)]
pub enum DeskError {
    /// Another worker has claimed the job since, or it is over: stop working on it.
    #[error("the job no longer belongs to this worker")]
    Lost,
    /// The report can't be stored.
    #[error("the desk refused it: {0}")]
    Refused(String),
    /// The desk is unreachable or has failed: try again later.
    #[error("the desk failed: {0}")]
    Failed(String),
}

/// Where workers claim jobs. A claim is a lease: when a worker dies, its job goes to another. The
/// store is a desk; a client of a server can be another.
#[async_trait]
pub trait Desk: Send + Sync {
    /// Claims a job of one of these kinds: one whose lease has expired, or else the first in the
    /// queue. No two workers get the same job.
    async fn claim(
        &self,
        kinds: &[JobKind],
        worker: &str,
        lease: Duration,
    ) -> Result<Option<Claim>, DeskError>;

    /// Extends the lease of a job and reports its progress.
    async fn extend(
        &self,
        attempt: Attempt,
        lease: Duration,
        progress: &Progress,
    ) -> Result<(), DeskError>;

    /// Completes a job and stores its report.
    async fn finish(&self, attempt: Attempt, report: &Report) -> Result<(), DeskError>;

    /// Returns a job with an error. It is queued again, or fails after the third attempt.
    async fn give_up(&self, attempt: Attempt, why: &str) -> Result<(), DeskError>;

    /// Returns a job that nothing is wrong with: the worker has to stop. The attempt doesn't count.
    async fn give_back(&self, attempt: Attempt) -> Result<(), DeskError>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_claim_survives_the_way_to_another_machine() {
        let game: GameId = "abcdefghijklmn".parse().expect("it looks like one");
        let job = Job::Review(ReviewJob { game, pgn: "1. e4 *".to_owned(), nodes: 100_000 });
        let claim = Claim { attempt: Attempt { job: JobId(7), number: 2 }, job };
        let json = serde_json::to_value(&claim).expect("it can be written");
        let expected = serde_json::json!({
            "attempt": { "job": 7, "number": 2 },
            "job": {
                "kind": "review",
                "payload": { "game": "abcdefghijklmn", "pgn": "1. e4 *", "nodes": 100_000 },
            },
        });
        assert_eq!(json, expected);
        assert_eq!(json["job"]["kind"], claim.job.kind().as_str());
        assert_eq!(serde_json::from_value::<Claim>(json).expect("it can be read"), claim);
        let bad = serde_json::json!({ "kind": "review", "payload": { "game": "x", "pgn": "", "nodes": 1 } });
        assert!(serde_json::from_value::<Job>(bad).is_err());
    }
}
