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
        let reason = match refusal {
            live::Refusal::NotAPlayer => Refusal::NotAPlayer,
            live::Refusal::NotYourTurn => Refusal::NotYourTurn,
            live::Refusal::IllegalMove { .. } => Refusal::IllegalMove,
            live::Refusal::WrongPly => Refusal::WrongPly,
            live::Refusal::Over | live::Refusal::TimeUp => Refusal::Over,
            live::Refusal::NotBegun => Refusal::NotBegun,
            live::Refusal::EnginePlaysOn => Refusal::PlaysOn,
            live::Refusal::AnswerFirst => Refusal::AnswerFirst,
            live::Refusal::TooLateToAbort => Refusal::TooLate,
            live::Refusal::NotOver
            | live::Refusal::NoOffer
            | live::Refusal::NothingToTakeBack
            | live::Refusal::NoDrawToClaim
            | live::Refusal::TimeLeft => Refusal::Nothing,
        };
        Self::because(reason, refusal.to_string())
    }
}
