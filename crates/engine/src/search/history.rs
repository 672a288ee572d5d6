//! History tables: statistics of moves that caused cutoffs, used to order, prune and reduce moves.
//!
//! All tables use the same rule ("history gravity"): a bonus moves an entry towards a limit, the
//! less the nearer it is, so that entries stay in range and old experience fades.

use chess::{Color, Move, Piece, Position, Role};

use super::checks::Threats;
use super::params::Params;
use crate::memory::Huge;

const QUIET_LIMIT: i32 = 8_192;
const CONTINUATION_LIMIT: i32 = 16_384;
const CAPTURE_LIMIT: i32 = 10_692;
const PAWN_LIMIT: i32 = 8_192;
const PAWN_SIZE: usize = 512;
const LOW_PLIES: usize = 5;

/// By moved piece and target square.
type PieceTo = [[i16; 64]; 12];

/// A row of the continuation table: the piece and target of an earlier move.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Row(u16);

impl Row {
    /// No move, or a null move.
    pub(crate) const NONE: Self = Self(12 * 64);

    #[inline]
    pub(crate) fn new(piece: Piece, m: Move) -> Self {
        Self((piece.index() * 64 + m.to().index()) as u16)
    }

    #[inline]
    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }
}

/// The earlier moves used by continuation history: 1, 2, 4 and 6 plies back.
pub(crate) type Rows = [Row; 4];

/// The tables of one thread.
#[derive(Debug)]
pub(crate) struct Histories {
    /// Butterfly history: by color and threats at both ends, then by origin and target.
    quiet: Huge<[[i16; 64]; 64]>,
    /// Capture history: by piece, target and captured role.
    capture: Huge<[[i16; 6]; 64]>,
    /// Continuation history: by an earlier move, then by piece and target.
    continuation: Huge<PieceTo>,
    /// Pawn history: by pawn structure, piece and target.
    pawn: Huge<PieceTo>,
    /// Low-ply history, near the root of this search: by ply, origin and target.
    low_ply: Huge<[[i16; 64]; 64]>,
}

impl Histories {
    /// Empty tables; `None` if there is not enough memory.
    pub(crate) fn new() -> Option<Self> {
        Some(Self {
            quiet: Huge::zeroed(2 * 4)?,
            capture: Huge::zeroed(12)?,
            continuation: Huge::zeroed(Row::NONE.index() + 1)?,
            pawn: Huge::zeroed(PAWN_SIZE)?,
            low_ply: Huge::zeroed(LOW_PLIES)?,
        })
    }

    pub(crate) fn clear(&mut self) {
        self.quiet.fill([[0; 64]; 64]);
        self.capture.fill([[0; 6]; 64]);
        self.continuation.fill([[0; 64]; 12]);
        self.pawn.fill([[0; 64]; 12]);
        self.new_search();
    }

    /// Low-ply history from the last root is of little use for this one.
    pub(crate) fn new_search(&mut self) {
        self.low_ply.fill([[0; 64]; 64]);
    }

    #[inline]
    pub(crate) fn quiet(&self, us: Color, threats: &Threats, m: Move) -> i32 {
        let table = &self.quiet[us.index() * 4 + threats.index(m)];
        i32::from(table[m.from().index()][m.to().index()])
    }

    #[inline]
    pub(crate) fn continuation(&self, row: Row, piece: Piece, m: Move) -> i32 {
        i32::from(self.continuation[row.index()][piece.index()][m.to().index()])
    }

    #[inline]
    pub(crate) fn pawn(&self, position: &Position, piece: Piece, m: Move) -> i32 {
        i32::from(self.pawn[pawn_row(position)][piece.index()][m.to().index()])
    }

    /// The history of a move at this ply of the search; zero far from the root.
    #[inline]
    pub(crate) fn low_ply(&self, ply: usize, m: Move) -> i32 {
        self.low_ply.get(ply).map_or(0, |table| i32::from(table[m.from().index()][m.to().index()]))
    }

    #[inline]
    pub(crate) fn capture(&self, piece: Piece, m: Move, victim: Role) -> i32 {
        i32::from(self.capture[piece.index()][m.to().index()][victim.index()])
    }

    /// Updates all tables of a quiet move.
    #[expect(clippy::too_many_arguments, reason = "everything that identifies a move")]
    pub(crate) fn update_quiet(
        &mut self,
        position: &Position,
        threats: &Threats,
        rows: Rows,
        ply: usize,
        m: Move,
        bonus: i32,
        p: &Params,
    ) {
        let Some(piece) = position.piece_on(m.from()) else { return };
        self.update_main(position.turn(), threats, m, bonus);
        let pawn = &mut self.pawn[pawn_row(position)][piece.index()][m.to().index()];
        nudge(pawn, bonus, PAWN_LIMIT);
        if let Some(table) = self.low_ply.get_mut(ply) {
            nudge(&mut table[m.from().index()][m.to().index()], bonus, QUIET_LIMIT);
        }
        self.update_continuation(rows, piece, m, bonus, p);
    }

    /// Updates a move as a reply to the moves before it; the further back, the less.
    pub(crate) fn update_continuation(
        &mut self,
        rows: Rows,
        piece: Piece,
        m: Move,
        bonus: i32,
        p: &Params,
    ) {
        let shares = [1_024, p.continuation_two, p.continuation_four, p.continuation_six];
        for (row, share) in rows.into_iter().zip(shares) {
            let entry = &mut self.continuation[row.index()][piece.index()][m.to().index()];
            nudge(entry, bonus * share / 1_024, CONTINUATION_LIMIT);
        }
    }

    /// Updates the butterfly history of a quiet move.
    pub(crate) fn update_main(&mut self, us: Color, threats: &Threats, m: Move, bonus: i32) {
        let table = &mut self.quiet[us.index() * 4 + threats.index(m)];
        nudge(&mut table[m.from().index()][m.to().index()], bonus, QUIET_LIMIT);
    }

    /// Updates the history of a capture.
    pub(crate) fn update_capture(&mut self, piece: Piece, m: Move, victim: Role, bonus: i32) {
        let entry = &mut self.capture[piece.index()][m.to().index()][victim.index()];
        nudge(entry, bonus, CAPTURE_LIMIT);
    }
}

#[inline]
fn pawn_row(position: &Position) -> usize {
    position.keys().pawns as usize % PAWN_SIZE
}

/// The bonus for a cutoff at this depth.
pub(crate) fn bonus(p: &Params, depth: i32) -> i32 {
    (p.bonus_slope * depth - p.bonus_offset).clamp(0, p.bonus_cap)
}

/// The malus for a move that was tried and failed.
pub(crate) fn malus(p: &Params, depth: i32) -> i32 {
    (p.malus_slope * depth - p.malus_offset).clamp(0, p.malus_cap)
}

/// Moves an entry by `bonus`, less if it is already far on that side ("history gravity").
#[inline]
pub(crate) fn nudge(entry: &mut i16, bonus: i32, limit: i32) {
    let bonus = bonus.clamp(-limit, limit);
    let old = i32::from(*entry);
    *entry = (old + bonus - old * bonus.abs() / limit) as i16;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_approach_their_limit_and_come_back() {
        let mut entry = 0;
        for _ in 0..1_000 {
            nudge(&mut entry, 900, QUIET_LIMIT);
            assert!(i32::from(entry) <= QUIET_LIMIT);
        }
        assert!(entry > 7_900);
        for _ in 0..1_000 {
            nudge(&mut entry, -30_000, CONTINUATION_LIMIT);
            assert!(i32::from(entry) >= -CONTINUATION_LIMIT);
        }
        assert!(entry < -16_000);
    }
}
