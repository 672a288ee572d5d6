//! The outcome of a game.

use chess::{Color, DrawReason, Outcome, WinReason};
use serde::{Deserialize, Serialize};
use utoipa::openapi::schema::Type;
use utoipa::openapi::{ObjectBuilder, RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

/// The outcome of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct OutcomeView {
    /// The winner, if any.
    pub winner: Option<Color>,
    /// The reason.
    pub ending: Ending,
    /// The same in words, such as "White wins by checkmate".
    pub text: String,
}

/// Why a game ended.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Ending {
    /// A win.
    Win(WinReason),
    /// A draw.
    Draw(DrawReason),
}

impl PartialSchema for Ending {
    fn schema() -> RefOr<Schema> {
        let names = WinReason::ALL.into_iter().map(WinReason::as_str);
        let names = names.chain(DrawReason::ALL.into_iter().map(DrawReason::as_str));
        ObjectBuilder::new()
            .schema_type(Type::String)
            .description(Some("Why a game ended."))
            .enum_values(Some(names))
            .into()
    }
}

impl ToSchema for Ending {}

impl From<Outcome> for OutcomeView {
    fn from(outcome: Outcome) -> Self {
        let ending = match outcome {
            Outcome::Win(_, reason) => Ending::Win(reason),
            Outcome::Draw(reason) => Ending::Draw(reason),
        };
        Self { winner: outcome.winner(), ending, text: outcome.to_string() }
    }
}

/// The parts of an outcome contradict each other.
#[derive(Copy, Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a game can't end like this")]
pub struct ImpossibleOutcome;

impl TryFrom<&OutcomeView> for Outcome {
    type Error = ImpossibleOutcome;

    fn try_from(view: &OutcomeView) -> Result<Self, ImpossibleOutcome> {
        match (view.winner, view.ending) {
            (Some(winner), Ending::Win(reason)) => Ok(Self::Win(winner, reason)),
            (None, Ending::Draw(reason)) => Ok(Self::Draw(reason)),
            _ => Err(ImpossibleOutcome),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ending_is_a_name() {
        let outcome = Outcome::Draw(DrawReason::SeventyFiveMoves);
        let view = OutcomeView::from(outcome);
        let json = serde_json::to_value(&view).expect("it can be written");
        let expected = serde_json::json!({
            "winner": null,
            "ending": "seventy_five_moves",
            "text": "Draw by the seventy-five-move rule",
        });
        assert_eq!(json, expected);
        assert_eq!(serde_json::from_value::<OutcomeView>(json).expect("it can be read"), view);
    }

    #[test]
    fn an_outcome_survives_being_shown() {
        let wins = WinReason::ALL.map(|reason| Outcome::Win(Color::Black, reason));
        for outcome in wins.into_iter().chain(DrawReason::ALL.map(Outcome::Draw)) {
            assert_eq!(Outcome::try_from(&OutcomeView::from(outcome)), Ok(outcome));
        }
        let mut won = OutcomeView::from(Outcome::Draw(DrawReason::Stalemate));
        won.winner = Some(Color::White);
        assert_eq!(Outcome::try_from(&won), Err(ImpossibleOutcome));
    }
}
