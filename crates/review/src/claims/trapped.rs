//! Trapped pieces: wherever they go, they are lost.

use chess::{Position, Role, Square};

use super::case::{Case, Finding};
use super::hanging::{is_loose, is_threatened};
use crate::board::{captured, captured_on, worth};
use crate::report::Motif;

/// A piece is attacked, is lost where it stands and wherever it can go, and falls soon.
pub(crate) fn trapped(case: &Case<'_>) -> Option<Finding> {
    case.own_moves().take(3).find_map(|(key, before, m)| {
        let after = &case.line.positions[key + 1];
        // If something was won before, that was the point.
        if case.line.gain(case.winner(), key) >= 1 {
            return None;
        }
        // If it could be taken before, it wasn't this move that trapped it, but an earlier one.
        let is_new = |fallen: &Square| key == 0 || !is_loose(before, *fallen);
        fallen_later(case, key)
            .into_iter()
            .flatten()
            .find(|fallen| is_new(fallen) && is_trapped(after, *fallen))
            .map(|fallen| Finding::new(Motif::Trapped, key, m.from(), vec![fallen]))
    })
}

/// The squares, after the move of an index, of the pieces that the next own moves take: the first may
/// have run meanwhile, the second must stand where it stood.
fn fallen_later(case: &Case<'_>, key: usize) -> [Option<Square>; 2] {
    let taken = |index: usize| {
        let (position, capture) = case.at(index)?;
        // A pawn that takes and promotes is another story.
        captured_on(position, capture).filter(|_| capture.promotion().is_none())
    };
    let first = taken(key + 2).and_then(|fallen| {
        let (_, reply) = case.at(key + 1)?;
        Some(if reply.to() == fallen { reply.from() } else { fallen })
    });
    let second = taken(key + 4).filter(|&fallen| {
        let stood = |index: usize| case.line.positions[index].piece_on(fallen);
        stood(key + 1).is_some() && (key + 2..=key + 4).all(|index| stood(index) == stood(key + 1))
    });
    [first, second]
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
