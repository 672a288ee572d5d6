//! Why a player's message is not done.

use wire::Refusal;

/// Why a player's message is not done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Refused {
    pub reason: Refusal,
    pub detail: String,
}

impl Refused {
    pub fn new(reason: Refusal) -> Self {
        Self::because(reason, words(reason))
    }

    pub fn because(reason: Refusal, detail: impl Into<String>) -> Self {
        Self { reason, detail: detail.into() }
    }
}

const fn words(reason: Refusal) -> &'static str {
    match reason {
        Refusal::Unreadable => "the message makes no sense",
        Refusal::NotAPlayer => "you are watching this game",
        Refusal::NotYourTurn => "the other side is to move",
        Refusal::IllegalMove => "the move is not legal",
        Refusal::WrongPly => "the move was meant for another moment of the game",
        Refusal::Over => "the game is over",
        Refusal::NotBegun => "the other player is not there yet",
        Refusal::Nothing => "there is nothing to do that with",
        Refusal::PlaysOn => "the engine plays on",
        Refusal::AnswerFirst => "answer the other side's offer first",
        Refusal::TooFast => "too many messages at a time",
        Refusal::Broken => "the server could not keep it; nothing was changed",
    }
}
