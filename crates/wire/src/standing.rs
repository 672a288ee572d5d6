//! The state of a live game besides its moves: pending offer, allowed actions, rated or not.

use chess::Color;
use game::live::{Action, LiveGame, Moment, Offer};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{ClockView, Status};

/// The pending offer, the allowed actions, and whether the game is rated. It comes with each change
/// of a game and replaces the previous one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Standing {
    /// The pending offer.
    pub offer: Option<Offer>,
    /// Whether the game is rated.
    pub rated: bool,
    /// What each side may do.
    pub actions: Actions,
}

/// The actions of each side besides moving. A connection that plays both sides has the actions of
/// either.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Actions {
    /// White's actions.
    pub white: Vec<Action>,
    /// Black's actions.
    pub black: Vec<Action>,
}

impl Standing {
    /// The current standing of a game.
    pub fn new(game: &LiveGame, now: Moment) -> Self {
        Self { offer: game.offer(), rated: game.is_rated(), actions: Actions::new(game, now) }
    }
}

impl Actions {
    /// The current actions of each side.
    pub fn new(game: &LiveGame, now: Moment) -> Self {
        Self { white: game.actions(Color::White, now), black: game.actions(Color::Black, now) }
    }
}

impl Status {
    /// The state of a game.
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
    /// The current clocks of a game, if it is timed.
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
                "white": ["draw", "take_back", "decline", "resign", "abort"],
                "black": ["draw", "decline", "resign", "abort"],
            },
        });
        assert_eq!(json, expected);
    }
}
