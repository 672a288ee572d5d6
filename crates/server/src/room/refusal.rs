//! Why a player's message was refused.

use game::live;
use wire::Refusal;

/// Why a player's message was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Refused {
    pub reason: Refusal,
    pub detail: String,
}

impl Refused {
    pub fn because(reason: Refusal, detail: impl Into<String>) -> Self {
        Self { reason, detail: detail.into() }
    }

    pub fn too_fast() -> Self {
        Self::because(Refusal::TooFast, "too many messages")
    }

    /// The store failed.
    pub fn broken() -> Self {
        Self::because(Refusal::Broken, "the server can't save it at the moment; try again soon")
    }
}

impl From<live::Refusal> for Refused {
    fn from(refusal: live::Refusal) -> Self {
        Self::because((&refusal).into(), refusal.to_string())
    }
}
