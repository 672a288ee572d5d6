//! Forks: one piece attacks two, and only one of them can be saved.

use chess::{Bitboard, Color, Piece, Position, Role, Square, officer_attacks, pawn_attacks};

use super::case::{Case, Finding};
use super::hanging::{is_loose, is_threatened};
use crate::board::{best_capture_of, captured_on};
use crate::report::Motif;

/// A move after which its piece attacks two targets, and takes one of them with its next move. The
/// other is the king, or whatever saves the first leaves it to be taken.
pub(crate) fn fork(case: &Case<'_>) -> Option<Finding> {
    case.own_moves().take(2).find_map(|(key, before, m)| {
        let forker = case.lands(key)?;
        let (then, capture) = case.at(key + 2)?;
        let after = &case.line.positions[key + 1];
        let fallen = captured_on(then, capture).filter(|_| capture.from() == forker)?;
        // It stands where it stood: not a piece that came to block or to take.
        if after.piece_on(fallen) != then.piece_on(fallen) {
            return None;
        }
        let winner = case.winner();
        let targets = targets(after, forker, winner);
        let others: Vec<Square> = targets.into_iter().filter(|&target| target != fallen).collect();
        let is_new = !is_winnable_before(before, fallen);
        let safe = !is_loose(after, forker);
        let causal = others.iter().any(|&other| holds_twice(after, forker, fallen, other));
        let pays = engine::exchange(then, capture) >= 100;
        if !attacked(after, forker, winner).has(fallen) || !pays || !is_new || !safe || !causal {
            return None;
        }
        let shown: Vec<Square> = std::iter::once(fallen)
            .chain(others.into_iter().filter(|&other| holds_twice(after, forker, fallen, other)))
            .collect();
        Some(Finding::new(Motif::Fork, key, m.from(), shown))
    })
}

/// What the piece on a square attacks among the enemies.
fn attacked(position: &Position, from: Square, winner: Color) -> Bitboard {
    let Some(piece) = position.piece_on(from) else { return Bitboard::EMPTY };
    let reach = match piece.role() {
        Role::Pawn => pawn_attacks(winner, from),
        role => officer_attacks(role, from, position.occupied()),
    };
    reach & position.color(!winner)
}

/// Attacked pieces that are dearer than the attacker, loose, or the king.
fn targets(position: &Position, forker: Square, winner: Color) -> Bitboard {
    let worth = |piece: Option<Piece>| piece.map_or(0, |piece| crate::board::worth(piece.role()));
    let own = worth(position.piece_on(forker));
    attacked(position, forker, winner)
        .into_iter()
        .filter(|&square| {
            let piece = position.piece_on(square);
            let king = piece.is_some_and(|piece| piece.role() == Role::King);
            king || worth(piece) > own || is_threatened(position, square)
        })
        .collect()
}

/// Whether the piece could be won without the fork.
fn is_winnable_before(before: &Position, square: Square) -> bool {
    before.piece_on(square).is_some() && is_loose(before, square)
}

/// Whether the two targets can't both be saved: one is the king, which must move, or some move
/// saves the first target and none that does saves the other as well.
fn holds_twice(after: &Position, forker: Square, fallen: Square, other: Square) -> bool {
    if after.piece_on(other).is_some_and(|piece| piece.role() == Role::King) {
        return after.checkers().has(forker);
    }
    let mut saves = 0;
    for m in after.legal_moves() {
        if captured_on(after, m) == Some(forker) {
            // Taking it helps unless that costs more.
            if engine::exchange(after, m) >= 0 {
                return false;
            }
            continue;
        }
        let later = after.after(m);
        let taken = |square: Square| {
            let square = if m.from() == square { m.to() } else { square };
            best_capture_of(&later, square).is_some_and(|capture| capture.worth >= 100)
        };
        match (taken(fallen), taken(other)) {
            (false, false) => return false,
            (false, true) => saves += 1,
            _ => {}
        }
    }
    saves > 0
}
