//! The main search: a table of contents of numbered steps.

use arrayvec::ArrayVec;
use chess::{Move, Role};

use super::checks::{Checks, Threats};
use super::extend::{Singularity, may_be_singular, singular_beta, singularity};
use super::picker::Picker;
use super::prune::{
    Node, discredited, futile_capture, futile_quiet, is_hopeless, late_moves, reverse_futility,
};
use super::reduce::{Signs, adjustment};
use super::see::{captured, is_tactical, victim, wins_at_least};
use super::tt::{Bound, Entry};
use super::value::{
    DRAW, INFINITE, MAX_PLY, NONE, Value, from_table, is_decisive, is_lost, mate_in, mated_in,
    to_table,
};
use super::worker::Worker;

/// Moves of one node that were tried without success.
pub(crate) type Tried = ArrayVec<Move, 32>;

/// A move about to be searched.
#[derive(Copy, Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts about a move")]
struct Candidate {
    m: Move,
    /// Its number, from 1.
    count: i32,
    quiet: bool,
    /// What statistics say about it.
    history: i32,
    /// Depth after it, before reductions.
    depth: i32,
    /// The table's move is a capture.
    table_capture: bool,
    /// The node is, or once was, on the principal variation.
    table_pv: bool,
    killer: bool,
}

impl Worker<'_> {
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
        let position = self.position(ply);
        let in_check = position.is_check();
        let halfmoves = position.halfmoves();
        let key = position.key();
        let entry = shared.table.probe(key).map(|entry| Entry {
            // The entry may belong to another position with the same bits.
            m: entry.m.filter(|&m| position.is_legal(m)),
            value: from_table(entry.value, ply, halfmoves),
            ..entry
        });
        let hash = if root { Some(self.root[self.pv_index].m) } else { entry.and_then(|e| e.m) };
        let table_pv = PV || entry.is_some_and(|e| e.pv);
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
        let mut raw = NONE;
        let mut static_eval = NONE;
        let mut eval = NONE;
        if in_check {
            self.frame_mut(ply).static_eval = NONE;
        } else if excluded.is_some() {
            static_eval = self.frame(ply).static_eval;
            eval = static_eval;
        } else {
            raw = match entry {
                Some(entry) if entry.eval != NONE => entry.eval,
                _ => self.evaluate(ply),
            };
            static_eval = self.corrected(ply, raw);
            eval = static_eval;
            if let Some(entry) = entry
                && !is_decisive(entry.value)
                && (entry.value > eval && entry.bound.is_lower()
                    || entry.value < eval && entry.bound.is_upper())
            {
                eval = entry.value;
            }
            self.frame_mut(ply).static_eval = static_eval;
            if entry.is_none() {
                let empty = Entry {
                    m: None,
                    value: 0,
                    eval: raw,
                    depth: -7,
                    bound: Bound::None,
                    pv: table_pv,
                };
                shared.table.store(key, empty);
            }
        }
        let improving = self.is_improving(ply, static_eval);
        if !in_check && excluded.is_none() {
            self.judge_last_move(ply, static_eval);
            depth += self.second_thoughts(ply, depth, static_eval);
        }

        let mut node =
            Node { pv: PV, cut, in_check, improving, depth, alpha, beta, static_eval, eval };

        // Step 6. Look for reasons to leave the node without trying its moves.
        if excluded.is_none() {
            if is_hopeless(&node, p) {
                let value = self.quiescence::<false>(ply, alpha, alpha + 1, true);
                if value <= alpha && !is_decisive(value) {
                    return value;
                }
            }
            if let Some(value) = reverse_futility(&node, p) {
                return value;
            }
            if let Some(value) = self.null_move(ply, &node) {
                return value;
            }
            // Step 7. Without a table move a deep search is better spent after a shallower one.
            if (PV || cut) && node.depth >= p.iir_depth && hash.is_none() {
                node.depth -= 1;
            }
            if let Some(value) = self.probcut(ply, &node, hash, entry.as_ref()) {
                return value;
            }
        }
        let depth = node.depth;

        // Step 8. Try the moves.
        let position = self.position(ply);
        let threats = Threats::new(position);
        let checks = Checks::new(position);
        let us = position.turn();
        let has_pieces =
            (position.color(us) - position.role(Role::Pawn) - position.role(Role::King)).any();
        let table_capture = hash.is_some_and(|m| is_tactical(position, m));
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
                self.root.get(self.pv_index + count as usize).map(|root| root.m)
            } else {
                self.pick(&mut picker, ply, &checks, rows, skip_quiets)
            };
            let Some(m) = m else { break };
            if Some(m) == excluded {
                continue;
            }
            count += 1;
            let depth = node.depth;
            let position = self.position(ply);
            let piece = position.piece_on(m.from()).expect("a legal move has a piece");
            let quiet = !is_tactical(position, m);
            let histories = &self.own.histories;
            let history = if quiet {
                histories.quiet(us, &threats, m)
                    + histories.continuation(rows[0], piece, m)
                    + histories.continuation(rows[1], piece, m)
                    + histories.pawn(position, piece, m)
            } else {
                victim(position, m).map_or(0, |role| histories.capture(piece, m, role))
            };

            // Step 9. Skip moves that can't matter, once there is one that doesn't lose.
            if !root && has_pieces && !is_lost(best) {
                let base = self.reductions.base(depth, count, quiet) / 1024;
                let reduced = (depth - 1 - base + history / 8_192).max(0);
                if count >= late_moves(&node, p) {
                    skip_quiets = true;
                }
                if quiet {
                    if discredited(reduced, history, p) {
                        continue;
                    }
                    if let Some(reach) = futile_quiet(&node, reduced, history, p)
                        && !checks.given_by(position, m)
                    {
                        if !is_decisive(best) && best < reach {
                            best = reach;
                        }
                        continue;
                    }
                    if reduced <= p.see_depth
                        && !wins_at_least(position, m, -p.see_quiet * reduced * reduced)
                    {
                        continue;
                    }
                } else {
                    let taken = captured(position, m);
                    if futile_capture(&node, reduced, taken, history, p)
                        && !checks.given_by(position, m)
                    {
                        continue;
                    }
                    if depth <= p.see_depth
                        && !wins_at_least(position, m, -p.see_capture * depth - history / 32)
                    {
                        continue;
                    }
                }
            }

            // Step 10. Extend what is forced.
            let mut extension = 0;
            let early = ply < 2 * self.root_depth as usize;
            if !root
                && early
                && Some(m) == hash
                && excluded.is_none()
                && let Some(entry) = entry.filter(|entry| may_be_singular(entry, depth, p))
            {
                match self.try_singular(ply, m, &entry, &node) {
                    Singularity::Extend(plies) => extension = plies,
                    Singularity::MultiCut(value) => {
                        self.moves.truncate(bottom);
                        return value;
                    }
                }
                // The search without the move used this frame.
                self.frame_mut(ply).threats = threats;
            }
            if extension == 0
                && early
                && depth <= p.check_extension_depth
                && checks.given_by(self.position(ply), m)
                && wins_at_least(self.position(ply), m, 0)
            {
                extension = 1;
            }

            // Step 11. Search the move.
            let candidate = Candidate {
                m,
                count,
                quiet,
                history,
                depth: depth - 1 + extension,
                table_capture,
                table_pv,
                killer: killers.contains(&Some(m)),
            };
            let nodes = self.nodes;
            let value = self.search_move::<PV>(ply, &candidate, &node);
            if self.over() {
                self.moves.truncate(bottom);
                return DRAW;
            }
            if root {
                let spent = self.nodes - nodes;
                self.judge_root_move(m, value, alpha, beta, count == 1, spent);
            }

            // Step 12. Is it the best so far, or even too good to be allowed?
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
                    if (3..=12).contains(&node.depth) && !is_decisive(value) && PV {
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

        // Step 13. No move: mate or stalemate; without the excluded move nothing is said.
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

        // Step 14. Learn from the result.
        let bound = if best >= beta {
            Bound::Lower
        } else if PV && best_move.is_some() {
            Bound::Exact
        } else {
            Bound::Upper
        };
        if let Some(m) = best_move {
            self.learn_from_best(ply, m, &quiets, &captures, depth, rows);
        } else {
            self.credit_last_move(ply, depth);
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
                table_capture: c.table_capture,
                gives_check: self.position(next).is_check(),
                killer: c.killer,
                many_cutoffs: self.frame(next).cutoffs > 3,
                history: c.history,
            };
            let r = self.reductions.base(node.depth, c.count, c.quiet) + adjustment(&signs, p);
            let reduced = (depth - r / 1024).clamp(1, depth + i32::from(PV));
            self.frame_mut(ply).reduction = depth - reduced;
            value = -self.alphabeta::<false>(next, -alpha - 1, -alpha, reduced, true);
            self.frame_mut(ply).reduction = 0;
            searched = true;
            if value > alpha && reduced < depth {
                // How much better it is decides how deep it is looked at again.
                depth += i32::from(value > alpha + p.lmr_deeper + 2 * depth)
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

    /// Whether the value in the table decides the node.
    fn table_cutoff(
        &mut self,
        ply: usize,
        entry: &Entry,
        alpha: Value,
        beta: Value,
        depth: i32,
        cut: bool,
    ) -> Option<Value> {
        let enough = entry.depth >= depth + i32::from(entry.value > beta);
        let fits =
            if entry.value >= beta { entry.bound.is_lower() } else { entry.bound.is_upper() };
        let beyond = entry.value >= beta || entry.value <= alpha;
        let expected = cut == (entry.value >= beta) || depth > 5;
        // Near the fifty-move rule the same position is worth something else.
        if !(enough && fits && beyond && expected) || self.position(ply).halfmoves() >= 90 {
            return None;
        }
        if let Some(m) = entry.m
            && entry.value >= beta
            && !is_tactical(self.position(ply), m)
        {
            let rows = self.rows(ply);
            self.credit_table_move(ply, m, depth, rows);
        }
        Some(entry.value)
    }

    /// Searches all moves but the table's, to see how far it stands out.
    fn try_singular(&mut self, ply: usize, m: Move, entry: &Entry, node: &Node) -> Singularity {
        let p = self.shared.params;
        let target = singular_beta(entry, node.depth, node.pv, p);
        self.frame_mut(ply).excluded = Some(m);
        let depth = (node.depth - 1) / 2;
        let value = self.alphabeta::<false>(ply, target - 1, target, depth, node.cut);
        self.frame_mut(ply).excluded = None;
        singularity(value, target, node.beta, entry.value, node.pv, node.cut, p)
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
    fn is_improving(&self, ply: usize, static_eval: Value) -> bool {
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
    fn second_thoughts(&self, ply: usize, depth: i32, static_eval: Value) -> i32 {
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

    /// Writes what was found out into the table.
    pub(crate) fn remember(&self, key: u64, ply: usize, entry: Entry) {
        self.shared.table.store(key, Entry { value: to_table(entry.value, ply), ..entry });
    }
}
