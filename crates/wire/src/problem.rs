//! Problem documents (RFC 9457).

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::Fault;

/// An error, served as `application/problem+json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Problem {
    /// The problem type; docs/protocol.md lists them.
    #[serde(rename = "type")]
    #[schema(example = "/problems/illegal-move")]
    pub kind: String,
    /// The problem type in words.
    #[schema(example = "Illegal move")]
    pub title: String,
    /// The HTTP status.
    pub status: u16,
    /// The cause of this problem.
    pub detail: String,
    /// The invalid fields of the request, if any.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fields: Vec<Field>,
}

/// An invalid field of a request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Field {
    /// The field's name.
    pub name: String,
    /// What is wrong with it.
    pub detail: String,
    /// The same as a code, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<Fault>,
}
