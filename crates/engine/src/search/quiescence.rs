//! The search beyond the horizon: captures, promotions, evasions and the first checks, until the
//! position is quiet enough for its evaluation to be trusted.

use super::appraise::refined;
use super::checks::{Checks, Threats};
use super::picker::Picker;
use super::see::{captured, is_tactical, wins_at_least};
use super::tt::{Bound, Entry};
use super::value::{DRAW, INFINITE, MAX_PLY, NONE, Value, blended, is_lost, mated_in};
use super::worker::Worker;

impl<const LIMITED: bool> Worker<'_, LIMITED> {
    /// The value of the node when only forcing moves are played. `first`: the first ply beyond
    /// the horizon, where quiet checks are tried too.
    #[expect(clippy::too_many_lines, reason = "a shorter twin of the main search's steps")]
    pub(crate) fn quiescence<const PV: bool>(
        &mut self,
        ply: usize,
        mut alpha: Value,
        beta: Value,
        first: bool,
    ) -> Value {
        // Step 1. Leave if the search is over or the game is drawn.
        self.frame_mut(ply).pv.clear();
        if self.must_stop() {
            return DRAW;
        }
        self.selective_depth = self.selective_depth.max(ply + 1);
        if self.is_draw(ply) {
            return self.draw();
        }
        if ply >= MAX_PLY - 1 {
            return self.leaf(ply);
        }
        if alpha < DRAW && self.can_repeat(ply) {
            alpha = self.draw();
            if alpha >= beta {
                return alpha;
            }
        }
        let shared = self.shared;
        let p = shared.params;

        // Step 2. Ask the table.
        let position = self.position(ply);
        let in_check = position.is_check();
        let key = position.key();
        let entry = self.look_up(ply);
        let table_pv = PV || entry.is_some_and(|e| e.pv);
        if !PV && let Some(entry) = entry {
            let fits =
                if entry.value >= beta { entry.bound.is_lower() } else { entry.bound.is_upper() };
            if fits && (entry.value >= beta || entry.value <= alpha) {
                return entry.value;
            }
        }

        // Step 3. Doing nothing is an option, unless in check.
        let mut best = -INFINITE;
        let mut raw = NONE;
        let mut reach = -INFINITE;
        if in_check {
            self.frame_mut(ply).static_eval = NONE;
        } else {
            raw = match entry {
                Some(entry) if entry.eval != NONE => entry.eval,
                _ => self.evaluate(ply),
            };
            let (static_eval, _) = self.corrected(ply, raw);
            self.frame_mut(ply).static_eval = static_eval;
            best = static_eval;
            if let Some(entry) = entry {
                best = refined(best, &entry);
            }
            if best >= beta {
                best = blended(best, beta, 1);
                if entry.is_none() {
                    let stand = Entry {
                        m: None,
                        value: best,
                        eval: raw,
                        depth: -1,
                        bound: Bound::Lower,
                        pv: table_pv,
                    };
                    self.remember(key, ply, stand);
                }
                return best;
            }
            alpha = alpha.max(best);
            reach = static_eval + p.delta_margin;
        }

        // Step 4. Try the forcing moves.
        let position = self.position(ply);
        let hash = entry.and_then(|e| e.m);
        let checks = Checks::new(position);
        let rows = self.rows(ply);
        let bottom = self.moves.len();
        let mut picker = Picker::quiescence(position, hash, first, bottom);
        if in_check || first {
            self.frame_mut(ply).threats = Threats::new(self.position(ply));
        }
        let last_target = self.before(ply, 1).played.map(chess::Move::to);
        let mut best_move = None;
        let mut count = 0;
        while let Some(m) = self.pick(&mut picker, ply, &checks, rows, false) {
            self.prefetch(ply, m);
            if !in_check && self.overlooks(ply, m) {
                continue;
            }
            count += 1;
            let position = self.position(ply);
            let quiet = !is_tactical(position, m);
            if !is_lost(best) {
                // Step 5. Skip what can't lift the score over alpha, or only loses material.
                if !in_check {
                    let gives_check = checks.given_by(position, m);
                    if !gives_check
                        && Some(m.to()) != last_target
                        && m.promotion().is_none()
                        && !is_lost(reach)
                    {
                        if count > 3 {
                            continue;
                        }
                        let value = reach + captured(position, m);
                        if value <= alpha {
                            best = best.max(value);
                            continue;
                        }
                        if reach <= alpha && !wins_at_least(position, m, 1) {
                            best = best.max(reach);
                            continue;
                        }
                    }
                    let least = if quiet { 0 } else { -p.quiescence_see };
                    if !wins_at_least(position, m, least) {
                        continue;
                    }
                } else if quiet && count > 2 {
                    // One or two quiet evasions tell whether the check hurts.
                    continue;
                }
            }
            self.play(ply, m, quiet);
            let value = -self.quiescence::<PV>(ply + 1, -beta, -alpha, false);
            self.undo();
            if self.over() {
                self.moves.truncate(bottom);
                return DRAW;
            }
            if value > best {
                best = value;
                if value > alpha {
                    best_move = Some(m);
                    if PV {
                        self.extend_pv(ply, m);
                    }
                    if value >= beta {
                        break;
                    }
                    alpha = value;
                }
            }
        }
        self.moves.truncate(bottom);
        if in_check && count == 0 {
            return mated_in(ply);
        }

        // Step 6. Remember the result.
        if best >= beta {
            best = blended(best, beta, 1);
        }
        let bound = if best >= beta { Bound::Lower } else { Bound::Upper };
        self.remember(
            key,
            ply,
            Entry { m: best_move, value: best, eval: raw, depth: 0, bound, pv: table_pv },
        );
        best
    }
}
