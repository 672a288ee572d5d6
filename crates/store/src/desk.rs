//! Jobs, and the desk where workers claim them.

use std::time::Duration;

use async_trait::async_trait;
use serde::{Deserialize, Serialize};

use crate::{GameId, NewReview};

/// A job id.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct JobId(pub i64);

/// A unit of work with all its input: the worker may run on another machine and has access only to
/// the desk. A new kind of job needs a variant here, one in [`Report`] and one in [`JobKind`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", content = "payload", rename_all = "snake_case")]
pub enum Job {
    /// Review a game.
    Review(ReviewJob),
}

/// A game to review.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReviewJob {
    /// The game id, which the review is stored under.
    pub game: GameId,
    /// The game as PGN.
    pub pgn: String,
    /// Nodes to search per move.
    pub nodes: u64,
}

/// A kind of job; a worker declares the kinds it can do.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum JobKind {
    /// [`Job::Review`].
    Review,
}

chess::names! { JobKind { Review = "review" } }

impl Job {
    /// The kind of this job.
    pub const fn kind(&self) -> JobKind {
        match self {
            Self::Review(_) => JobKind::Review,
        }
    }
}

/// The result of a job.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", content = "payload", rename_all = "snake_case")]
pub enum Report {
    /// The review of a game.
    Review(NewReview),
}

/// A worker's claim to a job, valid until another worker claims it.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Attempt {
    /// The job id.
    pub job: JobId,
    /// The number of this attempt, counting from 1.
    pub number: i64,
}

/// A job claimed by a worker.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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

    /// Extends the lease of a job and reports its progress, from 0 to 1.
    async fn extend(
        &self,
        attempt: Attempt,
        lease: Duration,
        progress: f64,
    ) -> Result<(), DeskError>;

    /// Completes a job and stores its report.
    async fn finish(&self, attempt: Attempt, report: &Report) -> Result<(), DeskError>;

    /// Returns a job with an error. It is queued again, or fails after the third attempt.
    async fn give_up(&self, attempt: Attempt, why: &str) -> Result<(), DeskError>;
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
