//! How a game ends.

use std::fmt;

use crate::{Bitboard, Color, Position, Role, UnknownName};

/// The end of a game.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// A win.
    Win(Color, WinReason),
    /// A draw.
    Draw(DrawReason),
}

/// Why a game was won.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum WinReason {
    /// The loser is in check and has no move.
    Checkmate,
    /// The loser resigned.
    Resignation,
    /// The loser ran out of time.
    Time,
    /// The loser left, or broke the rules.
    Forfeit,
}

/// Why a game was drawn.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum DrawReason {
    /// The side to move has no move and is not in check.
    Stalemate,
    /// Neither side has the material to mate.
    DeadPosition,
    /// The position has occurred five times.
    FivefoldRepetition,
    /// Seventy-five moves by each side without a capture or a pawn move.
    SeventyFiveMoves,
    /// Claimed: the position has occurred three times.
    ThreefoldRepetition,
    /// Claimed: fifty moves by each side without a capture or a pawn move.
    FiftyMoves,
    /// The players agreed.
    Agreement,
    /// One side ran out of time, but the opponent can't mate.
    TimeWithoutMatingMaterial,
}

crate::names! {
    WinReason, schema "WinReason" "What ended a game that somebody won." {
        Checkmate = "checkmate",
        Resignation = "resignation",
        Time = "time",
        Forfeit = "forfeit",
    }
}

crate::names! {
    DrawReason, schema "DrawReason" "What ended a game that nobody won." {
        Stalemate = "stalemate",
        DeadPosition = "dead_position",
        FivefoldRepetition = "fivefold_repetition",
        SeventyFiveMoves = "seventy_five_moves",
        ThreefoldRepetition = "threefold_repetition",
        FiftyMoves = "fifty_moves",
        Agreement = "agreement",
        TimeWithoutMatingMaterial = "time_without_mating_material",
    }
}

impl Outcome {
    /// The outcome with this [`winner`](Self::winner) and [`reason`](Self::reason).
    pub fn from_parts(winner: Option<Color>, reason: &str) -> Result<Self, UnknownName> {
        Ok(match winner {
            Some(winner) => Self::Win(winner, reason.parse()?),
            None => Self::Draw(reason.parse()?),
        })
    }

    /// The name of the reason.
    pub const fn reason(self) -> &'static str {
        match self {
            Self::Win(_, reason) => reason.as_str(),
            Self::Draw(reason) => reason.as_str(),
        }
    }

    /// The winner, if there is one.
    pub const fn winner(self) -> Option<Color> {
        match self {
            Self::Win(color, _) => Some(color),
            Self::Draw(_) => None,
        }
    }
}

impl fmt::Display for Outcome {
    /// A sentence, such as "White wins by checkmate".
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Win(color, reason) => {
                let how = match reason {
                    WinReason::Checkmate => "checkmate",
                    WinReason::Resignation => "resignation",
                    WinReason::Time => "time",
                    WinReason::Forfeit => "forfeit",
                };
                write!(f, "{} wins by {how}", color.name())
            }
            Self::Draw(reason) => f.write_str(match reason {
                DrawReason::Stalemate => "Draw by stalemate",
                DrawReason::DeadPosition => "Draw: neither side can mate",
                DrawReason::FivefoldRepetition => "Draw by fivefold repetition",
                DrawReason::SeventyFiveMoves => "Draw by the seventy-five-move rule",
                DrawReason::ThreefoldRepetition => "Draw by threefold repetition",
                DrawReason::FiftyMoves => "Draw by the fifty-move rule",
                DrawReason::Agreement => "Draw by agreement",
                DrawReason::TimeWithoutMatingMaterial => {
                    "Draw: time is up, but the other side can't mate"
                }
            }),
        }
    }
}

impl Position {
    /// How the game ends in this position regardless of earlier moves: checkmate, stalemate or a
    /// dead position. Repetitions are known to a [`Line`](crate::Line).
    pub fn outcome(&self) -> Option<Outcome> {
        if !self.has_legal_move() {
            return Some(if self.is_check() {
                Outcome::Win(!self.turn, WinReason::Checkmate)
            } else {
                Outcome::Draw(DrawReason::Stalemate)
            });
        }
        self.is_dead().then_some(Outcome::Draw(DrawReason::DeadPosition))
    }

    /// Whether no sequence of moves can lead to mate, judging by the material: bare kings, one
    /// minor piece, or bishops that are all on squares of one color.
    pub fn is_dead(&self) -> bool {
        Color::ALL.into_iter().all(|color| !self.has_mating_material(color))
    }

    /// Whether `color` could mate if the opponent cooperated. Decides the result when time runs
    /// out.
    pub fn has_mating_material(&self, color: Color) -> bool {
        let ours = self.color(color);
        let of = |role| self.role(role) & ours;
        if (of(Role::Pawn) | of(Role::Rook) | of(Role::Queen)).any() {
            return true;
        }
        let helpers = self.color(!color) - self.role(Role::King);
        if of(Role::Knight).any() {
            // Two minor pieces can mate; a single knight needs a piece that blocks a square of the
            // other king. A queen doesn't help: she would stop the mate.
            let two = (ours - self.role(Role::King)).many();
            return two || (helpers - self.role(Role::Queen)).any();
        }
        if of(Role::Bishop).any() {
            // Bishops on one color need a helper that can be on the other color.
            let bishops = self.role(Role::Bishop);
            let both = (bishops & Bitboard::LIGHT).any() && (bishops - Bitboard::LIGHT).any();
            return both || ((self.role(Role::Knight) | self.role(Role::Pawn)) & helpers).any();
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_outcome_is_a_winner_and_a_reason() {
        let wins = WinReason::ALL.into_iter();
        let wins = wins.flat_map(|reason| Color::ALL.map(|color| Outcome::Win(color, reason)));
        for outcome in wins.chain(DrawReason::ALL.map(Outcome::Draw)) {
            assert_eq!(Outcome::from_parts(outcome.winner(), outcome.reason()), Ok(outcome));
        }
        assert!(Outcome::from_parts(Some(Color::White), "stalemate").is_err());
        assert!(Outcome::from_parts(None, "checkmate").is_err());
    }
}
