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
}
