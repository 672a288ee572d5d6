//! What a move changes on the board.

use chess::{CastlingSide, Color, Move, MoveKind, Piece, Position, Role, Square};

/// A piece on a square.
pub type Placed = (Piece, Square);

/// The pieces that a move removes from the board and adds to it.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Delta {
    /// A null move, or the start.
    Nothing,
    /// A piece leaves a square and arrives on another, possibly promoted.
    Shift { off: Placed, on: Placed },
    /// The same, and a piece is captured.
    Capture { off: Placed, victim: Placed, on: Placed },
    /// King and rook leave their squares and arrive on others.
    Castle { off: [Placed; 2], on: [Placed; 2] },
}

impl Delta {
    /// The change by a legal move.
    #[inline]
    pub fn of(position: &Position, m: Move) -> Self {
        let (from, to, us) = (m.from(), m.to(), position.turn());
        let piece = position.piece_on(from).expect("a legal move has a piece");
        let off = (piece, from);
        match m.kind() {
            MoveKind::Castle => Self::castling(us, from, to),
            MoveKind::EnPassant => {
                let pawn = Square::new(to.file(), from.rank());
                Self::Capture { off, victim: (Role::Pawn.of(!us), pawn), on: (piece, to) }
            }
            _ => {
                let on = (m.promotion().map_or(piece, |role| role.of(us)), to);
                match position.piece_on(to) {
                    Some(victim) => Self::Capture { off, victim: (victim, to), on },
                    None => Self::Shift { off, on },
                }
            }
        }
    }

    #[cold]
    fn castling(us: Color, king: Square, rook: Square) -> Self {
        let side = CastlingSide::of(king, rook);
        let pieces = [Role::King.of(us), Role::Rook.of(us)];
        Self::Castle {
            off: [(pieces[0], king), (pieces[1], rook)],
            on: [(pieces[0], side.king_target(us)), (pieces[1], side.rook_target(us))],
        }
    }

    /// The king and its target, if a king moves.
    #[inline]
    pub(crate) fn king(self) -> Option<Placed> {
        let on = match self {
            Self::Nothing => return None,
            Self::Shift { on, .. } | Self::Capture { on, .. } => on,
            Self::Castle { on, .. } => on[0],
        };
        (on.0.role() == Role::King).then_some(on)
    }
}
