//! What a line shows when no single blow decides: a result that changed, a king without shelter, a
//! trade, a repetition.

use chess::Role;

use super::case::{Case, Finding};
use crate::board::{captured, captured_on, mover, worth};
use crate::report::Motif;

/// Expected scores from which a position counts as won, and up to which as lost.
const WON: f64 = 75.0;
const LOST: f64 = 25.0;
/// The own moves among which the checks against an exposed king must be.
const EARLY: usize = 4;

/// Whether a win or a draw was given away.
pub(crate) fn result([best, played]: [f64; 2]) -> Option<Motif> {
    if best >= WON && played < WON {
        Some(Motif::Win)
    } else if best >= LOST && played < LOST {
        Some(Motif::Draw)
    } else {
        None
    }
}

/// A line that begins with checks: the first or second own move gives one, another one follows soon,
/// and the king must walk.
pub(crate) fn exposed_king(case: &Case<'_>) -> Option<Finding> {
    let checks: Vec<usize> = case
        .own_moves()
        .take(EARLY)
        .map(|(index, _, _)| index)
        .filter(|index| case.line.positions[index + 1].is_check())
        .collect();
    let &key = checks.first().filter(|&&first| first <= 2 && checks.len() >= 2)?;
    let walks = checks.iter().any(|check| {
        case.at(check + 1).is_some_and(|(position, reply)| mover(position, reply) == Role::King)
    });
    let king = case.line.start().king(!case.winner());
    let (_, m) = case.at(key)?;
    walks.then(|| Finding::new(Motif::ExposedKing, key, m.from(), vec![king]))
}

/// A trade of like for like, started by the criticised move.
pub(crate) fn trade(case: &Case<'_>) -> Option<Finding> {
    let (root, played) = case.after?;
    let own = captured(root, played)?;
    let (position, reply) = case.at(0)?;
    let back = captured(position, reply).filter(|_| reply.to() == played.to())?;
    let even = worth(own) == worth(back) && own != Role::Pawn;
    let gave = mover(root, played);
    (even && gave == back).then(|| Finding::new(Motif::BadTrade, 0, reply.from(), vec![reply.to()]))
}

/// What a line wins by force: the dearest piece that falls, if the material is kept.
pub(crate) fn material(case: &Case<'_>) -> Option<Finding> {
    let gain = case.line.gain(case.winner(), case.line.moves.len());
    let captures = case.own_moves().filter_map(|(index, position, m)| {
        let square = captured_on(position, m)?;
        let role = captured(position, m)?;
        Some((index, worth(role), square, m))
    });
    let (key, _, square, m) = captures.max_by_key(|&(index, pawns, _, _)| (pawns, index))?;
    (gain >= 1).then(|| Finding::new(Motif::Material, key, m.from(), vec![square]))
}
