//! Whether a game is over, and how it ended.

use chess::{Color, DrawReason, Outcome, WinReason};
use game::GameResult;
use game::live::End;

use crate::error::{Result, StoreError};
use crate::words::Word;

/// Whether a game is over, and how it ended.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum State {
    /// It is being played.
    Live,
    /// It was played to its end.
    Over(Outcome),
    /// It goes no further, and only the result is known: a game from a file, or one that was
    /// broken off (`*`).
    Closed(GameResult),
}

impl State {
    /// Whether it is being played.
    pub const fn is_live(self) -> bool {
        matches!(self, Self::Live)
    }

    /// The result as PGN writes it.
    pub fn result(self) -> GameResult {
        match self {
            Self::Live => GameResult::Unknown,
            Self::Over(outcome) => outcome.into(),
            Self::Closed(result) => result,
        }
    }

    /// The end, if it is over.
    pub const fn end(self) -> Option<End> {
        match self {
            Self::Live => None,
            Self::Over(outcome) => Some(End::Over(outcome)),
            Self::Closed(result) => Some(End::Closed(result)),
        }
    }

    /// The end of a game; without an outcome it was broken off.
    pub(crate) fn ended(outcome: Option<Outcome>) -> Self {
        outcome.map_or(Self::Closed(GameResult::Unknown), Self::Over)
    }

    pub(crate) const fn status(self) -> &'static str {
        if self.is_live() { "live" } else { "finished" }
    }

    /// Why it ended, in a word that with the result gives the outcome.
    pub(crate) fn reason(self) -> Option<&'static str> {
        match self {
            Self::Over(outcome) => Some(reason(outcome)),
            _ => None,
        }
    }

    pub(crate) fn from_words(status: &str, result: &str, why: Option<&str>) -> Result<Self> {
        let result = GameResult::from_word(result)?;
        match (status, why) {
            ("live", _) => Ok(Self::Live),
            (_, None) => Ok(Self::Closed(result)),
            (_, Some(why)) => {
                let fits = |&outcome: &Outcome| {
                    reason(outcome) == why && GameResult::from(outcome) == result
                };
                let found = outcomes().find(fits).ok_or_else(|| {
                    StoreError::damaged(format!("a game can't end {} by `{why}`", result.text()))
                })?;
                Ok(Self::Over(found))
            }
        }
    }
}

const WINS: [WinReason; 4] =
    [WinReason::Checkmate, WinReason::Resignation, WinReason::Time, WinReason::Forfeit];

const DRAWS: [DrawReason; 8] = [
    DrawReason::Stalemate,
    DrawReason::DeadPosition,
    DrawReason::FivefoldRepetition,
    DrawReason::SeventyFiveMoves,
    DrawReason::ThreefoldRepetition,
    DrawReason::FiftyMoves,
    DrawReason::Agreement,
    DrawReason::TimeWithoutMatingMaterial,
];

fn outcomes() -> impl Iterator<Item = Outcome> {
    let wins = WINS.into_iter().flat_map(|why| Color::ALL.map(|color| Outcome::Win(color, why)));
    wins.chain(DRAWS.map(Outcome::Draw))
}

fn reason(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Win(_, reason) => match reason {
            WinReason::Checkmate => "checkmate",
            WinReason::Resignation => "resignation",
            WinReason::Time => "time",
            WinReason::Forfeit => "forfeit",
        },
        Outcome::Draw(reason) => match reason {
            DrawReason::Stalemate => "stalemate",
            DrawReason::DeadPosition => "dead position",
            DrawReason::FivefoldRepetition => "fivefold repetition",
            DrawReason::SeventyFiveMoves => "seventy-five moves",
            DrawReason::ThreefoldRepetition => "threefold repetition",
            DrawReason::FiftyMoves => "fifty moves",
            DrawReason::Agreement => "agreement",
            DrawReason::TimeWithoutMatingMaterial => "time without mating material",
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_end_survives_being_written() {
        let closed = GameResult::ALL.iter().map(|&result| State::Closed(result));
        for state in outcomes().map(State::Over).chain(closed).chain([State::Live]) {
            let read = State::from_words(state.status(), state.result().text(), state.reason());
            assert_eq!(read.expect("just written"), state);
        }
        assert!(State::from_words("finished", "1-0", Some("stalemate")).is_err());
        assert!(State::from_words("finished", "2-0", None).is_err());
    }
}
