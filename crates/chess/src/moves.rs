//! A move in 16 bits, and the list that a generator fills.

use std::fmt;
use std::num::NonZeroU16;

use arrayvec::ArrayVec;

use crate::{Role, Square};

/// An upper bound of the legal moves on any board with one king per side.
///
/// A square is reached by at most eight sliders and eight knights, a piece moves to at most 27
/// squares, so `n` pieces have at most `min(27 n, 16 (64 - n))` moves, plus 72 for promotions.
/// No game can reach more than 218.
pub const MAX_MOVES: usize = 736;

/// The moves of a position, on the stack.
pub type MoveList = ArrayVec<Move, MAX_MOVES>;

/// What a move does besides going from one square to another.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum MoveKind {
    /// Moves to an empty square or captures.
    Normal,
    /// A pawn's double step.
    DoublePush,
    /// A pawn captures the pawn that has just passed it.
    EnPassant,
    /// The king goes to its castling square; the move's target is the *rook's* square.
    Castle,
    /// A pawn becomes a knight.
    PromoteKnight,
    /// A pawn becomes a bishop.
    PromoteBishop,
    /// A pawn becomes a rook.
    PromoteRook,
    /// A pawn becomes a queen.
    PromoteQueen,
}

impl MoveKind {
    const ALL: [Self; 8] = [
        Self::Normal,
        Self::DoublePush,
        Self::EnPassant,
        Self::Castle,
        Self::PromoteKnight,
        Self::PromoteBishop,
        Self::PromoteRook,
        Self::PromoteQueen,
    ];

    /// The promotion to a role, if a pawn may become one.
    pub const fn promotion_to(role: Role) -> Option<Self> {
        Some(match role {
            Role::Knight => Self::PromoteKnight,
            Role::Bishop => Self::PromoteBishop,
            Role::Rook => Self::PromoteRook,
            Role::Queen => Self::PromoteQueen,
            Role::Pawn | Role::King => return None,
        })
    }
}

/// A move of some position. It is legal in the position that generated it; in another position, ask
/// [`Position::is_legal`](crate::Position::is_legal) first.
///
/// Castling is king takes own rook, so that every Chess960 geometry has one unambiguous form.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(NonZeroU16);

/// Bit 15 is always set: no move is zero, and `Option<Move>` takes two bytes.
const MARK: u16 = 1 << 15;

impl Move {
    /// A move from its parts.
    #[inline]
    pub const fn new(from: Square, to: Square, kind: MoveKind) -> Self {
        let bits = from.index() as u16 | (to.index() as u16) << 6 | (kind as u16) << 12;
        match NonZeroU16::new(bits | MARK) {
            Some(bits) => Self(bits),
            None => unreachable!(),
        }
    }

    /// The origin square.
    #[inline]
    pub const fn from(self) -> Square {
        Square::from_index(self.0.get() as usize)
    }

    /// The target square; for castling the rook's square.
    #[inline]
    pub const fn to(self) -> Square {
        Square::from_index(self.0.get() as usize >> 6)
    }

    /// The kind of the move.
    #[inline]
    pub const fn kind(self) -> MoveKind {
        MoveKind::ALL[self.0.get() as usize >> 12 & 7]
    }

    /// The role a pawn promotes to, if it is a promotion.
    #[inline]
    pub const fn promotion(self) -> Option<Role> {
        Some(match self.kind() {
            MoveKind::PromoteKnight => Role::Knight,
            MoveKind::PromoteBishop => Role::Bishop,
            MoveKind::PromoteRook => Role::Rook,
            MoveKind::PromoteQueen => Role::Queen,
            _ => return None,
        })
    }

    /// The move as a number for compact storage.
    #[inline]
    pub const fn to_bits(self) -> u16 {
        self.0.get()
    }

    /// The move with a number; `None` for one that [`Move::to_bits`] never returns.
    #[inline]
    pub const fn from_bits(bits: u16) -> Option<Self> {
        match NonZeroU16::new(bits) {
            Some(some) if bits & MARK != 0 => Some(Self(some)),
            _ => None,
        }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{} {:?}", self.from(), self.to(), self.kind())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_survive_packing() {
        assert_eq!(size_of::<Option<Move>>(), 2);
        for from in Square::all() {
            for to in Square::all() {
                for kind in MoveKind::ALL {
                    let m = Move::new(from, to, kind);
                    assert_eq!((m.from(), m.to(), m.kind()), (from, to, kind));
                    assert_eq!(Move::from_bits(m.to_bits()), Some(m));
                    if let Some(role) = m.promotion() {
                        assert_eq!(MoveKind::promotion_to(role), Some(kind));
                    }
                }
            }
        }
        assert_eq!(Move::from_bits(0), None);
    }
}
