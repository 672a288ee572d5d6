//! What can be seen on a board without searching: material, captures, threats.

use chess::{CastlingSide, Color, Move, MoveKind, Position, Role, Square};

/// The worth of a piece in pawns, as players count.
pub(crate) const fn worth(role: Role) -> i32 {
    match role {
        Role::Pawn => 1,
        Role::Knight | Role::Bishop => 3,
        Role::Rook => 5,
        Role::Queen => 9,
        Role::King => 0,
    }
}

/// A side's material minus the other's, in pawns.
pub(crate) fn balance(position: &Position, side: Color) -> i32 {
    let of = |color: Color| -> i32 {
        Role::ALL
            .into_iter()
            .map(|role| worth(role) * position.pieces(role.of(color)).count() as i32)
            .sum()
    };
    of(side) - of(!side)
}

/// The square where a move's piece ends up; for castling the king's.
pub(crate) fn landing(position: &Position, m: Move) -> Square {
    match m.kind() {
        MoveKind::Castle => CastlingSide::of(m.from(), m.to()).king_target(position.turn()),
        _ => m.to(),
    }
}

/// The square of the piece that a move captures.
pub(crate) fn captured_on(position: &Position, m: Move) -> Option<Square> {
    match m.kind() {
        MoveKind::EnPassant => Some(Square::new(m.to().file(), m.from().rank())),
        _ => position.is_capture(m).then(|| m.to()),
    }
}

/// The role that a move captures.
pub(crate) fn captured(position: &Position, m: Move) -> Option<Role> {
    captured_on(position, m).and_then(|square| position.piece_on(square)).map(chess::Piece::role)
}

/// The role of the piece that moves.
pub(crate) fn mover(position: &Position, m: Move) -> Role {
    position.piece_on(m.from()).map_or(Role::Pawn, chess::Piece::role)
}

/// A capture and what the exchange it starts is worth in centipawns.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Capture {
    pub m: Move,
    pub worth: i32,
}

/// The best capture of the piece on a square by the side to move.
pub(crate) fn best_capture_of(position: &Position, square: Square) -> Option<Capture> {
    captures(position)
        .filter(|m| captured_on(position, *m) == Some(square))
        .map(|m| Capture { m, worth: engine::exchange(position, m) })
        .max_by_key(|capture| capture.worth)
}

/// The best capture of the side to move.
pub(crate) fn best_capture(position: &Position) -> Option<Capture> {
    captures(position)
        .map(|m| Capture { m, worth: engine::exchange(position, m) })
        .max_by_key(|capture| capture.worth)
}

fn captures(position: &Position) -> impl Iterator<Item = Move> {
    let moves = position.legal_moves();
    moves.into_iter().filter(|&m| position.is_capture(m))
}

/// What the other side could win on a square if it were its turn, in centipawns; 0 if it can't take
/// there, or if the side to move is in check.
pub(crate) fn threat_on(position: &Position, square: Square) -> i32 {
    let Some(passed) = position.after_null_move() else { return 0 };
    best_capture_of(&passed, square).map_or(0, |capture| capture.worth)
}

/// Whether the side to move has nothing to gain at once: no check to answer, no winning capture.
pub(crate) fn is_quiet(position: &Position) -> bool {
    !position.is_check() && best_capture(position).is_none_or(|capture| capture.worth < 100)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(fen: &str) -> Position {
        fen.parse().expect("a legal position")
    }

    #[test]
    fn material_is_counted_for_a_side() {
        let up = position("4k3/8/8/8/8/8/4P3/3QK2r w - - 0 1");
        assert_eq!(balance(&up, Color::White), 9 + 1 - 5);
        assert_eq!(balance(&up, Color::Black), -5);
    }

    #[test]
    fn threats_are_seen_through_the_other_sides_eyes() {
        let hanging = position("4k3/8/8/3n4/8/8/8/3RK3 b - - 0 1");
        assert_eq!(threat_on(&hanging, Square::D5), 310);
        assert!(!is_quiet(&position("4k3/8/8/3n4/8/8/8/3RK3 w - - 0 1")));
        let defended = position("4k3/8/4p3/3n4/8/8/8/3RK3 b - - 0 1");
        assert_eq!(threat_on(&defended, Square::D5), 310 - 500);
        assert!(is_quiet(&position("4k3/8/4p3/3n4/8/8/8/3RK3 w - - 0 1")));
    }

    #[test]
    fn a_pawn_taken_in_passing_stands_beside_the_capturer() {
        let passing = position("4k3/8/8/4pP2/8/8/8/4K3 w - e6 0 1");
        let m = passing.parse_san("fxe6").expect("legal");
        assert_eq!(captured_on(&passing, m), Some(Square::E5));
        assert_eq!(captured(&passing, m), Some(Role::Pawn));
        assert_eq!(landing(&passing, m), Square::E6);
    }
}
