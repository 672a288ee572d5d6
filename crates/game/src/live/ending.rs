//! The end of a live game.

use chess::{Color, DrawReason, Line, Move, Outcome, Position, WinReason};

use crate::GameResult;

/// The end of a game.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// It was played to its end.
    Over(Outcome),
    /// Only the result is known: the game was aborted (`*`), or imported.
    Closed(GameResult),
}

impl End {
    /// An aborted game.
    pub const ABORTED: Self = Self::Closed(GameResult::Unknown);

    /// The outcome, if it was played to its end.
    pub const fn outcome(self) -> Option<Outcome> {
        match self {
            Self::Over(outcome) => Some(outcome),
            Self::Closed(_) => None,
        }
    }

    /// The result, as in PGN.
    pub fn result(self) -> GameResult {
        match self {
            Self::Over(outcome) => outcome.into(),
            Self::Closed(result) => result,
        }
    }
}

/// The outcome when a side's time is up: it loses, unless the other side can't mate.
pub(crate) fn on_time(position: &Position, flagged: Color) -> Outcome {
    if position.has_mating_material(!flagged) {
        Outcome::Win(!flagged, WinReason::Time)
    } else {
        Outcome::Draw(DrawReason::TimeWithoutMatingMaterial)
    }
}

/// The outcome of a line after a legal move, by the rules. Only the moves since the last capture or
/// pawn move are replayed: no earlier position can repeat.
pub(super) fn outcome_after(line: &Line, m: Move) -> Option<Outcome> {
    let reversible = usize::from(line.position().halfmoves()).min(line.len());
    let first = line.len() - reversible;
    let start = line.positions().nth(first).expect("a line has more positions than moves");
    let mut tail = Line::new(start.clone());
    for m in line.moves().skip(first).chain([m]) {
        tail.play(m).expect("the moves are legal");
    }
    tail.outcome()
}

/// Whether a line can have this outcome.
pub(super) fn leads_to(line: &Line, outcome: Outcome) -> bool {
    let goes_on = line.outcome().is_none();
    match outcome {
        Outcome::Win(_, WinReason::Resignation | WinReason::Forfeit)
        | Outcome::Draw(DrawReason::Agreement) => goes_on,
        Outcome::Win(_, WinReason::Time) | Outcome::Draw(DrawReason::TimeWithoutMatingMaterial) => {
            let falls = |flagged| on_time(line.position(), flagged) == outcome;
            goes_on && Color::ALL.into_iter().any(falls)
        }
        Outcome::Draw(reason @ (DrawReason::ThreefoldRepetition | DrawReason::FiftyMoves)) => {
            line.claimable_draw() == Some(reason)
        }
        Outcome::Win(_, WinReason::Checkmate)
        | Outcome::Draw(
            DrawReason::Stalemate
            | DrawReason::DeadPosition
            | DrawReason::FivefoldRepetition
            | DrawReason::SeventyFiveMoves,
        ) => line.outcome() == Some(outcome),
    }
}
