//! What a side may do now besides moving.

use chess::Color;

use super::{Command, LiveGame, Moment, Refusal, Sides};

/// Something that a side may do besides moving.
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
    /// Ask for a rematch, or agree to one.
    Rematch,
}

impl Action {
    /// Every action.
    pub const ALL: [Self; 7] = [
        Self::Draw,
        Self::TakeBack,
        Self::Decline,
        Self::ClaimDraw,
        Self::Resign,
        Self::Abort,
        Self::Rematch,
    ];

    /// The command that does it.
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
    /// What a side may do now. At a shared board that is what either side may do.
    pub fn actions(&self, side: Color, now: Moment) -> Vec<Action> {
        let may = |action: &Action| match self.judge(Sides::One(side), &action.command(), now) {
            // The engine may be asked at any time.
            Ok(_) | Err(Refusal::EnginePlaysOn) => true,
            Err(_) => false,
        };
        Action::ALL.into_iter().filter(may).collect()
    }
}
