//! Updates after a finished node: histories and corrections.

use chess::Move;

use super::checks::Threats;
use super::history::{Rows, bonus, malus};
use super::node::{MoveLoop, Node};
use super::see::{is_tactical, victim};
use super::tt::{Bound, Entry};
use super::value::{NONE, Value, blended, is_decisive};
use super::worker::Worker;

impl<const LIMITED: bool> Worker<'_, LIMITED> {
    /// The value of a node whose moves have been tried. Updates the table, the histories and the
    /// corrections.
    #[inline]
    pub(crate) fn conclude<const PV: bool>(
        &mut self,
        ply: usize,
        node: &Node,
        moves: &MoveLoop,
    ) -> Value {
        let root = PV && ply == 0;
        let (beta, depth) = (node.beta, moves.depth);
        let mut best = node.best.min(node.ceiling);
        if best >= beta {
            best = blended(best, beta, depth);
        }
        let bound = if best >= beta {
            Bound::Lower
        } else if PV && moves.best_move.is_some() {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let mut pv = node.table_pv;
        if let Some(m) = moves.best_move {
            self.learn_from_best(ply, m, moves);
            if !root && best >= beta {
                self.blame_last_move(ply, depth);
            }
        } else {
            if !root {
                self.credit_last_move(ply, depth, best);
            }
            // The parent was on the principal variation once, so its refutation may be, too.
            pv |= depth > 3 && self.before(ply, 1).table_pv;
        }
        if node.excluded.is_some() {
            return best;
        }
        if !(root && self.pv_index > 0) {
            let m = moves.best_move;
            self.remember(ply, Entry { m, value: best, eval: node.raw, depth, bound, pv });
        }
        let quiet_best = moves.best_move.is_none_or(|m| !is_tactical(self.position(ply), m));
        if !node.in_check && quiet_best {
            self.learn_correction(ply, depth, best, node.static_eval, bound);
        }
        best
    }

    /// The best move gets a bonus, those tried before it a malus.
    fn learn_from_best(&mut self, ply: usize, m: Move, moves: &MoveLoop) {
        let MoveLoop { depth, rows, ref quiets, ref captures, .. } = *moves;
        let p = self.shared.params;
        let (reward, penalty) = (bonus(p, depth), malus(p, depth));
        if is_tactical(self.position(ply), m) {
            self.update_capture(ply, m, reward);
        } else {
            let killers = &mut self.frame_mut(ply).killers;
            if killers[0] != Some(m) {
                *killers = [Some(m), killers[0]];
            }
            self.update_quiet(ply, m, rows, reward);
            // Moves tried late were not expected to be any good.
            for (index, &other) in quiets.iter().enumerate() {
                let late = (index as i32 - 5).max(0);
                self.update_quiet(ply, other, rows, -penalty * 8 / (8 + late));
            }
        }
        for &other in captures {
            self.update_capture(ply, other, -penalty);
        }
    }

    /// Every move failed low: the opponent's last move was good, especially if that is a surprise
    /// ("prior countermove bonus").
    fn credit_last_move(&mut self, ply: usize, depth: i32, best: Value) {
        let p = self.shared.params;
        let static_eval = self.frame(ply).static_eval;
        let last = self.before(ply, 1);
        let Some(m) = last.played else { return };
        let Some(piece) = last.position.piece_on(m.from()) else { return };
        let below = |eval: Value, margin: Value| eval != NONE && best <= eval - margin;
        let when = |news: bool, amount: i32| if news { amount } else { 0 };
        let share = p.refuted_base
            + p.refuted_depth * depth.min(16)
            + when(last.count > 8, p.refuted_late)
            + when(below(static_eval, p.refuted_deep_margin), p.refuted_deep)
            + when(
                last.static_eval != NONE && below(-last.static_eval, p.refuted_surprise_margin),
                p.refuted_surprise,
            );
        let reward = bonus(p, depth) * share / 1_024;
        if last.quiet {
            let (threats, us) = (last.threats, last.position.turn());
            let rows = self.rows(ply - 1);
            self.own.histories.update_main(us, &threats, m, reward);
            self.own.histories.update_continuation(rows, piece, m, reward, p);
        } else if let Some(victim) = victim(&last.position, m) {
            self.own.histories.update_capture(piece, m, victim, reward);
        }
    }

    /// The opponent's first move was quiet, and it is refuted ("early refutation malus").
    fn blame_last_move(&mut self, ply: usize, depth: i32) {
        let p = self.shared.params;
        let last = self.before(ply, 1);
        if let Some(m) = last.played
            && last.quiet
            && last.count == 1
            && let Some(piece) = last.position.piece_on(m.from())
        {
            let penalty = malus(p, depth) * p.early_malus / 1_024;
            let rows = self.rows(ply - 1);
            self.own.histories.update_continuation(rows, piece, m, -penalty, p);
        }
    }

    /// The opponent's last quiet move gets a bonus by how the evaluation changed with it ("static
    /// eval difference").
    pub(crate) fn judge_last_move(&mut self, ply: usize, static_eval: Value) {
        let last = self.before(ply, 1);
        if let Some(m) = last.played
            && last.quiet
            && last.static_eval != NONE
            && ply > 0
        {
            let p = self.shared.params;
            let rise = -p.judge_slope * (static_eval + last.static_eval);
            let reward = rise.clamp(-p.judge_cap, p.judge_cap) + p.judge_offset;
            let (threats, us) = (last.threats, last.position.turn());
            self.own.histories.update_main(us, &threats, m, reward);
        }
    }

    /// A reduced quiet move was searched again: update its history ("post-LMR history update").
    pub(crate) fn credit_answer(
        &mut self,
        ply: usize,
        m: Move,
        value: Value,
        alpha: Value,
        beta: Value,
        depth: i32,
    ) {
        let p = self.shared.params;
        let reward = if value <= alpha {
            -malus(p, depth)
        } else if value >= beta {
            bonus(p, depth)
        } else {
            return;
        };
        let Some(piece) = self.position(ply).piece_on(m.from()) else { return };
        let rows = self.rows(ply);
        self.own.histories.update_continuation(rows, piece, m, reward, p);
    }

    /// The quiet TT move fails high again.
    pub(crate) fn credit_table_move(&mut self, ply: usize, m: Move, depth: i32) {
        let p = self.shared.params;
        let reward = bonus(p, depth);
        let rows = self.rows(ply);
        let (frame, own) = self.frame_and_experience(ply);
        let threats = Threats::new(&frame.position);
        own.histories.update_quiet(&frame.position, &threats, rows, ply, m, reward, p);
    }

    /// The search disagrees with the evaluation, and not only because of a capture.
    fn learn_correction(
        &mut self,
        ply: usize,
        depth: i32,
        value: Value,
        static_eval: Value,
        bound: Bound,
    ) {
        let says_nothing = bound == Bound::Lower && value <= static_eval
            || bound == Bound::Upper && value >= static_eval
            || is_decisive(value);
        if !says_nothing {
            let place = self.place(ply);
            self.own.corrections.learn(&place, depth, value - static_eval, self.shared.params);
        }
    }

    fn update_quiet(&mut self, ply: usize, m: Move, rows: Rows, reward: i32) {
        let p = self.shared.params;
        let (frame, own) = self.frame_and_experience(ply);
        own.histories.update_quiet(&frame.position, &frame.threats, rows, ply, m, reward, p);
    }

    fn update_capture(&mut self, ply: usize, m: Move, reward: i32) {
        let position = self.position(ply);
        let Some(piece) = position.piece_on(m.from()) else { return };
        let Some(victim) = victim(position, m) else { return };
        self.own.histories.update_capture(piece, m, victim, reward);
    }
}
