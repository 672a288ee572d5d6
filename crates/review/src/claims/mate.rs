//! Mates: proved by trying every defence if they are short.

use chess::{Bitboard, Color, Move, Position, Rank, Role, Square, king_attacks};

use super::case::{Case, Finding};
use crate::report::Motif;
use crate::variation::Variation;

/// The most moves of a mate that is proved; longer ones are the engine's word.
pub(crate) const PROVED: usize = 3;
/// Positions looked at before a proof is given up.
const PATIENCE: u32 = 300_000;

/// A line that ends in mate.
pub(crate) fn mate(case: &Case<'_>) -> Option<Finding> {
    let line = case.line;
    let loser_is_mated = line.mates() && line.end().turn() != case.winner();
    if !loser_is_mated {
        return None;
    }
    let moves = line.moves.len().div_ceil(2);
    let proved = moves <= PROVED && is_forced(line, moves);
    let motif = match (proved, is_back_rank(line.end())) {
        (true, true) => Motif::BackRank,
        (true, false) => Motif::Mate,
        (false, _) => Motif::EngineMate,
    };
    let last = line.moves.len() - 1;
    let key = if proved { 0 } else { last };
    let king = line.before(key).king(!case.winner());
    Some(Finding::new(motif, key, line.moves[key].from(), vec![king]))
}

/// A line that ends in stalemate.
pub(crate) fn stalemate(line: &Variation) -> bool {
    !line.end().is_check() && !line.end().has_legal_move()
}

/// Whether the side to move mates in this many moves against every defence.
fn is_forced(line: &Variation, moves: usize) -> bool {
    let mut patience = PATIENCE;
    mates_in(line.start(), moves, line.moves.first().copied(), &mut patience)
}

fn mates_in(position: &Position, moves: usize, hint: Option<Move>, patience: &mut u32) -> bool {
    let mut legal = position.legal_moves();
    // Checks first, and the line's own move before all.
    legal.sort_by_key(|&m| {
        let checks = position.after(m).is_check();
        (Some(m) != hint, !checks)
    });
    legal.into_iter().any(|m| {
        let Some(left) = patience.checked_sub(1) else { return false };
        *patience = left;
        let after = position.after(m);
        // The last move must be a check.
        if moves == 1 {
            return after.is_check() && !after.has_legal_move();
        }
        let defences = after.legal_moves();
        if defences.is_empty() {
            return after.is_check();
        }
        defences.into_iter().all(|m| mates_in(&after.after(m), moves - 1, None, patience))
    })
}

/// Whether a mated king stands on its back rank, is checked along it by a rook or queen, and can't
/// step forward because of its own men.
fn is_back_rank(mated: &Position) -> bool {
    let loser = mated.turn();
    let king = mated.king(loser);
    if king.rank() != loser.back_rank() {
        return false;
    }
    let along = |checker: Square| {
        let role = mated.piece_on(checker).map(chess::Piece::role);
        checker.rank() == king.rank() && matches!(role, Some(Role::Rook | Role::Queen))
    };
    let second = match loser {
        Color::White => Rank::Second,
        Color::Black => Rank::Seventh,
    };
    let front = king_attacks(king) & Bitboard::rank(second);
    let own = front & mated.color(loser);
    mated.checkers().into_iter().any(along) && own == front
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(fen: &str) -> Position {
        fen.parse().expect("a legal position")
    }

    #[test]
    fn a_mate_is_proved_against_every_defence() {
        let two = position("6k1/5ppp/8/8/8/8/1Q3PPP/1R4K1 w - - 0 1");
        let mut patience = PATIENCE;
        assert!(mates_in(&two, 1, None, &mut patience), "Qb8 is mate");
        let defended = position("3r2k1/5ppp/8/8/8/8/1Q3PPP/1R4K1 w - - 0 1");
        assert!(!mates_in(&defended, 1, None, &mut patience));
        assert!(!mates_in(&defended, 2, None, &mut patience), "Qb8 can be declined");
        let quiet = position("7k/8/5K2/8/8/8/8/6R1 w - - 0 1");
        assert!(mates_in(&quiet, 2, None, &mut patience), "Kf7 Kh7 Rh1");
    }

    #[test]
    fn a_back_rank_mate_needs_the_kings_own_men() {
        assert!(is_back_rank(&position("1R4k1/5ppp/8/8/8/8/8/6K1 b - - 0 1")));
        assert!(!is_back_rank(&position("1R4k1/R7/8/8/8/8/8/6K1 b - - 0 1")));
    }
}
