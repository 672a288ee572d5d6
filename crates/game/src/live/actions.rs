//! The actions of a side besides moving.

use chess::Color;

use super::{Command, LiveGame, Moment, Refusal, Sides};

/// An action besides moving.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// Offer a draw, or accept one.
    Draw,
    /// Ask for a takeback, or grant one.
    TakeBack,
    /// Decline an offer, or withdraw it.
    Decline,
    /// Claim a draw.
    ClaimDraw,
    /// Resign.
    Resign,
    /// Abort.
    Abort,
    /// Offer a rematch, or accept one.
    Rematch,
}

chess::names! {
    Action, schema "Action" "An action besides moving." {
        Draw = "draw",
        TakeBack = "take_back",
        Decline = "decline",
        ClaimDraw = "claim_draw",
        Resign = "resign",
        Abort = "abort",
        Rematch = "rematch",
    }
}

impl Action {
    /// The command for this action.
    pub const fn command(self) -> Command {
        match self {
            Self::Draw => Command::Draw,
            Self::TakeBack => Command::TakeBack,
            Self::Decline => Command::Decline,
            Self::ClaimDraw => Command::ClaimDraw,
            Self::Resign => Command::Resign,
            Self::Abort => Command::Abort,
            Self::Rematch => Command::Rematch,
        }
    }
}

impl LiveGame {
    /// The current actions of a side. At a shared board these are the actions of either side.
    pub fn actions(&self, side: Color, now: Moment) -> Vec<Action> {
        let may = |action: &Action| match self.judge(Sides::One(side), &action.command(), now) {
            // You may offer the engine a draw at any time, even if it declines.
            Ok(_) | Err(Refusal::EnginePlaysOn) => true,
            Err(_) => false,
        };
        Action::ALL.into_iter().filter(may).collect()
    }
}
