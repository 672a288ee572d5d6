//! Jobs, and the desk where workers get them.

use std::time::Duration;

use async_trait::async_trait;
use serde::{Deserialize, Serialize};

use crate::{GameId, NewReview};

/// The number of a job.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct JobId(pub i64);

/// Work for a worker, with all that it must know: it may run on another machine, and sees only the desk.
/// A new kind of work is a variant here, one in [`Report`], and a name in [`JobKind`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", content = "payload", rename_all = "snake_case")]
pub enum Job {
    /// Review a game.
    Review(ReviewJob),
}

/// A game to review.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReviewJob {
    /// Which game: the review is kept with it.
    pub game: GameId,
    /// The game.
    pub pgn: String,
    /// Positions to search for each move.
    pub nodes: u64,
}

/// A kind of work; a worker says which kinds it does.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum JobKind {
    /// [`Job::Review`].
    Review,
}

chess::names! { JobKind { Review = "review" } }

impl Job {
    /// Its kind.
    pub const fn kind(&self) -> JobKind {
        match self {
            Self::Review(_) => JobKind::Review,
        }
    }
}

/// What a worker has found out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", content = "payload", rename_all = "snake_case")]
pub enum Report {
    /// The review of a game.
    Review(NewReview),
}

/// A worker's right to a job: it ends when another worker gets the job.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Attempt {
    /// Which job.
    pub job: JobId,
    /// How many times the job has been begun, this time included.
    pub number: i64,
}

/// A job that a worker has got.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claim {
    /// The worker's right to it.
    pub attempt: Attempt,
    /// The job.
    pub job: Job,
}

/// Why a desk doesn't do what a worker asks.
#[derive(Debug, thiserror::Error)]
pub enum DeskError {
    /// Another worker has got the job since, or it is over: stop working on it.
    #[error("the job is not this worker's any more")]
    Lost,
    /// What the worker says can't be kept.
    #[error("the desk refuses it: {0}")]
    Refused(String),
    /// The desk can't be reached or has failed: try again later.
    #[error("the desk has failed: {0}")]
    Failed(String),
}

/// Where workers get jobs. A job is lent for a time: a worker that dies with a job in hand loses it to
/// another. The store is a desk; a client of a server can be another.
#[async_trait]
pub trait Desk: Send + Sync {
    /// Lends a worker a job of one of these kinds: one whose worker has died, or else the first that
    /// waits. No two workers get the same.
    async fn claim(
        &self,
        kinds: &[JobKind],
        worker: &str,
        lease: Duration,
    ) -> Result<Option<Claim>, DeskError>;

    /// Goes on with a job for another lease, and says how much is done, from 0 to 1.
    async fn extend(
        &self,
        attempt: Attempt,
        lease: Duration,
        progress: f64,
    ) -> Result<(), DeskError>;

    /// Ends a job, and keeps what the worker has found out.
    async fn finish(&self, attempt: Attempt, report: &Report) -> Result<(), DeskError>;

    /// Gives a job back with an error. It waits again, or has failed after the third time.
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
