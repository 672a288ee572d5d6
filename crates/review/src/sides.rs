//! What is counted for each side: accuracy, centipawns, labels, time.

use std::time::Duration;

use chess::{Color, Move};
use engine::{MatePlies, Score};
use game::{Clock, Game};

use crate::accuracy::{self, CEILING, win_percent};
use crate::report::{Clocked, MoveReport, SideReport};
use crate::survey::Seen;
use crate::{Facts, Label, Mode, Phase};

/// A move with all that was found out about it; scores are for the player.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Judged {
    pub played: Move,
    pub seen: Seen,
    pub best_score: Score,
    pub played_score: Score,
    /// The score of the position after the move, as it was searched by itself.
    pub after: Score,
    pub facts: Facts,
    pub label: Label,
    pub close_call: bool,
    /// Whether it was looked at a second time.
    pub twice: bool,
}

/// A score as a number of centipawns; mates are beyond all others.
pub(crate) fn in_centipawns(score: Score) -> i64 {
    const MATE: i64 = 100_000;
    match score {
        Score::Cp(centipawns) => centipawns.into(),
        Score::Mate(MatePlies(plies)) if plies > 0 => MATE - i64::from(plies),
        Score::Mate(MatePlies(plies)) => -MATE - i64::from(plies),
    }
}

/// A score cut at ten pawns.
fn cut(score: Score) -> i32 {
    in_centipawns(score).clamp(i64::from(-CEILING), i64::from(CEILING)) as i32
}

/// Centipawns lost, with scores cut at ten pawns.
pub(crate) fn centipawn_loss(best: Score, played: Score) -> u32 {
    (cut(best) - cut(played)).max(0).unsigned_abs()
}

/// The accuracy of a move: by the expected score, or by lichess's win chance.
pub(crate) fn accuracy(judged: &Judged, mode: Mode) -> f64 {
    match mode {
        Mode::Lichess => {
            accuracy::of_move(win_percent(cut(judged.seen.score)), win_percent(cut(judged.after)))
        }
        Mode::Riga | Mode::Classic => accuracy::of_move(judged.facts.best, judged.facts.played),
    }
}

/// White's and Black's figures.
pub(crate) fn figures(
    first: Color,
    judged: &[Judged],
    moves: &[MoveReport],
    mode: Mode,
) -> [SideReport; 2] {
    let after = judged.iter().zip(moves).map(|(judged, one)| {
        let own = match mode {
            Mode::Lichess => win_percent(cut(judged.after)),
            Mode::Riga | Mode::Classic => judged.facts.played,
        };
        if one.side == Color::White { own } else { 100.0 - own }
    });
    let start = match (mode, judged.first()) {
        (Mode::Riga | Mode::Classic, Some(opener)) if first == Color::White => opener.facts.best,
        (Mode::Riga | Mode::Classic, Some(opener)) => 100.0 - opener.facts.best,
        _ => win_percent(accuracy::START),
    };
    let chances: Vec<f64> = std::iter::once(start).chain(after).collect();
    let accuracies: Vec<f64> = moves.iter().map(|one| one.accuracy).collect();
    let total = accuracy::of_moves(first, &chances, &accuracies);
    Color::ALL.map(|side| count(side, moves, total.map(|both| round(both[side.index()]))))
}

/// A side's figures, all but the accuracy of the whole game counted from its moves.
pub(crate) fn count(side: Color, moves: &[MoveReport], accuracy: Option<f64>) -> SideReport {
    let own: Vec<&MoveReport> = moves.iter().filter(|one| one.side == side).collect();
    let mut labels = [0; Label::ALL.len()];
    for one in &own {
        labels[one.label as usize] += 1;
    }
    let lost: u32 = own.iter().map(|one| one.centipawn_loss).sum();
    SideReport {
        accuracy,
        phases: Phase::ALL.map(|phase| {
            let accuracies = own.iter().filter(|one| one.phase == phase).map(|one| one.accuracy);
            mean(&accuracies.collect::<Vec<_>>()).map(round)
        }),
        centipawn_loss: (!own.is_empty()).then(|| round(f64::from(lost) / own.len() as f64)),
        labels,
        time: Phase::ALL.map(|phase| {
            let spent = own.iter().filter(|one| one.phase == phase);
            let spent: Vec<f64> =
                spent.filter_map(|one| one.clock?.spent).map(|millis| millis as f64).collect();
            mean(&spent).map(|millis| millis as u64)
        }),
    }
}

fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

fn round(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}

/// Adds what the game says about clocks: time left, and time spent, which follows from the time left
/// and the time control if it isn't written.
pub(crate) fn add_clocks(game: &Game, moves: &mut [MoveReport]) {
    let control = game.tags.get("TimeControl").and_then(|text| text.parse().ok());
    let mut clock = control.map(|control| Clock::new(control, game.tree.start().turn()));
    for (node, one) in game.tree.main_nodes().zip(moves) {
        let comment = game.tree.comment(node);
        let left = comment.and_then(|comment| comment.clock);
        let thought = clock.as_ref().and_then(|clock| clock.thought(left?));
        let spent = comment.and_then(|comment| comment.elapsed).or(thought);
        let pressed = spent
            .is_some_and(|spent| clock.as_mut().is_some_and(|clock| clock.press(spent).is_ok()));
        if !pressed {
            clock = None;
        }
        let millis = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        if left.is_some() || spent.is_some() {
            one.clock = Some(Clocked { spent: spent.map(millis), left: left.map(millis) });
        }
    }
}
