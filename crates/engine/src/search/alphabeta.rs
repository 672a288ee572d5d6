//! The main search: a table of contents of numbered steps.

use arrayvec::ArrayVec;
use chess::Move;

use super::appraise::Appraisal;
use super::checks::{Checks, Threats};
use super::extend::{Singularity, is_safe_check, may_be_singular, singular_beta, singularity};
use super::picker::Picker;
use super::prune::{Node, late_moves};
use super::reduce::{Signs, adjustment};
use super::see::is_tactical;
use super::skip::has_pieces;
use super::tt::{Bound, Entry};
use super::value::{
    DRAW, INFINITE, MAX_PLY, NONE, Value, blended, is_decisive, is_lost, mate_in, mated_in,
};
use super::worker::Worker;

/// Moves of one node that were tried without success.
pub(crate) type Tried = ArrayVec<Move, 32>;

/// A move about to be searched.
#[derive(Copy, Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts about a move")]
pub(crate) struct Candidate {
    pub(crate) m: Move,
    /// Its number, from 1.
    pub(crate) count: i32,
    pub(crate) quiet: bool,
    /// What statistics say about it.
    pub(crate) history: i32,
    /// Depth after it, before reductions.
    depth: i32,
    /// The table's move is a capture.
    table_capture: bool,
    /// The node is, or once was, on the principal variation.
    table_pv: bool,
    killer: bool,
    no_hash: bool,
    /// The value and the depth of the table's entry.
    known: Option<(Value, i32)>,
}

impl<const LIMITED: bool> Worker<'_, LIMITED> {
    /// The value of the node at `ply` if it lies between alpha and beta, else a bound of it.
    ///
    /// `PV`: the window is open, the node may be on the principal variation. `cut`: we expect the
    /// first moves to fail high.
    #[expect(clippy::too_many_lines, reason = "it is the table of contents")]
    pub(crate) fn alphabeta<const PV: bool>(
        &mut self,
        ply: usize,
        mut alpha: Value,
        mut beta: Value,
        depth: i32,
        cut: bool,
    ) -> Value {
        // Step 1. At the horizon only captures are looked at.
        if depth <= 0 {
            return self.quiescence::<PV>(ply, alpha, beta, true);
        }
        let root = PV && ply == 0;
        let mut depth = depth.min(MAX_PLY as i32 - 1);
        self.frame_mut(ply).pv.clear();

        // Step 2. Leave if the search is over, the game is drawn, or a shorter mate is known.
        if self.must_stop() {
            return DRAW;
        }
        self.selective_depth = self.selective_depth.max(ply + 1);
        if !root {
            if self.is_draw(ply) {
                return self.draw();
            }
            if ply >= MAX_PLY - 1 {
                return self.leaf(ply);
            }
            if alpha < DRAW && self.can_repeat(ply) {
                alpha = self.draw();
            }
            alpha = alpha.max(mated_in(ply));
            beta = beta.min(mate_in(ply + 1));
            if alpha >= beta {
                return alpha;
            }
        }
        let shared = self.shared;
        let p = shared.params;
        let excluded = self.frame(ply).excluded;

        // Step 3. Ask the table.
        let in_check = self.position(ply).is_check();
        let key = self.position(ply).key();
        let entry = self.look_up(ply);
        let hash = if root { Some(self.root[self.pv_index].m) } else { entry.and_then(|e| e.m) };
        let mut table_pv = PV || entry.is_some_and(|e| e.pv);
        self.frame_mut(ply).table_pv = table_pv;
        if !PV
            && excluded.is_none()
            && let Some(entry) = entry
            && let Some(value) = self.table_cutoff(ply, &entry, alpha, beta, depth, cut)
        {
            return value;
        }

        // Step 4. Ask the tablebases.
        let mut best = -INFINITE;
        let mut ceiling = INFINITE;
        if !root
            && excluded.is_none()
            && let Some((value, bound)) = self.probe_tablebases(ply)
        {
            let decided = match bound {
                Bound::Lower => value >= beta,
                Bound::Upper => value <= alpha,
                _ => true,
            };
            if decided {
                let depth = (depth + 6).min(MAX_PLY as i32 - 1);
                let entry = Entry { m: None, value, eval: NONE, depth, bound, pv: table_pv };
                self.remember(key, ply, entry);
                return value;
            }
            if PV && bound == Bound::Lower {
                best = value;
                alpha = alpha.max(value);
            } else if PV {
                ceiling = value;
            }
        }

        // Step 5. Evaluate.
        let Appraisal { raw, static_eval, eval, correction } =
            self.appraise(ply, entry.as_ref(), table_pv);
        let improvement = self.improvement(ply, static_eval);
        if !in_check && excluded.is_none() {
            self.judge_last_move(ply, static_eval);
            depth += self.second_thoughts(ply, depth, static_eval);
        }
        let table_capture = hash.is_some_and(|m| is_tactical(self.position(ply), m));
        let quiet_hash = hash.is_some() && !table_capture;
        let mut node = Node {
            pv: PV,
            cut,
            in_check,
            table_pv,
            quiet_hash,
            improving: improvement > 0,
            improvement,
            correction,
            depth,
            alpha,
            beta,
            static_eval,
            eval,
        };

        // Step 6. Look for reasons to leave the node without trying its moves.
        if excluded.is_none()
            && let Some(value) = self.decide_early(ply, &mut node, hash, entry.as_ref(), raw)
        {
            return value;
        }
        let depth = node.depth;

        // Step 7. Try the moves, the most promising first.
        let position = self.position(ply);
        let threats = Threats::new(position);
        let checks = Checks::new(position);
        let has_pieces = has_pieces(position);
        let rows = self.rows(ply);
        let killers = self.frame(ply).killers;
        let bottom = self.moves.len();
        let mut picker = Picker::new(position, hash, killers, bottom);
        self.frame_mut(ply).threats = threats;
        self.frame_mut(ply + 1).killers = [None; 2];
        self.frame_mut(ply + 2).cutoffs = 0;

        let mut best_move = None;
        let mut count = 0;
        let mut skip_quiets = false;
        let mut quiets = Tried::new();
        let mut captures = Tried::new();
        loop {
            let m = if root {
                // By rank the best come first; worse ones can't be chosen.
                let rank = self.root[self.pv_index].rank;
                let next = self.root.get(self.pv_index + count as usize);
                next.filter(|next| next.rank == rank).map(|next| next.m)
            } else {
                self.pick(&mut picker, ply, &checks, rows, skip_quiets)
            };
            let Some(m) = m else { break };
            self.prefetch(ply, m);
            let must_see = count == 0 || root || in_check || is_lost(best);
            if Some(m) == excluded || !must_see && self.overlooks(ply, m) {
                continue;
            }
            count += 1;
            let quiet = !is_tactical(self.position(ply), m);
            let mut candidate = Candidate {
                m,
                count,
                quiet,
                history: self.standing(ply, m, quiet, rows),
                depth: node.depth - 1,
                table_capture,
                table_pv,
                killer: killers.contains(&Some(m)),
                no_hash: hash.is_none(),
                known: entry.filter(|e| e.bound != Bound::None).map(|e| (e.value, e.depth)),
            };

            // Step 8. Skip moves that can't matter, once there is one that doesn't lose.
            if !root && has_pieces && !is_lost(best) {
                skip_quiets |= count >= late_moves(&node, p);
                if self.is_negligible(ply, &candidate, &node, &checks, &mut best) {
                    continue;
                }
            }

            // Step 9. Extend what is forced.
            let early = ply < 2 * self.root_depth as usize;
            if !root
                && early
                && Some(m) == hash
                && excluded.is_none()
                && let Some(entry) = entry.filter(|entry| may_be_singular(entry, node.depth, p))
            {
                let verdict = self.try_singular(ply, m, &entry, &node);
                if self.over() {
                    self.moves.truncate(bottom);
                    return DRAW;
                }
                match verdict {
                    Singularity::Extend(plies) => candidate.depth += plies,
                    Singularity::MultiCut(value) => {
                        self.moves.truncate(bottom);
                        return value;
                    }
                }
            }
            if candidate.depth == node.depth - 1
                && early
                && is_safe_check(self.position(ply), m, node.depth, &checks, p)
            {
                candidate.depth += 1;
            }

            // Step 10. Search the move.
            let nodes = self.nodes;
            self.frame_mut(ply).count = count;
            let value = self.search_move::<PV>(ply, &candidate, &node);
            if self.over() {
                self.moves.truncate(bottom);
                return DRAW;
            }
            if root {
                let spent = self.nodes - nodes;
                self.judge_root_move(m, value, alpha, beta, count == 1, spent);
            }

            // Step 11. Is it the best so far, or even too good to be allowed?
            if value > best {
                best = value;
                if value > alpha {
                    best_move = Some(m);
                    if PV {
                        self.extend_pv(ply, m);
                    }
                    if value >= beta {
                        self.frame_mut(ply).cutoffs += 1;
                        break;
                    }
                    alpha = value;
                    node.alpha = value;
                    // The rest only has to be shown to be worse.
                    let middling = (p.raised_from..=p.raised_to).contains(&node.depth);
                    if PV && middling && !is_decisive(value) {
                        node.depth -= 1;
                    }
                }
            }
            let tried = if quiet { &mut quiets } else { &mut captures };
            if best_move != Some(m) && !tried.is_full() {
                tried.push(m);
            }
        }
        self.moves.truncate(bottom);

        // Step 12. No move: mate or stalemate; without the excluded move nothing is said.
        if count == 0 {
            return if excluded.is_some() {
                alpha
            } else if in_check {
                mated_in(ply)
            } else {
                DRAW
            };
        }
        best = best.min(ceiling);
        if best >= beta {
            best = blended(best, beta, depth);
        }

        // Step 13. Learn from the result.
        let bound = if best >= beta {
            Bound::Lower
        } else if PV && best_move.is_some() {
            Bound::Exact
        } else {
            Bound::Upper
        };
        if let Some(m) = best_move {
            self.learn_from_best(ply, m, &quiets, &captures, depth, rows);
            if !root && best >= beta {
                self.blame_last_move(ply, depth);
            }
        } else {
            if !root {
                self.credit_last_move(ply, depth, best);
            }
            // The line here was once on the principal variation, and its refutation may be, too.
            table_pv |= depth > 3 && self.before(ply, 1).table_pv;
        }
        if excluded.is_none() && !(root && self.pv_index > 0) {
            self.remember(
                key,
                ply,
                Entry { m: best_move, value: best, eval: raw, depth, bound, pv: table_pv },
            );
        }
        let quiet_best = best_move.is_none_or(|m| !is_tactical(self.position(ply), m));
        if !in_check && excluded.is_none() && quiet_best {
            self.learn_correction(ply, depth, best, static_eval, bound);
        }
        best
    }

    /// Plays a move and searches the position after it: reduced first if it comes late, then with
    /// a closed window, then with the open one.
    fn search_move<const PV: bool>(&mut self, ply: usize, c: &Candidate, node: &Node) -> Value {
        let p = self.shared.params;
        let root = PV && ply == 0;
        let (alpha, beta) = (node.alpha, node.beta);
        let mut depth = c.depth;
        self.play(ply, c.m, c.quiet);
        let next = ply + 1;
        let mut value = NONE;
        let mut searched = false;

        // Late moves are reduced by what their number and the signs say.
        if node.depth >= 2 && c.count > 1 + i32::from(root) {
            let signs = Signs {
                quiet: c.quiet,
                cut: node.cut,
                pv: c.table_pv,
                improving: node.improving,
                improvement: node.improvement,
                correction: node.correction,
                no_hash: c.no_hash,
                table_high: c.known.is_some_and(|(value, _)| value > alpha),
                table_deep: c.known.is_some_and(|(_, depth)| depth >= node.depth),
                table_capture: c.table_capture,
                gives_check: self.position(next).is_check(),
                killer: c.killer,
                many_cutoffs: self.frame(next).cutoffs > 3,
                history: c.history,
            };
            let r = self.reductions.base(node.depth, c.count, c.quiet, p) + adjustment(&signs, p);
            let reduced = (depth - r / 1024).clamp(1, depth + i32::from(PV));
            self.frame_mut(ply).reduction = depth - reduced;
            value = -self.alphabeta::<false>(next, -alpha - 1, -alpha, reduced, true);
            self.frame_mut(ply).reduction = 0;
            searched = true;
            if value > alpha && reduced < depth {
                // How much better it is decides how deep it is looked at again.
                depth += i32::from(value > alpha + p.lmr_deeper + p.lmr_deeper_slope * depth)
                    - i32::from(value < alpha + depth && !root);
                if depth > reduced {
                    value = -self.alphabeta::<false>(next, -alpha - 1, -alpha, depth, !node.cut);
                }
                if c.quiet && !self.over() {
                    self.credit_answer(ply, c.m, value, alpha, beta, depth);
                }
            }
        } else if !PV || c.count > 1 {
            value = -self.alphabeta::<false>(next, -alpha - 1, -alpha, depth, !node.cut);
            searched = true;
        }
        if PV && (!searched || c.count == 1 || value > alpha) {
            value = -self.alphabeta::<true>(next, -beta, -alpha, depth, false);
        }
        self.undo();
        value
    }

    /// Searches all moves but the table's, to see how far it stands out.
    fn try_singular(&mut self, ply: usize, m: Move, entry: &Entry, node: &Node) -> Singularity {
        let p = self.shared.params;
        let target = singular_beta(entry, node.depth, node.pv, p);
        self.frame_mut(ply).excluded = Some(m);
        let depth = (node.depth - 1) / 2;
        let value = self.alphabeta::<false>(ply, target - 1, target, depth, node.cut);
        self.frame_mut(ply).excluded = None;
        singularity(value, target, depth, entry.value, node, p)
    }
}
