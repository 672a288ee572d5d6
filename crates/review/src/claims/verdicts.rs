//! What a line shows when no single blow decides: a result that changed, a king without shelter, a
//! trade, a repetition.

use chess::{Move, Position, Role, Square};

use super::case::{Case, Finding};
use crate::board::{
    balance, best_capture, best_capture_of, captured, captured_on, mover, threat_on, worth,
};
use crate::report::Motif;

/// Expected scores from which a position counts as won, and up to which as lost.
const WON: f64 = 75.0;
const LOST: f64 = 25.0;
/// The own moves among which the checks against an exposed king must be, and the least worth in
/// pawns of the pieces that give them.
const EARLY: usize = 4;
const ATTACKERS: i32 = 11;
/// The own moves among which one must force the win of material, and the plies until it is won.
const FIRST: usize = 3;
const QUICKLY: usize = 8;
/// The centipawns that a capture without force must win by itself: a bishop for a knight and a pawn
/// is enough.
const PAID: i32 = 50;

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

/// A line in which checks drive the king about: it answers at least two early ones by walking, and
/// the other side has enough pieces left for that to be dangerous.
pub(crate) fn exposed_king(case: &Case<'_>) -> Option<Finding> {
    let walks = |&(index, _, _): &(usize, &Position, Move)| {
        case.line.positions[index + 1].is_check()
            && case.at(index + 1).is_some_and(|(position, reply)| {
                mover(position, reply) == Role::King && !position.is_capture(reply)
            })
    };
    let mut driven = case.own_moves().take(EARLY).filter(walks);
    let (key, before, m) = driven.next().filter(|&(first, _, _)| first <= 2)?;
    driven.next()?;
    let pieces: i32 = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen]
        .into_iter()
        .map(|role| worth(role) * before.pieces(role.of(case.winner())).count() as i32)
        .sum();
    let king = before.king(!case.winner());
    (pieces >= ATTACKERS).then(|| Finding::new(Motif::ExposedKing, key, m.from(), vec![king]))
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

/// What a line wins by force: the dearest piece that falls until it has what one of the first moves
/// has made sure of.
pub(crate) fn material(case: &Case<'_>) -> Option<Finding> {
    let sure = sure_gain(case)?.min(case.line.gain(case.winner(), case.line.moves.len()));
    let len = Some(case.moves_to_gain(sure)).filter(|&len| len <= QUICKLY)?;
    let (key, square, m) = dearest(case, len)?;
    let finding = Finding::new(Motif::Material, key, m.from(), vec![square]);
    (sure >= 1).then_some(Finding { sure: Some(sure), ..finding })
}

/// What a line wins without force: the dearest piece that falls until the line has its gain. It must
/// come soon, stay, and be more than a gift; a line that repeats wins nothing.
pub(crate) fn expected(case: &Case<'_>) -> Option<Finding> {
    let gain = case.line.gain(case.winner(), case.line.moves.len());
    let len = Some(case.moves_to_gain(gain)).filter(|&len| len <= QUICKLY)?;
    let (key, square, m) = dearest(case, len)?;
    let pays = case.at(key).is_some_and(|(position, m)| engine::exchange(position, m) >= PAID);
    let finding = Finding::new(Motif::EngineMaterial, key, m.from(), vec![square]);
    (pays && !case.line.repeats && !is_given(case, key, square)).then_some(finding)
}

/// Whether what is taken on a square with the move of an index went there in the line by a quiet
/// move, could be taken at once, and wasn't attacked before.
fn is_given(case: &Case<'_>, key: usize, square: Square) -> bool {
    let replies = (1..key).step_by(2).filter_map(|index| Some((index, case.at(index)?)));
    replies.into_iter().any(|(index, (before, reply))| {
        let taken = best_capture_of(&case.line.positions[index + 1], square);
        reply.to() == square
            && !before.is_capture(reply)
            && !before.is_check()
            && threat_on(before, reply.from()) < 100
            && taken.is_some_and(|capture| capture.worth >= 100)
    })
}

/// The dearest piece that the side that gains takes in the first moves: index, square and capture.
fn dearest(case: &Case<'_>, len: usize) -> Option<(usize, Square, Move)> {
    let captures = case.own_moves().take_while(|(index, _, _)| *index < len);
    let captures = captures.filter_map(|(index, position, m)| {
        Some((worth(captured(position, m)?), index, captured_on(position, m)?, m))
    });
    let (_, index, square, m) = captures.max_by_key(|&(pawns, index, _, _)| (pawns, index))?;
    Some((index, square, m))
}

/// The pawns that the winner has at least gained after every reply to one of the first own moves,
/// with what was taken so far and the best capture that is left. Until then, own moves must be
/// checks or captures: after a quiet one, the other side may just have missed a defence.
fn sure_gain(case: &Case<'_>) -> Option<i32> {
    let winner = case.winner();
    let start = 100 * balance(case.line.start(), winner);
    for (index, before, m) in case.own_moves().take(FIRST) {
        let after = &case.line.positions[index + 1];
        let after_reply = |reply: Move| {
            let later = after.after(reply);
            let capture = best_capture(&later).map_or(0, |capture| capture.worth.max(0));
            100 * balance(&later, winner) + capture - start
        };
        let gain = after.legal_moves().into_iter().map(after_reply).min()?;
        if gain >= 100 {
            return Some(gain / 100);
        }
        if !after.is_check() && !before.is_capture(m) {
            return None;
        }
    }
    None
}
