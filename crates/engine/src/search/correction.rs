//! How far the evaluation has been off in positions like this one.
//!
//! When a search comes back with another score than the static evaluation, the difference is
//! remembered under parts of the position: its pawns, each side's pieces, and the last two moves.
//! The next time a part is seen the evaluation is shifted by what was learnt. No gain has been seen
//! yet (-16 ± 40 Elo, half the weights +10 ± 31).

use chess::{Color, Position};

use super::history::{Row, nudge, zeroed};
use super::params::Params;
use super::value::{Value, as_evaluation};
use crate::memory::{Huge, prefetch};

const SIZE: usize = 16_384;
const LIMIT: i32 = 1_024;

/// The tables of one thread.
#[derive(Debug)]
pub(crate) struct Corrections {
    /// By side to move and pawn structure.
    pawns: Huge<i16>,
    /// By side to move, color of the pieces, and those pieces.
    pieces: Huge<i16>,
    /// By the last two moves.
    line: Huge<[i16; 12 * 64 + 1]>,
}

/// Where in the tables a position is.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Place {
    pawns: usize,
    pieces: [usize; 2],
    line: [Row; 2],
}

impl Place {
    /// `line`: the last move and the one before it.
    #[inline]
    pub(crate) fn new(position: &Position, line: [Row; 2]) -> Self {
        let keys = position.keys();
        let turn = position.turn().index();
        let slot = |table: usize, key: u64| table * SIZE + key as usize % SIZE;
        Self {
            pawns: slot(turn, keys.pawns),
            pieces: Color::ALL
                .map(Color::index)
                .map(|color| slot(2 * turn + color, keys.pieces[color])),
            line,
        }
    }
}

impl Corrections {
    pub(crate) fn new() -> Self {
        Self { pawns: zeroed(2 * SIZE), pieces: zeroed(4 * SIZE), line: zeroed(12 * 64 + 1) }
    }

    pub(crate) fn clear(&mut self) {
        self.pawns.fill(0);
        self.pieces.fill(0);
        self.line.fill([0; 12 * 64 + 1]);
    }

    /// Sends for the memory of a place that will be looked at soon.
    #[inline]
    pub(crate) fn prefetch(&self, place: &Place) {
        prefetch(&self.pawns[place.pawns]);
        for slot in place.pieces {
            prefetch(&self.pieces[slot]);
        }
        prefetch(&self.line[place.line[1].index()][place.line[0].index()]);
    }

    /// The evaluation shifted by what was learnt.
    #[inline]
    pub(crate) fn correct(&self, place: &Place, eval: Value, p: &Params) -> Value {
        let pawns = i32::from(self.pawns[place.pawns]);
        let [white, black] = place.pieces.map(|slot| i32::from(self.pieces[slot]));
        let line = i32::from(self.line[place.line[1].index()][place.line[0].index()]);
        let shift =
            pawns * p.correct_pawns + (white + black) * p.correct_pieces + line * p.correct_line;
        as_evaluation(eval + shift / 1024)
    }

    /// A search of this depth found the evaluation to be off by `difference`.
    pub(crate) fn learn(&mut self, place: &Place, depth: i32, difference: Value) {
        let bonus = (difference * depth / 8).clamp(-LIMIT / 4, LIMIT / 4);
        nudge(&mut self.pawns[place.pawns], bonus, LIMIT);
        for slot in place.pieces {
            nudge(&mut self.pieces[slot], bonus, LIMIT);
        }
        nudge(&mut self.line[place.line[1].index()][place.line[0].index()], bonus, LIMIT);
    }
}
