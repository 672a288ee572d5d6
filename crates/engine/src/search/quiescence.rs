//! Quiescence search: captures, promotions, evasions and the first checks, until the position is
//! quiet enough to trust its static evaluation.

use chess::{Move, Position, Square};

use super::checks::{Checks, Threats};
use super::params::Params;
use super::picker::Picker;
use super::see::{captured, is_tactical, wins_at_least};
use super::static_eval::refined;
use super::tt::{Bound, Entry};
use super::value::{DRAW, INFINITE, NONE, Value, blended, is_lost, mated_in};
use super::worker::Worker;

/// The state of a quiescence node.
#[derive(Debug)]
struct QNode {
    in_check: bool,
    /// The node is, or once was, on the principal variation ("ttPv").
    table_pv: bool,
    alpha: Value,
    beta: Value,
    /// The best value so far.
    best: Value,
    /// The evaluation without corrections; [`NONE`] in check.
    raw: Value,
    /// The futility base: what a move that captures nothing may reach.
    reach: Value,
    /// The target of the last move: recaptures are exempt from delta pruning.
    last_target: Option<Square>,
    entry: Option<Entry>,
    /// Number of moves so far.
    count: i32,
    best_move: Option<Move>,
}

impl QNode {
    /// Whether to prune a move: it can't lift the score above alpha ("delta pruning"), or only
    /// loses material. The value that a pruned move might reach counts for the best one.
    #[inline]
    fn skips(
        &mut self,
        position: &Position,
        m: Move,
        quiet: bool,
        checks: &Checks,
        p: &Params,
    ) -> bool {
        if is_lost(self.best) {
            return false;
        }
        if self.in_check {
            // One or two quiet evasions show whether the check hurts.
            return quiet && self.count > 2;
        }
        if !checks.given_by(position, m)
            && Some(m.to()) != self.last_target
            && m.promotion().is_none()
            && !is_lost(self.reach)
        {
            if self.count > 3 {
                return true;
            }
            let value = self.reach + captured(position, m);
            if value <= self.alpha {
                self.best = self.best.max(value);
                return true;
            }
            if self.reach <= self.alpha && !wins_at_least(position, m, 1) {
                self.best = self.best.max(self.reach);
                return true;
            }
        }
        let least = if quiet { 0 } else { -p.quiescence_see };
        !wins_at_least(position, m, least)
    }
}

impl<const LIMITED: bool> Worker<'_, LIMITED> {
    /// The value of the node if only forcing moves are made. `first`: the first ply beyond the
    /// horizon, where quiet checks are tried, too.
    pub(crate) fn quiescence<const PV: bool>(
        &mut self,
        ply: usize,
        mut alpha: Value,
        beta: Value,
        first: bool,
    ) -> Value {
        // Step 1. Return if the search is over or the game is drawn.
        if let Some(value) = self.leave_qnode(ply, &mut alpha, beta) {
            return value;
        }
        let mut node = self.qnode::<PV>(ply, alpha, beta);

        // Step 2. Probe the transposition table.
        if !PV
            && let Some(entry) = node.entry
            && entry.is_beyond(alpha, beta)
        {
            return entry.value;
        }
        // Step 3. Stand pat, unless in check.
        if let Some(value) = self.stand_pat(ply, &mut node) {
            return value;
        }

        // Step 4. Try the forcing moves.
        let position = self.position(ply);
        let checks = Checks::new(position);
        let rows = self.rows(ply);
        let bottom = self.moves.len();
        let hash = node.entry.and_then(|entry| entry.m);
        let mut picker = Picker::quiescence(position, hash, first, bottom);
        if node.in_check || first {
            self.frame_mut(ply).threats = Threats::new(self.position(ply));
        }
        while let Some(m) = self.pick(&mut picker, ply, &checks, rows, false) {
            self.prefetch(ply, m);
            if !node.in_check && self.overlooks(ply, m) {
                continue;
            }
            node.count += 1;
            // Step 5. Prune what can't lift the score above alpha, or only loses material.
            let position = self.position(ply);
            let quiet = !is_tactical(position, m);
            if node.skips(position, m, quiet, &checks, self.shared.params) {
                continue;
            }
            // Step 6. Search the move.
            self.play(ply, m, quiet);
            let value = -self.quiescence::<PV>(ply + 1, -beta, -node.alpha, false);
            self.undo();
            if self.over() {
                self.moves.truncate(bottom);
                return DRAW;
            }
            // Step 7. Is it the best so far, or does it fail high?
            if value > node.best {
                node.best = value;
                if value > node.alpha {
                    node.best_move = Some(m);
                    if PV {
                        self.extend_pv(ply, m);
                    }
                    if value >= beta {
                        break;
                    }
                    node.alpha = value;
                }
            }
        }
        self.moves.truncate(bottom);
        if node.in_check && node.count == 0 {
            return mated_in(ply);
        }

        // Step 8. Store the result.
        self.remember_qnode(ply, &node)
    }

    /// Returns from the node if the search is over or the game is drawn, and raises alpha to a draw
    /// if the side to move can repeat a position.
    #[inline]
    fn leave_qnode(&mut self, ply: usize, alpha: &mut Value, beta: Value) -> Option<Value> {
        self.frame_mut(ply).pv.clear();
        if self.must_stop() {
            return Some(DRAW);
        }
        self.selective_depth = self.selective_depth.max(ply + 1);
        if self.is_draw(ply) {
            return Some(self.draw());
        }
        if ply >= self.shared.longest {
            return Some(self.leaf(ply));
        }
        if *alpha < DRAW && self.can_repeat(ply) {
            *alpha = self.draw();
            return (*alpha >= beta).then_some(*alpha);
        }
        None
    }

    /// A node with its table entry.
    #[inline]
    fn qnode<const PV: bool>(&self, ply: usize, alpha: Value, beta: Value) -> QNode {
        let entry = self.look_up(ply);
        QNode {
            in_check: self.position(ply).is_check(),
            table_pv: PV || entry.is_some_and(|entry| entry.pv),
            alpha,
            beta,
            best: -INFINITE,
            raw: NONE,
            reach: -INFINITE,
            last_target: self.before(ply, 1).played.map(Move::to),
            entry,
            count: 0,
            best_move: None,
        }
    }

    /// Evaluates the node ("stand pat"). Returns the value if it reaches beta.
    #[inline]
    fn stand_pat(&mut self, ply: usize, node: &mut QNode) -> Option<Value> {
        if node.in_check {
            self.frame_mut(ply).static_eval = NONE;
            return None;
        }
        node.raw = self.raw_eval(ply, node.entry.as_ref());
        let (static_eval, _) = self.corrected(ply, node.raw);
        self.frame_mut(ply).static_eval = static_eval;
        node.best = node.entry.map_or(static_eval, |entry| refined(static_eval, &entry));
        if node.best >= node.beta {
            let value = blended(node.best, node.beta, 1);
            if node.entry.is_none() {
                let (bound, pv) = (Bound::Lower, node.table_pv);
                self.remember(ply, Entry { m: None, value, eval: node.raw, depth: -1, bound, pv });
            }
            return Some(value);
        }
        node.alpha = node.alpha.max(node.best);
        node.reach = static_eval + self.shared.params.delta_margin;
        None
    }

    /// The value of a node whose moves have been tried; also stores it in the table.
    #[inline]
    fn remember_qnode(&self, ply: usize, node: &QNode) -> Value {
        let high = node.best >= node.beta;
        let value = if high { blended(node.best, node.beta, 1) } else { node.best };
        let bound = if high { Bound::Lower } else { Bound::Upper };
        let (m, eval, pv) = (node.best_move, node.raw, node.table_pv);
        self.remember(ply, Entry { m, value, eval, depth: 0, bound, pv });
        value
    }
}
