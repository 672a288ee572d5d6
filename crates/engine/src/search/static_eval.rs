//! The static eval of a node.

use chess::{Position, Role};

use super::node::Node;
use super::params::Params;
use super::reduce::hindsight;
use super::see::worth;
use super::tt::{Bound, Entry};
use super::value::{DRAW, NONE, Value, is_decisive};
use super::worker::Worker;
use crate::eval::is_lone_king;

impl<const LIMITED: bool> Worker<'_, LIMITED> {
    /// Evaluates the node, compares with earlier plies, and looks back on the move that led here.
    #[inline]
    pub(crate) fn evaluate_node(&mut self, ply: usize, node: &mut Node) {
        self.set_static_eval(ply, node);
        node.improvement = self.improvement(ply, node.static_eval);
        node.improving = node.improvement > 0;
        if !node.in_check && node.excluded.is_none() {
            self.judge_last_move(ply, node.static_eval);
            let last = self.before(ply, 1);
            let (reduction, before) = (last.reduction, last.static_eval);
            node.depth +=
                hindsight(reduction, before, node.depth, node.static_eval, self.shared.params);
        }
    }

    /// Evaluates the node, or takes the evaluation from the table; a singular search takes that of
    /// the search it is part of.
    fn set_static_eval(&mut self, ply: usize, node: &mut Node) {
        if node.in_check {
            self.frame_mut(ply).static_eval = NONE;
            return;
        }
        if node.excluded.is_some() {
            node.static_eval = self.frame(ply).static_eval;
            node.eval = node.static_eval;
            return;
        }
        node.raw = self.raw_eval(ply, node.entry.as_ref());
        (node.static_eval, node.correction) = self.corrected(ply, node.raw);
        self.frame_mut(ply).static_eval = node.static_eval;
        node.eval = node.static_eval;
        if let Some(entry) = &node.entry {
            node.eval = refined(node.static_eval, entry);
        } else {
            let (depth, bound, pv) = (Entry::UNSEARCHED, Bound::None, node.table_pv);
            let empty = Entry { m: None, value: DRAW, eval: node.raw, depth, bound, pv };
            self.remember(ply, empty);
        }
    }

    /// The evaluation without corrections, from the table if it is there.
    #[inline]
    pub(crate) fn raw_eval(&mut self, ply: usize, entry: Option<&Entry>) -> Value {
        match entry {
            Some(entry) if entry.eval != NONE => entry.eval,
            _ => self.evaluate(ply),
        }
    }

    /// The value of a node at the maximum ply.
    pub(crate) fn leaf(&mut self, ply: usize) -> Value {
        if self.position(ply).is_check() {
            DRAW
        } else {
            let raw = self.evaluate(ply);
            self.corrected(ply, raw).0
        }
    }

    /// How far the evaluation has risen since our last move, or the one before that.
    fn improvement(&self, ply: usize, static_eval: Value) -> Value {
        if static_eval == NONE {
            return 0;
        }
        let earlier = [2, 4]
            .map(|plies| self.before(ply, plies).static_eval)
            .into_iter()
            .find(|&eval| eval != NONE);
        // Nothing to compare with: assume it is improving.
        earlier.map_or(1, |eval| static_eval - eval)
    }
}

/// Material scaling: an advantage counts less with fewer pieces left, so that exchanges that keep
/// it are no progress. Against a lone king it is as good as won.
#[inline]
pub(crate) fn scaled(eval: Value, position: &Position, p: &Params) -> Value {
    if is_lone_king(position) {
        return eval;
    }
    let material: Value =
        Role::ALL.map(|role| worth(role) * position.role(role).count() as Value).iter().sum();
    eval * (p.scale_base + p.scale_material * material / 8_192) / 1_024
}

/// The static eval refined by the table: a bound that contradicts it is better informed.
#[inline]
pub(crate) fn refined(eval: Value, entry: &Entry) -> Value {
    let contradicts = entry.value > eval && entry.bound.is_lower()
        || entry.value < eval && entry.bound.is_upper();
    if contradicts && !is_decisive(entry.value) { entry.value } else { eval }
}
