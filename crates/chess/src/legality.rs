//! Checks whether a given move is legal, without generating moves.

use crate::attacks::{between, king_attacks, officer_attacks, pawn_attacks};
use crate::play::passed_square;
use crate::{Bitboard, Color, Move, MoveKind, Position, Rank, Role, Square};

impl Position {
    /// Whether a move is legal here. For moves from elsewhere: the hash table, a message, another
    /// position.
    pub fn is_legal(&self, m: Move) -> bool {
        let us = self.turn;
        let (from, to) = (m.from(), m.to());
        let Some(piece) = self.piece_on(from).filter(|piece| piece.color() == us) else {
            return false;
        };
        let king = self.king(us);
        match (piece.role(), m.kind()) {
            (Role::King, MoveKind::Castle) => {
                let rooks = self.castling & Bitboard::rank(us.back_rank());
                return rooks.has(to)
                    && !self.is_check()
                    && self.castling_way_is_free(king, to, us)
                    && self.castling_is_safe(king, to, self.danger(king, us), us);
            }
            (Role::King, MoveKind::Normal) => {
                let steps = king_attacks(from) - self.color(us);
                return steps.has(to) && !self.danger(king, us).has(to);
            }
            (Role::Pawn, MoveKind::EnPassant) => {
                return self.en_passant() == Some(to)
                    && pawn_attacks(us, from).has(to)
                    && self.en_passant_is_safe(from, to, us);
            }
            (Role::Pawn, _) => {
                if !self.pawn_targets(from, us).has(to) || m.kind() != pawn_move_kind(m, us) {
                    return false;
                }
            }
            (role, MoveKind::Normal) => {
                let targets = officer_attacks(role, from, self.occupied());
                if !(targets - self.color(us)).has(to) {
                    return false;
                }
            }
            _ => return false,
        }
        self.keeps_king_safe(from, to, king)
    }

    /// Whether a pseudo-legal move of a piece other than the king respects checks and pins.
    #[inline]
    pub(crate) fn keeps_king_safe(&self, from: Square, to: Square, king: Square) -> bool {
        let relieved = match self.checkers.first() {
            None => true,
            Some(_) if self.checkers.many() => false,
            Some(checker) => to == checker || between(king, checker).has(to),
        };
        // A pinned piece stays on its line: it moves away from the king or closer to it.
        let pins = self.straight_pins | self.diagonal_pins;
        relieved && (!pins.has(from) || between(king, to).has(from) || between(king, from).has(to))
    }

    /// The pseudo-legal targets of a pawn, except en passant.
    #[inline]
    pub(crate) fn pawn_targets(&self, from: Square, us: Color) -> Bitboard {
        let empty = !self.occupied();
        let single = Bitboard::of(passed_square(!us, from)) & empty;
        let third = Bitboard::rank(Rank::Third.relative_to(us));
        let double = match us {
            Color::White => (single & third).north(),
            Color::Black => (single & third).south(),
        };
        single | double & empty | pawn_attacks(us, from) & self.color(!us)
    }
}

/// The kind that a pawn's move must have, except en passant; a promotion keeps its role.
fn pawn_move_kind(m: Move, us: Color) -> MoveKind {
    let (from, to) = (m.from(), m.to());
    if to.rank() == Rank::Eighth.relative_to(us) {
        m.promotion().and_then(MoveKind::promotion_to).unwrap_or(MoveKind::PromoteQueen)
    } else if from.index().abs_diff(to.index()) == 16 {
        MoveKind::DoublePush
    } else {
        MoveKind::Normal
    }
}
