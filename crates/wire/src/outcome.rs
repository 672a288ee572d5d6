//! How a game has ended.

use chess::{Color, DrawReason, Outcome, WinReason};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// How a game has ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct OutcomeView {
    /// Who won, if anybody.
    pub winner: Option<Side>,
    /// What ended it.
    pub ending: Ending,
    /// The same in words, such as "White wins by checkmate".
    pub text: String,
}

/// White or Black.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names say it")]
pub enum Side {
    White,
    Black,
}

/// What ended a game.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "chess::Outcome explains each of them")]
pub enum Ending {
    Checkmate,
    Resignation,
    Time,
    Forfeit,
    Stalemate,
    DeadPosition,
    FivefoldRepetition,
    SeventyFiveMoves,
    ThreefoldRepetition,
    FiftyMoves,
    Agreement,
    TimeWithoutMatingMaterial,
}

impl From<Outcome> for OutcomeView {
    fn from(outcome: Outcome) -> Self {
        let ending = match outcome {
            Outcome::Win(_, reason) => reason.into(),
            Outcome::Draw(reason) => reason.into(),
        };
        Self { winner: outcome.winner().map(Side::from), ending, text: outcome.to_string() }
    }
}

impl From<Color> for Side {
    fn from(color: Color) -> Self {
        match color {
            Color::White => Self::White,
            Color::Black => Self::Black,
        }
    }
}

impl From<Side> for Color {
    fn from(side: Side) -> Self {
        match side {
            Side::White => Self::White,
            Side::Black => Self::Black,
        }
    }
}

impl From<WinReason> for Ending {
    fn from(reason: WinReason) -> Self {
        match reason {
            WinReason::Checkmate => Self::Checkmate,
            WinReason::Resignation => Self::Resignation,
            WinReason::Time => Self::Time,
            WinReason::Forfeit => Self::Forfeit,
        }
    }
}

impl From<DrawReason> for Ending {
    fn from(reason: DrawReason) -> Self {
        match reason {
            DrawReason::Stalemate => Self::Stalemate,
            DrawReason::DeadPosition => Self::DeadPosition,
            DrawReason::FivefoldRepetition => Self::FivefoldRepetition,
            DrawReason::SeventyFiveMoves => Self::SeventyFiveMoves,
            DrawReason::ThreefoldRepetition => Self::ThreefoldRepetition,
            DrawReason::FiftyMoves => Self::FiftyMoves,
            DrawReason::Agreement => Self::Agreement,
            DrawReason::TimeWithoutMatingMaterial => Self::TimeWithoutMatingMaterial,
        }
    }
}
