//! The review of a game: judged moves, explained and counted.

use engine::{Analyst, AnalystError, Score, Stop};
use game::Game;

use crate::claims::{Evidence, Explainer};
use crate::judge::Judge;
use crate::opening::Book;
use crate::puzzles::Finder;
use crate::report::{GameReport, MoveReport, MoveText};
use crate::sides;
use crate::survey::{Survey, after_the_move};
use crate::{Label, Mode, Phase, Plan, turning};

/// Why a game can't be reviewed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReviewError {
    /// The analyst has failed.
    #[error(transparent)]
    Analyst(#[from] AnalystError),
    /// The analyst gives a move without a score or a line.
    #[error("the engine gives no score for a position")]
    NoScore,
    /// The review was stopped.
    #[error("the review was stopped")]
    Stopped,
}

/// How far a review has come.
#[derive(Clone, Debug, PartialEq)]
pub struct Progress {
    /// Positions judged.
    pub done: usize,
    /// Positions to judge.
    pub of: usize,
    /// The ply, from 0, of the move that was judged last.
    pub ply: usize,
    /// Its label. A `Mistake` or `Blunder` may still become a `Miss`.
    pub label: Label,
    /// The score after it, for White.
    pub score: Score,
}

/// Reviews the main line of a game.
pub fn review(
    game: &Game,
    analyst: &mut dyn Analyst,
    plan: &Plan,
    name: &str,
) -> Result<GameReport, ReviewError> {
    review_with(game, analyst, plan, name, &Stop::new(), &mut |_| {})
}

/// Reviews the main line of a game; it can be stopped, and tells how far it has come. `name` is the
/// analyst's, for the report.
pub fn review_with(
    game: &Game,
    analyst: &mut dyn Analyst,
    plan: &Plan,
    name: &str,
    stop: &Stop,
    progress: &mut dyn FnMut(Progress),
) -> Result<GameReport, ReviewError> {
    analyst.new_game()?;
    let mut survey = Survey { analyst, plan, stop };
    let line = game.line();
    let book = Book::of(&line, game.variant());
    let mut judge = Judge { survey: &mut survey, line: &line, book: book.plies };
    let (start, all) = judge.all(progress)?;
    let mode = line.start().castling_mode();
    let phases: Vec<Phase> = Phase::along(line.positions()).collect();
    let mut explainer = Explainer { survey: &mut survey, line: &line, mode };
    let mut moves = Vec::with_capacity(all.len());
    let mut here = line.clone();
    here.truncate(0);
    for (ply, judged) in all.iter().enumerate() {
        let claims = explainer.claims(ply, &all)?;
        let root = here.position().clone();
        moves.push(MoveReport {
            played: MoveText::of(judged.played, &root, mode),
            side: root.turn(),
            label: judged.label,
            close_call: judged.close_call,
            best: judged.seen.variation(&here).text(SHOWN, mode),
            score: after_the_move(judged.played_score).for_white(root.turn()).into(),
            best_score: judged.best_score.for_white(root.turn()).into(),
            best_points: rounded(judged.facts.best),
            played_points: rounded(judged.facts.played),
            other_points: judged.facts.other.map(rounded),
            centipawn_loss: sides::centipawn_loss(judged.best_score, judged.played_score),
            accuracy: rounded(sides::accuracy(judged, plan.mode)),
            phase: phases[ply],
            clock: None,
            claims,
        });
        here.play(judged.played).expect("a move of the game");
    }
    let puzzles = if plan.puzzles && plan.mode == Mode::Riga {
        Finder { survey: &mut survey, line: &line, mode }.all(&all, &moves)?
    } else {
        Vec::new()
    };
    sides::add_clocks(game, &mut moves);
    let first = line.start().turn();
    let [white, black] = sides::figures(first, &all, &moves, plan.mode);
    Ok(GameReport {
        engine: name.to_owned(),
        nodes: plan.nodes(),
        mode: plan.mode,
        steps: plan.steps,
        start: line.start().to_string(),
        result: game.result,
        opening: book.opening(all.iter().map(|judged| judged.label), plan.mode),
        score: start.for_white(first).into(),
        turning_points: turning::points(&all),
        moves,
        white,
        black,
        puzzles,
    })
}

/// What the claims of a review are made from: the evidence about every marked move of a game, in
/// order.
pub fn evidence(
    game: &Game,
    analyst: &mut dyn Analyst,
    plan: &Plan,
) -> Result<Vec<Evidence>, ReviewError> {
    analyst.new_game()?;
    let mut survey = Survey { analyst, plan, stop: &Stop::new() };
    let line = game.line();
    let book = Book::of(&line, game.variant());
    let mut judge = Judge { survey: &mut survey, line: &line, book: book.plies };
    let (_, all) = judge.all(&mut |_| {})?;
    let mode = line.start().castling_mode();
    let mut explainer = Explainer { survey: &mut survey, line: &line, mode };
    (0..all.len()).filter_map(|ply| explainer.evidence(ply, &all).transpose()).collect()
}

/// Number of plies of the best line that are reported.
const SHOWN: usize = 12;

/// Two decimals are enough for people, and equal on every machine.
fn rounded(points: f64) -> f64 {
    (points * 100.0).round() / 100.0
}
