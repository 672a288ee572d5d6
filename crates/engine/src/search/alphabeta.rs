//! The main search (principal variation search), as a table of contents of numbered steps.

use super::checks::{Checks, Threats};
use super::extend::{Singularity, is_safe_check, may_be_singular, singular_beta, singularity};
use super::node::{Candidate, MoveLoop, Node, Tried};
use super::picker::Picker;
use super::reduce::{Signs, adjustment, alpha_raise_reduction, research_depth};
use super::see::is_tactical;
use super::skip::has_pieces;
use super::tt::{Bound, Entry};
use super::value::{DRAW, MAX_PLY, NONE, Value, is_lost, mate_in, mated_in};
use super::worker::Worker;

/// With more beta cutoffs than this among the replies to other moves, a move is likely refuted, too.
const FEW_CUTOFFS: i32 = 3;

impl<const LIMITED: bool> Worker<'_, LIMITED> {
    /// The value of the node at `ply` if it is between alpha and beta, else a bound on it (fail
    /// soft).
    ///
    /// `PV`: the window is open, the node may be on the principal variation. `cut`: an expected cut
    /// node, where the first moves should fail high.
    pub(crate) fn alphabeta<const PV: bool>(
        &mut self,
        ply: usize,
        alpha: Value,
        beta: Value,
        depth: i32,
        cut: bool,
    ) -> Value {
        // Step 1. At the horizon, drop into quiescence search.
        if depth <= 0 {
            return self.quiescence::<PV>(ply, alpha, beta, true);
        }
        let root = PV && ply == 0;
        let mut node = Node::new(PV, cut, alpha, beta, depth.min(MAX_PLY as i32 - 1));

        // Step 2. Return if the search is over, the game is drawn, or a shorter mate is known.
        if let Some(value) = self.leave_at_once::<PV>(ply, &mut node) {
            return value;
        }
        // Step 3. Probe the transposition table.
        if let Some(value) = self.ask_table::<PV>(ply, &mut node) {
            return value;
        }
        // Step 4. Probe the tablebases.
        if !root && let Some(value) = self.ask_tablebases(ply, &mut node) {
            return value;
        }
        // Step 5. Evaluate.
        self.evaluate_node(ply, &mut node);

        // Step 6. Prune the node before trying its moves.
        if let Some(value) = self.decide_early(ply, &mut node) {
            return value;
        }

        // Step 7. Try the moves, most promising first.
        let bottom = self.moves.len();
        let mut moves = self.move_loop(ply, &node);
        let decided = loop {
            let Some(mut candidate) = self.next_candidate::<PV>(ply, &node, &mut moves) else {
                break None;
            };
            // Step 8. Prune moves that can't matter, once there is one that doesn't lose.
            if !root && self.is_negligible(ply, &candidate, &mut node, &mut moves) {
                continue;
            }
            // Step 9. Extend forced moves.
            if let Some(value) = self.extend::<PV>(ply, &mut candidate, &node, &moves.checks) {
                break Some(value);
            }
            // Step 10. Search the move.
            let value = self.search_move::<PV>(ply, &candidate, &node);
            if self.over() {
                break Some(DRAW);
            }
            // Step 11. Is it the best so far, or does it fail high?
            if self.fails_high::<PV>(ply, &candidate, value, &mut node, &mut moves) {
                break None;
            }
        };
        self.moves.truncate(bottom);
        if let Some(value) = decided {
            return value;
        }

        // Step 12. No moves: mate or stalemate.
        if moves.count == 0 {
            return node.value_without_moves(ply);
        }
        // Step 13. Update the table and the histories.
        self.conclude::<PV>(ply, &node, &moves)
    }

    /// Returns from the node if the search is over or the game is drawn. Narrows the window: by a
    /// draw if the side to move can repeat a position, and by the shortest possible mate ("mate
    /// distance pruning").
    #[inline]
    fn leave_at_once<const PV: bool>(&mut self, ply: usize, node: &mut Node) -> Option<Value> {
        self.frame_mut(ply).pv.clear();
        if self.must_stop() {
            return Some(DRAW);
        }
        self.selective_depth = self.selective_depth.max(ply + 1);
        if PV && ply == 0 {
            return None;
        }
        if self.is_draw(ply) {
            return Some(self.draw());
        }
        if ply >= self.shared.longest {
            return Some(self.leaf(ply));
        }
        if node.alpha < DRAW && self.can_repeat(ply) {
            node.alpha = self.draw();
        }
        node.alpha = node.alpha.max(mated_in(ply));
        node.beta = node.beta.min(mate_in(ply + 1));
        (node.alpha >= node.beta).then_some(node.alpha)
    }

    /// Prepares the move loop of a node.
    #[inline]
    fn move_loop(&mut self, ply: usize, node: &Node) -> MoveLoop {
        let frame = self.frame(ply);
        let position = &frame.position;
        let threats = Threats::new(position);
        let moves = MoveLoop {
            picker: Picker::new(position, node.hash, frame.killers, self.moves.len()),
            checks: Checks::new(position),
            rows: self.rows(ply),
            has_pieces: has_pieces(position),
            depth: node.depth,
            count: 0,
            skip_quiets: false,
            best_move: None,
            quiets: Tried::new(),
            captures: Tried::new(),
        };
        self.frame_mut(ply).threats = threats;
        self.frame_mut(ply + 1).killers = [None; 2];
        self.frame_mut(ply + 2).cutoffs = 0;
        moves
    }

    /// The next move of the node; a limited player doesn't see all of them.
    #[inline]
    fn next_candidate<const PV: bool>(
        &mut self,
        ply: usize,
        node: &Node,
        moves: &mut MoveLoop,
    ) -> Option<Candidate> {
        let root = PV && ply == 0;
        loop {
            let m = if root {
                // Moves are sorted by tablebase rank; worse ones can't be chosen.
                let rank = self.root[self.pv_index].rank;
                let next = self.root.get(self.pv_index + moves.count as usize);
                next.filter(|next| next.rank == rank).map(|next| next.m)?
            } else {
                let MoveLoop { picker, checks, rows, skip_quiets, .. } = moves;
                self.pick(picker, ply, checks, *rows, *skip_quiets)?
            };
            self.prefetch(ply, m);
            let must_see = moves.count == 0 || root || node.in_check || is_lost(node.best);
            if Some(m) == node.excluded || !must_see && self.overlooks(ply, m) {
                continue;
            }
            moves.count += 1;
            let quiet = !is_tactical(self.position(ply), m);
            return Some(Candidate {
                m,
                count: moves.count,
                quiet,
                history: self.stat_score(ply, m, quiet, moves.rows),
                depth: node.depth - 1,
                killer: moves.picker.is_killer(m),
            });
        }
    }

    /// Extends a singular move and a safe check. Returns a value if that decides the node: other
    /// moves are as good ("multi-cut"), or the search is over.
    #[inline]
    fn extend<const PV: bool>(
        &mut self,
        ply: usize,
        c: &mut Candidate,
        node: &Node,
        checks: &Checks,
    ) -> Option<Value> {
        let p = self.shared.params;
        let root = PV && ply == 0;
        // No extensions where the line is twice as long as the iteration is deep.
        if ply >= 2 * self.root_depth as usize {
            return None;
        }
        if !root
            && Some(c.m) == node.hash
            && node.excluded.is_none()
            && let Some(entry) = &node.entry
            && may_be_singular(entry, node.depth, p)
        {
            let verdict = self.try_singular(ply, c, entry, node);
            if self.over() {
                return Some(DRAW);
            }
            match verdict {
                Singularity::Extend(plies) => c.depth += plies,
                Singularity::MultiCut(value) => return Some(value),
            }
        }
        if c.depth == node.depth - 1
            && is_safe_check(self.position(ply), c.m, node.depth, checks, p)
        {
            c.depth += 1;
        }
        None
    }

    /// Searches all moves but the TT move, to see how far it stands out.
    fn try_singular(
        &mut self,
        ply: usize,
        c: &Candidate,
        entry: &Entry,
        node: &Node,
    ) -> Singularity {
        let p = self.shared.params;
        let target = singular_beta(entry, node.depth, node.pv, p);
        self.frame_mut(ply).excluded = Some(c.m);
        let depth = (node.depth - 1) / 2;
        let value = self.alphabeta::<false>(ply, target - 1, target, depth, node.cut);
        self.frame_mut(ply).excluded = None;
        singularity(value, target, depth, entry.value, node, p)
    }

    /// Makes a move and searches the position after it: reduced first if it is late, then with a
    /// null window, then with the full one.
    fn search_move<const PV: bool>(&mut self, ply: usize, c: &Candidate, node: &Node) -> Value {
        let root = PV && ply == 0;
        let (alpha, beta) = (node.alpha, node.beta);
        let nodes = self.nodes;
        let mut depth = c.depth;
        self.frame_mut(ply).count = c.count;
        self.play(ply, c.m, c.quiet);
        let next = ply + 1;
        let mut value = NONE;

        // Late move reductions: by the move's number and other signs.
        if node.depth >= 2 && c.count > 1 + i32::from(root) {
            let p = self.shared.params;
            let r = self.reductions.base(node.depth, c.count, c.quiet, p)
                + adjustment(&self.signs(ply, c, node), p);
            let reduced = (depth - r / 1024).clamp(1, depth + i32::from(PV));
            self.frame_mut(ply).reduction = depth - reduced;
            value = -self.alphabeta::<false>(next, -alpha - 1, -alpha, reduced, true);
            self.frame_mut(ply).reduction = 0;
            if value > alpha && reduced < depth {
                // How much better it is decides the depth of the re-search.
                depth = research_depth(depth, value, alpha, root, p);
                if depth > reduced {
                    value = -self.alphabeta::<false>(next, -alpha - 1, -alpha, depth, !node.cut);
                }
                if c.quiet && !self.over() {
                    self.credit_answer(ply, c.m, value, alpha, beta, depth);
                }
            }
        } else if !PV || c.count > 1 {
            value = -self.alphabeta::<false>(next, -alpha - 1, -alpha, depth, !node.cut);
        }
        if PV && (c.count == 1 || value > alpha) {
            value = -self.alphabeta::<true>(next, -beta, -alpha, depth, false);
        }
        self.undo();
        if root && !self.over() {
            self.judge_root_move(c.m, value, alpha, beta, c.count == 1, self.nodes - nodes);
        }
        value
    }

    /// The signs for and against reducing a move that has just been made.
    #[inline]
    fn signs(&self, ply: usize, c: &Candidate, node: &Node) -> Signs {
        let known = node.entry.filter(|entry| entry.bound != Bound::None);
        Signs {
            quiet: c.quiet,
            cut: node.cut,
            pv: node.table_pv,
            improving: node.improving,
            improvement: node.improvement,
            correction: node.correction,
            no_hash: node.hash.is_none(),
            table_high: known.is_some_and(|entry| entry.value > node.alpha),
            table_deep: known.is_some_and(|entry| entry.depth >= node.depth),
            table_capture: node.tactical_hash,
            gives_check: self.position(ply + 1).is_check(),
            killer: c.killer,
            many_cutoffs: self.frame(ply + 1).cutoffs > FEW_CUTOFFS,
            history: c.history,
        }
    }

    /// Records the value of a move. Returns whether it fails high: a beta cutoff.
    #[inline]
    fn fails_high<const PV: bool>(
        &mut self,
        ply: usize,
        c: &Candidate,
        value: Value,
        node: &mut Node,
        moves: &mut MoveLoop,
    ) -> bool {
        let raises_alpha = value > node.best && value > node.alpha;
        node.best = node.best.max(value);
        if !raises_alpha {
            moves.note_failure(c.m, c.quiet);
            return false;
        }
        moves.best_move = Some(c.m);
        if PV {
            self.extend_pv(ply, c.m);
        }
        if value >= node.beta {
            self.frame_mut(ply).cutoffs += 1;
            return true;
        }
        node.alpha = value;
        if PV {
            // The remaining moves only have to be refuted.
            node.depth -= alpha_raise_reduction(node.depth, value, self.shared.params);
        }
        false
    }
}
