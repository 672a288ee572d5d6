//! Where a live game stands besides its moves: what is offered, who may do what, and whether it is rated.

use chess::Color;
use game::live::{self, LiveGame, Moment, Offer};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{ClockView, Status};

/// What is offered, who may do what, and whether the game is rated. It comes with each change of a
/// game and replaces what was told before.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Standing {
    /// The offer that waits for an answer.
    pub offer: Option<Offer>,
    /// Whether it counts for the players' ratings.
    pub rated: bool,
    /// What each side may do.
    pub actions: Actions,
}

/// What each side may do besides moving. A connection that plays both sides may do what either may.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Actions {
    /// What White may do.
    pub white: Vec<Action>,
    /// What Black may do.
    pub black: Vec<Action>,
}

/// Something that a side may do besides moving.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// Offer a draw, or accept one: `offer` with `draw`.
    Draw,
    /// Ask for a takeback, or grant one: `offer` with `take_back`.
    TakeBack,
    /// Decline the other side's offer, or withdraw the own one.
    Decline,
    /// Claim a draw.
    ClaimDraw,
    /// Resign.
    Resign,
    /// Ask for a rematch, or agree to one.
    Rematch,
}

impl Standing {
    /// How a game stands now.
    pub fn new(game: &LiveGame, now: Moment) -> Self {
        Self { offer: game.offer(), rated: game.is_rated(), actions: Actions::new(game, now) }
    }
}

impl Actions {
    /// What each side may do now.
    pub fn new(game: &LiveGame, now: Moment) -> Self {
        let actions = |color| game.actions(color, now).into_iter().filter_map(known).collect();
        Self { white: actions(Color::White), black: actions(Color::Black) }
    }
}

/// An action that there is a message for. There is none that aborts a game.
const fn known(action: live::Action) -> Option<Action> {
    match action {
        live::Action::Draw => Some(Action::Draw),
        live::Action::TakeBack => Some(Action::TakeBack),
        live::Action::Decline => Some(Action::Decline),
        live::Action::ClaimDraw => Some(Action::ClaimDraw),
        live::Action::Resign => Some(Action::Resign),
        live::Action::Rematch => Some(Action::Rematch),
        live::Action::Abort => None,
    }
}

impl Status {
    /// Whether a game goes on.
    pub const fn new(game: &LiveGame) -> Self {
        if !game.is_live() {
            Self::Finished
        } else if game.is_waiting() {
            Self::Waiting
        } else {
            Self::Live
        }
    }
}

impl ClockView {
    /// The clocks of a game now, if it has any.
    pub fn new(game: &LiveGame, now: Moment) -> Option<Self> {
        let [white, black] = game.left(now)?.map(|left| left.as_millis() as u64);
        Some(Self { white, black, running: game.clock_runs() })
    }
}

#[cfg(test)]
mod tests {
    use game::live::{Command, Sides, Terms};

    use super::*;

    #[test]
    fn what_each_side_may_do_is_told_with_the_offer() {
        let mut game = LiveGame::new(Terms { rated: true, ..Terms::default() });
        let white = Sides::One(Color::White);
        for command in [Command::play(0, "e4"), Command::Draw] {
            game.act(white, &command, Moment(0)).expect("White may do that");
        }
        let standing = Standing::new(&game, Moment(0));
        let json = serde_json::to_value(&standing).expect("it can be written");
        let expected = serde_json::json!({
            "offer": { "by": "white", "what": "draw" },
            "rated": true,
            "actions": {
                "white": ["draw", "take_back", "decline", "resign"],
                "black": ["draw", "decline", "resign"],
            },
        });
        assert_eq!(json, expected);
    }
}
