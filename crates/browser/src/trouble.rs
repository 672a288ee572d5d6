//! Why a call has no answer.

use chess::{FenError, SanError};
use serde::Serialize;
use utoipa::ToSchema;
use wire::Fault;

/// Why a call has no answer. The text is for the player.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Trouble {
    /// What is wrong.
    pub text: String,
    /// The same as a code, if there is one.
    pub fault: Option<Fault>,
}

impl Trouble {
    pub(crate) fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), fault: None }
    }
}

impl From<FenError> for Trouble {
    fn from(error: FenError) -> Self {
        Self { text: error.to_string(), fault: Some((&error).into()) }
    }
}

impl From<SanError> for Trouble {
    fn from(error: SanError) -> Self {
        Self { text: error.to_string(), fault: Some((&error).into()) }
    }
}
