//! What only the best moves are asked: whether anything else would have done, whether they were
//! obvious, whether they give something up.

use chess::{Line, Move, Position, Role};
use engine::wdl::material;

use crate::board::{balance, best_capture, best_capture_of, captured, captured_on, landing, worth};
use crate::curve::points;
use crate::survey::Survey;
use crate::{Facts, Mode, ReviewError};

/// The share of the effort for a first look at the other moves.
const GLANCE: f64 = 0.125;
/// If the first look finds another move within this many points, none is needed.
const NEARLY: f64 = 8.0;
/// With this many votes of shallow searches a move is no surprise.
const SEEN_AT_ONCE: usize = 3;
/// A sacrifice gives up at least this many pawns.
const GIVEN: i32 = 2;

/// Completes the facts about a best move.
pub(crate) fn look(
    survey: &mut Survey<'_>,
    line: &Line,
    played: Move,
    facts: &mut Facts,
) -> Result<(), ReviewError> {
    let root = line.position();
    facts.obvious = is_obvious(line, played);
    let offer = offer(line, played).filter(|_| facts.played >= 50.0);
    let wanted = survey.plan.mode == Mode::Riga && !facts.book && facts.played >= 10.0;
    if !wanted || facts.obvious && offer.is_none() {
        return Ok(());
    }
    let others: Vec<Move> = root.legal_moves().into_iter().filter(|&m| m != played).collect();
    let weight = material(root);
    for times in [GLANCE, 1.0] {
        let other = survey.best_of(line, others.clone(), times)?;
        let other = points(other.score, weight);
        if facts.played - other < NEARLY {
            return Ok(());
        }
        facts.other = Some(other);
    }
    if let Some(offer) = offer {
        facts.sacrifice = is_sound(survey, line, played, offer)?;
        if facts.sacrifice {
            facts.surprising = survey.shallow_votes(line, played)? < SEEN_AT_ONCE;
        }
    }
    Ok(())
}

/// Whether anybody would play a move.
fn is_obvious(line: &Line, m: Move) -> bool {
    let root = line.position();
    let mates = root.after(m).outcome().is_some();
    let few = root.is_check() && root.legal_moves().len() <= 2;
    let free = root.is_capture(m) && engine::exchange(root, m) >= 100;
    mates || few || free || is_recapture(line, m) || m.promotion() == Some(Role::Queen)
}

/// Whether a move takes back what has just taken something.
pub(crate) fn is_recapture(line: &Line, m: Move) -> bool {
    let mut before = line.clone();
    let Some(last) = before.undo() else { return false };
    before.position().is_capture(last) && captured_on(line.position(), m) == Some(last.to())
}

/// The capture by which the opponent can take what a move offers: it nets at least two pawns, and
/// the piece wasn't lost before.
fn offer(line: &Line, m: Move) -> Option<Move> {
    let root = line.position();
    if is_recapture(line, m) || m.promotion() == Some(Role::Queen) {
        return None;
    }
    let taken = captured(root, m).map_or(0, worth);
    let after = root.after(m);
    let capture = best_capture(&after)?;
    let target = captured_on(&after, capture.m)?;
    let role = after.piece_on(target)?.role();
    if capture.worth - 100 * taken < 100 * GIVEN || role == Role::Pawn {
        return None;
    }
    let origin = if target == landing(root, m) { m.from() } else { target };
    let passed = root.after_null_move()?;
    let lost_anyway =
        best_capture_of(&passed, origin).is_some_and(|capture| capture.worth >= 100 * GIVEN);
    (!lost_anyway).then_some(capture.m)
}

/// Whether the material stays given after the offer is accepted, or the player mates.
fn is_sound(
    survey: &mut Survey<'_>,
    line: &Line,
    m: Move,
    capture: Move,
) -> Result<bool, ReviewError> {
    let us = line.position().turn();
    let accepted = survey.play_out(line, &[m, capture], false)?;
    // Two own moves later: the sacrifice, the capture, and two moves each.
    let later: &Position = accepted.positions.get(5).unwrap_or_else(|| accepted.end());
    let given = balance(line.position(), us) - balance(later, us);
    Ok(given >= GIVEN || accepted.mates() && accepted.end().turn() != us)
}
