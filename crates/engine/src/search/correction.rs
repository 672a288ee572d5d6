//! Correction history: how far the static eval has been off in similar positions.
//!
//! When a search returns another score than the static evaluation, the difference is stored by
//! features of the position: its pawns, each side's pieces, knights and bishops, and the last move
//! together with earlier ones. In positions with the same features the evaluation is corrected
//! accordingly.
//!
//! Worth +39 ± 27 Elo at 25,000 nodes per move (224 games), but -37 ± 27 at 3,000 (382 games).

use chess::{Color, Position};

use super::history::{Row, nudge};
use super::params::Params;
use super::value::Value;
use crate::memory::{Huge, prefetch};

const SIZE: usize = 16_384;
const LIMIT: i32 = 1_024;

/// The tables of one thread.
#[derive(Debug)]
pub(crate) struct Corrections {
    /// By side to move and pawn structure.
    pawns: Huge<i16>,
    /// By side to move, color of the pieces, and those pieces ("non-pawn").
    pieces: Huge<i16>,
    /// By side to move, knights and bishops.
    minors: Huge<i16>,
    /// By an earlier move and the last one ("continuation correction history").
    line: Huge<[i16; 12 * 64 + 1]>,
}

/// The indices of a position in the tables.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Place {
    pawns: usize,
    pieces: [usize; 2],
    minors: usize,
    last: Row,
    earlier: [Row; 2],
}

impl Place {
    /// `last` and `earlier`: the last move, and those two and four plies back.
    #[inline]
    pub(crate) fn new(position: &Position, last: Row, earlier: [Row; 2]) -> Self {
        let keys = position.keys();
        let turn = position.turn().index();
        let slot = |table: usize, key: u64| table * SIZE + key as usize % SIZE;
        Self {
            pawns: slot(turn, keys.pawns),
            pieces: Color::ALL
                .map(Color::index)
                .map(|color| slot(2 * turn + color, keys.pieces[color])),
            minors: slot(turn, keys.minors),
            last,
            earlier,
        }
    }
}

impl Corrections {
    /// Empty tables; `None` if there is not enough memory.
    pub(crate) fn new() -> Option<Self> {
        Some(Self {
            pawns: Huge::zeroed(2 * SIZE)?,
            pieces: Huge::zeroed(4 * SIZE)?,
            minors: Huge::zeroed(2 * SIZE)?,
            line: Huge::zeroed(12 * 64 + 1)?,
        })
    }

    pub(crate) fn clear(&mut self) {
        self.pawns.fill(0);
        self.pieces.fill(0);
        self.minors.fill(0);
        self.line.fill([0; 12 * 64 + 1]);
    }

    /// Prefetches the entries of a position that will be evaluated soon.
    #[inline]
    pub(crate) fn prefetch(&self, place: &Place) {
        prefetch(&self.pawns[place.pawns]);
        for slot in place.pieces {
            prefetch(&self.pieces[slot]);
        }
        prefetch(&self.minors[place.minors]);
        for row in place.earlier {
            prefetch(&self.line[row.index()][place.last.index()]);
        }
    }

    /// The correction to the evaluation.
    #[inline]
    pub(crate) fn shift(&self, place: &Place, p: &Params) -> Value {
        let pawns = i32::from(self.pawns[place.pawns]);
        let [white, black] = place.pieces.map(|slot| i32::from(self.pieces[slot]));
        let minors = i32::from(self.minors[place.minors]);
        let [two, four] =
            place.earlier.map(|row| i32::from(self.line[row.index()][place.last.index()]));
        let sum = pawns * p.correct_pawns
            + (white + black) * p.correct_pieces
            + minors * p.correct_minors
            + (two + four) * p.correct_line;
        sum / 1024
    }

    /// A search of this depth found the evaluation off by `difference`.
    pub(crate) fn learn(&mut self, place: &Place, depth: i32, difference: Value, p: &Params) {
        let bonus = (difference * depth / p.correct_rate).clamp(-p.correct_cap, p.correct_cap);
        nudge(&mut self.pawns[place.pawns], bonus, LIMIT);
        for slot in place.pieces {
            nudge(&mut self.pieces[slot], bonus, LIMIT);
        }
        nudge(&mut self.minors[place.minors], bonus, LIMIT);
        for row in place.earlier {
            nudge(&mut self.line[row.index()][place.last.index()], bonus, LIMIT);
        }
    }
}
