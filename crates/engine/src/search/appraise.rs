//! What a node looks like before any of its moves is tried.

use super::tt::{Bound, Entry};
use super::value::{DRAW, NONE, Value, is_decisive};
use super::worker::Worker;

/// The evaluation of a node; [`NONE`] in check.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Appraisal {
    /// As the evaluator says.
    pub(crate) raw: Value,
    /// With corrections.
    pub(crate) static_eval: Value,
    /// The same, made better by what the table knows.
    pub(crate) eval: Value,
}

impl Worker<'_> {
    /// Evaluates the node, or takes the evaluation from the table; a singular search takes that of
    /// the search it is part of.
    pub(crate) fn appraise(&mut self, ply: usize, entry: Option<&Entry>, pv: bool) -> Appraisal {
        let none = Appraisal { raw: NONE, static_eval: NONE, eval: NONE };
        if self.position(ply).is_check() {
            self.frame_mut(ply).static_eval = NONE;
            return none;
        }
        if self.frame(ply).excluded.is_some() {
            let static_eval = self.frame(ply).static_eval;
            return Appraisal { static_eval, eval: static_eval, ..none };
        }
        let raw = match entry {
            Some(entry) if entry.eval != NONE => entry.eval,
            _ => self.evaluate(ply),
        };
        let static_eval = self.corrected(ply, raw);
        self.frame_mut(ply).static_eval = static_eval;
        if entry.is_none() {
            let bound = Bound::None;
            let empty = Entry { m: None, value: DRAW, eval: raw, depth: -7, bound, pv };
            self.shared.table.store(self.position(ply).key(), empty);
        }
        let eval = entry.map_or(static_eval, |entry| refined(static_eval, entry));
        Appraisal { raw, static_eval, eval }
    }

    /// The value of a node where the line can't be followed further.
    pub(crate) fn leaf(&mut self, ply: usize) -> Value {
        if self.position(ply).is_check() {
            DRAW
        } else {
            let raw = self.evaluate(ply);
            self.corrected(ply, raw)
        }
    }

    /// Whether the evaluation rises from move to move.
    pub(crate) fn is_improving(&self, ply: usize, static_eval: Value) -> bool {
        if static_eval == NONE {
            return false;
        }
        let earlier = [2, 4]
            .map(|plies| self.before(ply, plies).static_eval)
            .into_iter()
            .find(|&eval| eval != NONE);
        earlier.is_none_or(|eval| static_eval > eval)
    }

    /// A heavily reduced move that didn't make things better deserves another look; a lightly
    /// reduced one that made things much worse for the mover deserves less.
    pub(crate) fn second_thoughts(&self, ply: usize, depth: i32, static_eval: Value) -> i32 {
        let last = self.before(ply, 1);
        if last.static_eval == NONE {
            return 0;
        }
        let worsening = static_eval > -last.static_eval;
        if last.reduction >= 3 && !worsening {
            1
        } else if last.reduction >= 2 && depth >= 2 && static_eval + last.static_eval > 175 {
            -1
        } else {
            0
        }
    }
}

/// A bound in the table that contradicts the evaluation is better informed.
pub(crate) fn refined(eval: Value, entry: &Entry) -> Value {
    let contradicts = entry.value > eval && entry.bound.is_lower()
        || entry.value < eval && entry.bound.is_upper();
    if contradicts && !is_decisive(entry.value) { entry.value } else { eval }
}
