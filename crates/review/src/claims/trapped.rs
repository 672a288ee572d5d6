//! Trapped pieces: wherever they go, they are lost.

use chess::{Position, Role, Square};

use super::case::{Case, Finding};
use super::hanging::{is_loose, is_threatened};
use crate::board::{captured, captured_on, worth};
use crate::report::Motif;

/// A piece is attacked, is lost where it stands and wherever it can go, and falls.
pub(crate) fn trapped(case: &Case<'_>) -> Option<Finding> {
    case.own_moves().take(3).find_map(|(key, _, m)| {
        let after = &case.line.positions[key + 1];
        // What falls later, while it stands where it stood or after it has run.
        let fallen = fallen_later(case, key)?;
        is_trapped(after, fallen).then(|| Finding::new(Motif::Trapped, key, m.from(), vec![fallen]))
    })
}

/// The square, after the move of an index, of the piece that the next capture takes.
fn fallen_later(case: &Case<'_>, key: usize) -> Option<Square> {
    let (then, capture) = case.at(key + 2)?;
    // A pawn that takes and promotes is another story.
    let fallen = captured_on(then, capture).filter(|_| capture.promotion().is_none())?;
    let (_, reply) = case.at(key + 1)?;
    // It may have moved in between.
    Some(if reply.to() == fallen { reply.from() } else { fallen })
}

/// Whether a piece of the side to move is attacked and has no safe square.
fn is_trapped(position: &Position, square: Square) -> bool {
    let Some(piece) = position.piece_on(square) else { return false };
    let officer = !matches!(piece.role(), Role::Pawn | Role::King);
    if !officer
        || piece.color() != position.turn()
        || position.is_check()
        || position.pinned().has(square)
        || !is_threatened(position, square)
    {
        return false;
    }
    let own = worth(piece.role());
    let mut moves = 0;
    for m in position.legal_moves() {
        let later = position.after(m);
        let (there, taken) = if m.from() == square {
            moves += 1;
            (m.to(), captured(position, m).map_or(0, worth))
        } else {
            (square, captured(position, m).map_or(0, worth))
        };
        let lost = is_loose(&later, there);
        if !lost || taken >= own {
            return false;
        }
    }
    // A piece that can't move at all is shut in rather than hunted down, and just as lost.
    moves > 0 || own >= 3
}
