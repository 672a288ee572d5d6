//! What went wrong, as RFC 9457 wants it.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::Fault;

/// What went wrong; served as `application/problem+json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Problem {
    /// What kind of problem it is; docs/protocol.md lists them.
    #[serde(rename = "type")]
    #[schema(example = "/problems/illegal-move")]
    pub kind: String,
    /// The kind in words.
    #[schema(example = "The move is not legal")]
    pub title: String,
    /// The HTTP status.
    pub status: u16,
    /// What is wrong with this request.
    pub detail: String,
    /// The parts of the request that are wrong, where they can be named.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fields: Vec<Field>,
}

/// A part of a request that is wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Field {
    /// Its name.
    pub name: String,
    /// What is wrong with it.
    pub detail: String,
    /// The same as a code, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<Fault>,
}
