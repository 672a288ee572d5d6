//! A line in which somebody gains something, and what it shows.

use chess::{Color, Move, Position, Square};

use crate::board::{captured, captured_on, is_quiet, landing, worth};
use crate::report::{Motif, Origin};
use crate::variation::Variation;

/// A line in which the side that moves first gains material or mates.
pub(crate) struct Case<'a> {
    pub line: &'a Variation,
    /// The position before the criticised move, and the move, if the line follows it.
    pub after: Option<(&'a Position, Move)>,
}

/// What a line shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Finding {
    pub motif: Motif,
    pub origin: Origin,
    /// The index of the move that makes the point; it is a move of the side that gains.
    pub key: usize,
    /// The square of the piece that acts, before its move.
    pub actor: Square,
    /// The squares of its targets, before the move; the one that falls first.
    pub targets: Vec<Square>,
    /// The pawns that are won whatever the other side does, if that was counted.
    pub sure: Option<i32>,
}

impl Finding {
    pub(crate) const fn new(motif: Motif, key: usize, actor: Square, targets: Vec<Square>) -> Self {
        Self { motif, origin: Origin::Plain, key, actor, targets, sure: None }
    }
}

impl Case<'_> {
    /// The side that gains.
    pub(crate) fn winner(&self) -> Color {
        self.line.start().turn()
    }

    /// The moves of the side that gains: index, position before, move.
    pub(crate) fn own_moves(&self) -> impl Iterator<Item = (usize, &Position, Move)> {
        let moves = self.line.moves.iter().zip(&self.line.positions).enumerate();
        moves.step_by(2).map(|(index, (&m, position))| (index, position, m))
    }

    /// The move of an index, if the line is that long.
    pub(crate) fn at(&self, index: usize) -> Option<(&Position, Move)> {
        Some((self.line.positions.get(index)?, *self.line.moves.get(index)?))
    }

    /// The square of what the move of an index takes, if that is worth at least as much as the
    /// whole line gains, or a piece.
    pub(crate) fn prize(&self, index: usize) -> Option<Square> {
        let (position, m) = self.at(index)?;
        let role = captured(position, m)?;
        let kept = self.line.gain(self.winner(), self.line.moves.len());
        (worth(role) >= kept.min(3)).then(|| captured_on(position, m)).flatten()
    }

    /// Number of moves until the side that gains has so many pawns' worth more than at the start,
    /// and nothing is going on.
    pub(crate) fn moves_to_gain(&self, pawns: i32) -> usize {
        let all = self.line.moves.len();
        let reached = |&len: &usize| {
            self.line.gain(self.winner(), len) >= pawns && is_quiet(&self.line.positions[len])
        };
        (1..all).find(reached).unwrap_or(all)
    }

    /// Where the piece that moves with an index stands afterwards.
    pub(crate) fn lands(&self, index: usize) -> Option<Square> {
        let (position, m) = self.at(index)?;
        Some(landing(position, m))
    }
}
