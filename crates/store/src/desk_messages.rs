//! What a worker on another machine sends to a desk, as JSON.

use serde::{Deserialize, Serialize};

use crate::desk::{Attempt, JobKind, Progress, Report};

/// Asks for a job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct ClaimMessage {
    /// The kinds of jobs the worker can do.
    pub kinds: Vec<JobKind>,
    /// The worker's name.
    pub worker: String,
    /// Seconds until the claim must be extended.
    pub lease: u64,
    /// The worker's engine, as it is called in reports.
    pub engine: String,
    /// The node count of its bench.
    pub bench: u64,
}

/// Extends a claim.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct ExtendMessage {
    /// The claim.
    pub attempt: Attempt,
    /// Seconds until it must be extended again.
    pub lease: u64,
    /// How far the job has come.
    pub progress: Progress,
}

/// Delivers a report.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct FinishMessage {
    /// The claim.
    pub attempt: Attempt,
    /// The report.
    pub report: Report,
}

/// Returns a job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct GiveUpMessage {
    /// The claim.
    pub attempt: Attempt,
    /// What went wrong; nothing if the worker just stops.
    pub why: Option<String>,
}
