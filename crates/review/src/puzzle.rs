//! A puzzle: a position of the game in which one move was clearly best, and wasn't played.

use chess::{Color, Position};
use serde::{Deserialize, Serialize};

use crate::report::MoveText;
use crate::{Motif, Phase};

/// A position of the game in which one move is clearly best, and wasn't played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Puzzle {
    /// The ply, from 0, of the move that was played instead.
    pub ply: usize,
    /// Whose move it is.
    pub side: Color,
    /// Whether the opponent had just erred.
    pub kind: PuzzleKind,
    /// The solution and the best replies to it. It begins and ends with a move of the solver, each of
    /// which is the only good one.
    pub solution: Vec<MoveText>,
    /// Points of expected score that the move played lost.
    pub lost: f64,
    /// Points by which the first move is better than any other.
    pub margin: f64,
    /// What it is about, by the claims about the move played.
    pub themes: Vec<Motif>,
    /// The phase of the game.
    pub phase: Phase,
}

/// What was missed.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum PuzzleKind {
    /// The move played was a mistake.
    Mistake,
    /// The opponent's last move was a mistake, and it wasn't punished.
    Chance,
}

chess::names! {
    PuzzleKind, schema "PuzzleKind" "Whether the move played was a mistake, or missed a chance that the opponent gave." {
        Mistake = "mistake",
        Chance = "chance",
    }
}

impl Puzzle {
    /// Whether its numbers are possible and it belongs to a position: the side is to move there.
    pub(crate) fn fits(&self, position: &Position) -> bool {
        let possible = |points: f64| (0.0..=100.0).contains(&points);
        self.side == position.turn()
            && self.solution.len() % 2 == 1
            && possible(self.lost)
            && possible(self.margin)
    }
}
