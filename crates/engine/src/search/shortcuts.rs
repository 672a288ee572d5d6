//! Node pruning that needs a small search: razoring, null move, `ProbCut`.

use super::checks::Checks;
use super::node::Node;
use super::picker::Picker;
use super::prune::{
    is_hopeless, null_move_depth, probcut_beta, probcut_by_table, reverse_futility,
};
use super::reduce::internal_reduction;
use super::skip::has_pieces;
use super::tt::{Bound, Entry};
use super::value::{DRAW, Value, is_decisive};
use super::worker::Worker;

/// Plies by which a `ProbCut` is shallower than its node: what it finds, and what refutes it.
const PROBCUT_REDUCTION: i32 = 3;

impl<const LIMITED: bool> Worker<'_, LIMITED> {
    /// Tries to prune a node before its moves are tried, from the cheapest idea to the most
    /// expensive one; or reduces its depth.
    pub(crate) fn decide_early(&mut self, ply: usize, node: &mut Node) -> Option<Value> {
        if node.excluded.is_some() {
            return None;
        }
        let p = self.shared.params;
        // After a check the attack may continue with a quiet move, which quiescence doesn't try.
        let attacks = self.before(ply, 1).position.is_check();
        if !attacks && is_hopeless(node, p) {
            let value = self.quiescence::<false>(ply, node.alpha, node.alpha + 1, true);
            if self.over() || value <= node.alpha && !is_decisive(value) {
                return Some(value);
            }
        }
        if let Some(value) = reverse_futility(node, p).or_else(|| self.null_move(ply, node)) {
            return Some(value);
        }
        node.depth -= internal_reduction(node, p);
        self.probcut(ply, node)
            .or_else(|| node.entry.and_then(|entry| probcut_by_table(node, &entry, p)))
    }

    /// Null move: if the opponent can't exploit it, a real move reaches beta as well.
    fn null_move(&mut self, ply: usize, node: &Node) -> Option<Value> {
        let has_pieces = has_pieces(self.position(ply));
        let twice = self.before(ply, 1).played.is_none() && ply > 0;
        if twice || ply < self.null_from {
            return None;
        }
        let depth = null_move_depth(node, has_pieces, self.shared.params)?;
        self.pass(ply);
        let value = -self.alphabeta::<false>(ply + 1, -node.beta, 1 - node.beta, depth, !node.cut);
        self.undo();
        if self.over() {
            return Some(DRAW);
        }
        if value < node.beta {
            return None;
        }
        let value = if is_decisive(value) { node.beta } else { value };
        if self.null_from > 0 || node.depth < self.shared.params.null_verify {
            return Some(value);
        }
        // At high depth zugzwang would be costly: verify without null moves for a while.
        self.null_from = ply + (3 * depth.max(1) / 4) as usize;
        let check = self.alphabeta::<false>(ply, node.beta - 1, node.beta, depth, false);
        self.null_from = 0;
        (check >= node.beta).then_some(value)
    }

    /// Tries good captures against a raised beta at reduced depth.
    fn probcut(&mut self, ply: usize, node: &Node) -> Option<Value> {
        let raised = probcut_beta(node, self.shared.params)?;
        let depth = node.depth - PROBCUT_REDUCTION;
        // The table already shows that it won't work.
        if node
            .entry
            .is_some_and(|e| e.bound != Bound::None && e.depth >= depth && e.value < raised)
        {
            return None;
        }
        let position = self.position(ply);
        let checks = Checks::new(position);
        let rows = self.rows(ply);
        let bottom = self.moves.len();
        let mut picker = Picker::probcut(position, node.hash, raised - node.static_eval, bottom);
        let mut cut = None;
        while let Some(m) = self.pick(&mut picker, ply, &checks, rows, true) {
            self.prefetch(ply, m);
            if self.overlooks(ply, m) {
                continue;
            }
            self.play(ply, m, false);
            let mut value = -self.quiescence::<false>(ply + 1, -raised, 1 - raised, false);
            if value >= raised {
                // The capture itself is a ply.
                value =
                    -self.alphabeta::<false>(ply + 1, -raised, 1 - raised, depth - 1, !node.cut);
            }
            self.undo();
            if self.over() {
                break;
            }
            if value >= raised {
                let (eval, pv) = (node.raw, node.table_pv);
                let found = Entry { m: Some(m), value, eval, depth, bound: Bound::Lower, pv };
                self.remember(ply, found);
                cut = Some(if is_decisive(value) { value } else { value - (raised - node.beta) });
                break;
            }
        }
        self.moves.truncate(bottom);
        cut
    }
}
