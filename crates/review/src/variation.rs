//! A line of moves with the positions it goes through.

use chess::{CastlingMode, Color, Line, Move, Position};

use crate::MoveText;
use crate::board::{balance, is_quiet};

/// A start position, moves from it, and the positions after each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Variation {
    pub moves: Vec<Move>,
    /// One more than moves: the first is the start.
    pub positions: Vec<Position>,
    /// Whether the last position has occurred before, in the game or in the line.
    pub repeats: bool,
}

impl Variation {
    /// The moves of a line after its first `ply`.
    pub(crate) fn after(line: &Line, ply: usize) -> Self {
        Self {
            moves: line.moves().skip(ply).collect(),
            positions: line.positions().skip(ply).cloned().collect(),
            repeats: line.repetitions() > 1,
        }
    }

    /// The same line without its first moves.
    pub(crate) fn from(&self, index: usize) -> Self {
        let index = index.min(self.moves.len());
        Self {
            moves: self.moves[index..].to_vec(),
            positions: self.positions[index..].to_vec(),
            repeats: self.repeats,
        }
    }

    pub(crate) fn start(&self) -> &Position {
        &self.positions[0]
    }

    pub(crate) fn end(&self) -> &Position {
        self.positions.last().unwrap_or(&self.positions[0])
    }

    /// The position in which the move with an index is played.
    pub(crate) fn before(&self, index: usize) -> &Position {
        &self.positions[index]
    }

    /// What a side has gained by the position with an index, in pawns.
    pub(crate) fn gain(&self, side: Color, index: usize) -> i32 {
        let index = index.min(self.moves.len());
        balance(&self.positions[index], side) - balance(self.start(), side)
    }

    /// Whether the last move mates.
    pub(crate) fn mates(&self) -> bool {
        self.end().is_check() && !self.end().has_legal_move()
    }

    /// Whether nothing is going on at its end: two quiet positions in a row.
    pub(crate) fn is_settled(&self) -> bool {
        let mut last = self.positions.iter().rev().take(2);
        self.moves.len() >= 2 && last.all(is_quiet)
    }

    /// The line without what is still undecided at its end: a piece that was just taken may be taken
    /// back. Its first two moves stay.
    pub(crate) fn up_to_the_last_quiet_move(mut self) -> Self {
        let quiet = |len: &usize| is_quiet(&self.positions[*len]);
        let len = (2..=self.moves.len()).rev().find(quiet).unwrap_or(self.moves.len());
        if len < self.moves.len() {
            self.moves.truncate(len);
            self.positions.truncate(len + 1);
            self.repeats = false;
        }
        self
    }

    /// The moves as text, up to an index.
    pub(crate) fn text(&self, len: usize, mode: CastlingMode) -> Vec<MoveText> {
        let moves = self.moves.iter().zip(&self.positions).take(len);
        moves.map(|(&m, position)| MoveText::of(m, position, mode)).collect()
    }

    /// Number of moves until a side has what it has at the end, and nothing is going on; at least
    /// one.
    pub(crate) fn point(&self, side: Color) -> usize {
        let all = self.moves.len();
        let end = self.gain(side, all);
        let reached = |&len: &usize| self.gain(side, len) >= end && is_quiet(&self.positions[len]);
        if self.mates() { all } else { (1..all).find(reached).unwrap_or(all) }
    }
}
