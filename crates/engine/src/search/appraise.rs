//! What a node looks like before any of its moves is tried.

use chess::{Position, Role};

use super::params::Params;
use super::see::worth;
use super::tt::{Bound, Entry};
use super::value::{DRAW, NONE, Value, is_decisive};
use super::worker::Worker;
use crate::eval::is_lone_king;

/// The evaluation of a node; [`NONE`] in check.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Appraisal {
    /// As the evaluator says.
    pub(crate) raw: Value,
    /// With corrections.
    pub(crate) static_eval: Value,
    /// The same, made better by what the table knows.
    pub(crate) eval: Value,
    /// How far the corrections have moved it: how little it can be trusted.
    pub(crate) correction: Value,
}

impl<const LIMITED: bool> Worker<'_, LIMITED> {
    /// Evaluates the node, or takes the evaluation from the table; a singular search takes that of
    /// the search it is part of.
    pub(crate) fn appraise(&mut self, ply: usize, entry: Option<&Entry>, pv: bool) -> Appraisal {
        let none = Appraisal { raw: NONE, static_eval: NONE, eval: NONE, correction: 0 };
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
        let (static_eval, correction) = self.corrected(ply, raw);
        self.frame_mut(ply).static_eval = static_eval;
        if entry.is_none() {
            let bound = Bound::None;
            let empty = Entry { m: None, value: DRAW, eval: raw, depth: -7, bound, pv };
            self.shared.table.store(self.position(ply).key(), empty);
        }
        let eval = entry.map_or(static_eval, |entry| refined(static_eval, entry));
        Appraisal { raw, static_eval, eval, correction }
    }

    /// The value of a node where the line can't be followed further.
    pub(crate) fn leaf(&mut self, ply: usize) -> Value {
        if self.position(ply).is_check() {
            DRAW
        } else {
            let raw = self.evaluate(ply);
            self.corrected(ply, raw).0
        }
    }

    /// How far the evaluation has risen since our last move, or the one before that.
    pub(crate) fn improvement(&self, ply: usize, static_eval: Value) -> Value {
        if static_eval == NONE {
            return 0;
        }
        let earlier = [2, 4]
            .map(|plies| self.before(ply, plies).static_eval)
            .into_iter()
            .find(|&eval| eval != NONE);
        // Nothing to compare with: hope for the best.
        earlier.map_or(1, |eval| static_eval - eval)
    }

    /// A heavily reduced move that didn't make things better deserves another look; a lightly
    /// reduced one that made things much worse for the mover deserves less.
    pub(crate) fn second_thoughts(&self, ply: usize, depth: i32, static_eval: Value) -> i32 {
        let p = self.shared.params;
        let last = self.before(ply, 1);
        if last.static_eval == NONE {
            return 0;
        }
        let worsening = static_eval > -last.static_eval;
        if last.reduction >= p.hindsight_deeper && !worsening {
            1
        } else if last.reduction >= p.hindsight_shallower
            && depth >= 2
            && static_eval + last.static_eval > p.hindsight_margin
        {
            -1
        } else {
            0
        }
    }
}

/// An advantage counts less the fewer pieces are left to use it: exchanges that keep it are no
/// progress. Against a lone king it is as good as won.
pub(crate) fn scaled(eval: Value, position: &Position, p: &Params) -> Value {
    if is_lone_king(position) {
        return eval;
    }
    let material: Value =
        Role::ALL.map(|role| worth(role) * position.role(role).count() as Value).iter().sum();
    eval * (p.scale_base + p.scale_material * material / 8_192) / 1_024
}

/// A bound in the table that contradicts the evaluation is better informed.
pub(crate) fn refined(eval: Value, entry: &Entry) -> Value {
    let contradicts = entry.value > eval && entry.bound.is_lower()
        || entry.value < eval && entry.bound.is_upper();
    if contradicts && !is_decisive(entry.value) { entry.value } else { eval }
}
