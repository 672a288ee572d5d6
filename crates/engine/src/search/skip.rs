//! Move loop pruning: moves of a node that are not worth searching.

use chess::{Move, Position, Role};

use super::history::Rows;
use super::node::{Candidate, MoveLoop, Node};
use super::prune::{discredited, futile_capture, futile_quiet, late_moves};
use super::see::{captured, victim, wins_at_least};
use super::value::{is_decisive, is_lost};
use super::worker::Worker;

impl<const LIMITED: bool> Worker<'_, LIMITED> {
    /// The stat score of a move: the sum of its histories.
    pub(crate) fn stat_score(&self, ply: usize, m: Move, quiet: bool, rows: Rows) -> i32 {
        let frame = self.frame(ply);
        let position = &frame.position;
        let Some(piece) = position.piece_on(m.from()) else { return 0 };
        let histories = &self.own.histories;
        if quiet {
            histories.quiet(position.turn(), &frame.threats, m)
                + histories.continuation(rows[0], piece, m)
                + histories.continuation(rows[1], piece, m)
                + histories.pawn(position, piece, m)
        } else {
            victim(position, m).map_or(0, |role| histories.capture(piece, m, role))
        }
    }

    /// Whether a move can be pruned: it has failed too often, can't lift the evaluation above
    /// alpha, or loses too much material for the remaining depth. The value that a pruned move
    /// might reach counts for the best one. Nothing is pruned until there is a move that doesn't
    /// lose, so that mates are exact.
    pub(crate) fn is_negligible(
        &self,
        ply: usize,
        c: &Candidate,
        node: &mut Node,
        moves: &mut MoveLoop,
    ) -> bool {
        if !moves.has_pieces || is_lost(node.best) {
            return false;
        }
        let p = self.shared.params;
        moves.skip_quiets |= c.count >= late_moves(node, p);
        let position = self.position(ply);
        // The depth at which the move would be searched.
        let base = self.reductions.base(node.depth, c.count, c.quiet, p) / 1024;
        let reduced = (node.depth - 1 - base + c.history / p.reduced_history).max(0);
        let check = moves.checks.given_by(position, c.m);
        if !c.quiet || check {
            // Captures and checks are forcing: only what they lose speaks against them.
            let futile =
                !check && futile_capture(node, reduced, captured(position, c.m), c.history, p);
            let history = if c.quiet { 0 } else { c.history / p.see_capture_history };
            let least = -p.see_capture * node.depth - history;
            return futile || node.depth <= p.see_depth && !wins_at_least(position, c.m, least);
        }
        if discredited(node, reduced, c.history, p) {
            return true;
        }
        if let Some(reach) = futile_quiet(node, reduced, c.history, p) {
            if !is_decisive(node.best) {
                node.best = reach.max(node.best);
            }
            return true;
        }
        // SEE pruning.
        let least = -p.see_quiet * reduced * reduced;
        reduced <= p.see_depth && !wins_at_least(position, c.m, least)
    }
}

/// Whether the side to move has more than king and pawns.
#[inline]
pub(crate) fn has_pieces(position: &Position) -> bool {
    let ours = position.color(position.turn());
    (ours - position.role(Role::Pawn) - position.role(Role::King)).any()
}
