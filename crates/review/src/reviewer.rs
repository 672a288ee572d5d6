//! The review of a game: from its last position to the first.
//!
//! Backwards, because a position is worth at least what its best known move leads to: so the
//! engine's memory knows what comes, and the move it would play itself is never criticised.

use chess::{Line, Move};
use engine::wdl::material;
use engine::{Analyst, AnalystError, MatePlies, Score, Stop};
use game::Game;

use crate::claims::Explainer;
use crate::curve::points;
use crate::label::{GROUP_STEPS, label};
use crate::opening::Book;
use crate::puzzles::Finder;
use crate::report::{GameReport, MoveReport, MoveText};
use crate::sides::{self, Judged};
use crate::survey::{Seen, Survey, after_the_move, final_score, one_ply_earlier};
use crate::{Facts, Gift, Group, Label, Mode, Phase, Plan, classic, lichess, special, turning};

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
    let (start, mut all) = judge.all(progress)?;
    label_misses(&mut all, plan.mode);
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
        start: line.start().to_string(),
        result: game.result,
        opening: book.opening,
        score: start.for_white(first).into(),
        turning_points: turning::points(&all),
        moves,
        white,
        black,
        puzzles,
    })
}

/// Number of plies of the best line that are reported.
const SHOWN: usize = 12;

/// Two decimals are enough for people, and equal on every machine.
fn rounded(points: f64) -> f64 {
    (points * 100.0).round() / 100.0
}

/// A second search begins with this multiple of the effort, and ends with this one.
const AGAIN: [f64; 2] = [4.0, 8.0];
/// A loss within this share of a step between groups is near it; after the last search, it is a
/// close call.
const NEAR: f64 = 0.4;
const CLOSE: f64 = 0.1;
/// If the first half of the effort finds less than this many points more than was played, the
/// other half is saved.
const SETTLED: f64 = 1.0;

/// Judges the moves of a game, the last first.
struct Judge<'a, 'b> {
    survey: &'a mut Survey<'b>,
    line: &'a Line,
    /// Number of plies in the opening book.
    book: usize,
}

impl Judge<'_, '_> {
    /// The score of the start position for its side to move, and all moves.
    fn all(
        &mut self,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<(Score, Vec<Judged>), ReviewError> {
        let of = self.line.len();
        let moves: Vec<Move> = self.line.moves().collect();
        let mut here = self.line.clone();
        let mut value = match final_score(here.position()) {
            Some(score) => score,
            None => self.survey.best(&here, 1.0)?.score,
        };
        let mut judged = Vec::with_capacity(of);
        for ply in (0..of).rev() {
            here.truncate(ply);
            let one = self.one(&here, moves[ply], value)?;
            value = one.value();
            progress(Progress {
                done: of - ply,
                of,
                ply,
                label: one.label,
                score: after_the_move(one.played_score).for_white(here.position().turn()),
            });
            judged.push(one);
        }
        judged.reverse();
        Ok((value, judged))
    }

    /// Judges a move by the value of the position it leads to.
    fn one(&mut self, line: &Line, played: Move, after: Score) -> Result<Judged, ReviewError> {
        let root = line.position();
        let weight = material(root);
        let worth = |score: Score| points(score, weight);
        let child = one_ply_earlier(after);
        let replies = root.legal_moves().len();
        if replies == 1 {
            let facts =
                Facts { replies, best: worth(child), played: worth(child), ..Facts::default() };
            let seen = Seen { best: played, score: child, pv: vec![played] };
            return Ok(Judged::new(
                played,
                seen,
                child,
                [child, child],
                facts,
                self.survey.plan.mode,
            ));
        }
        let mut seen = self.survey.best(line, 0.5)?;
        if seen.best != played && worth(seen.score) - worth(child) >= SETTLED {
            seen = self.survey.best(line, 1.0)?;
        }
        let mut scores = [seen.score.max(child), child];
        let mut is_best = seen.best == played || child >= seen.score;
        if is_best {
            scores[0] = child;
        }
        let loss = |scores: [Score; 2]| worth(scores[0]) - worth(scores[1]);
        if !is_best && self.survey.plan.second_search && self.survey.plan.mode == Mode::Riga {
            for times in AGAIN {
                if step_near(loss(scores), NEAR).is_none() {
                    break;
                }
                scores = self.survey.compare(line, [seen.best, played], times)?;
                if scores[1] >= scores[0] {
                    is_best = true;
                    scores[0] = scores[1];
                }
            }
        }
        let mut facts = Facts {
            replies,
            // The tables also name mates; those deserve better.
            book: line.len() < self.book && child != Score::Mate(MatePlies(1)),
            best: worth(scores[0]),
            played: worth(scores[1]),
            is_best,
            ..Facts::default()
        };
        if is_best {
            special::look(self.survey, line, played, &mut facts)?;
        }
        let mut judged = Judged::new(played, seen, child, scores, facts, self.survey.plan.mode);
        if !is_best && judged.label.is_marked() && self.survey.plan.mode == Mode::Riga {
            judged.soften();
        }
        Ok(judged)
    }
}

/// The step between groups that a loss is near to.
fn step_near(loss: f64, share: f64) -> Option<f64> {
    GROUP_STEPS.into_iter().find(|&step| (loss - step).abs() < step * share)
}

/// A mistake that returns the opponent's gift is a miss. It needs the moves before, which are judged
/// later.
fn label_misses(judged: &mut [Judged], mode: Mode) {
    for ply in 1..judged.len() {
        let before = judged[ply - 1].facts;
        let gift = Gift { lost: before.loss(), before: 100.0 - before.best };
        judged[ply].facts.gift = Some(gift);
        if mode == Mode::Riga && judged[ply].label.group() >= Group::Mistake {
            let with_gift = label(&judged[ply].facts);
            if with_gift == Label::Miss {
                judged[ply].label = with_gift;
            }
        }
    }
}

impl Judged {
    fn new(
        played: Move,
        seen: Seen,
        after: Score,
        [best_score, played_score]: [Score; 2],
        facts: Facts,
        mode: Mode,
    ) -> Self {
        let label = match mode {
            Mode::Riga => label(&facts),
            Mode::Lichess => {
                let unmarked = if facts.is_best { Label::Best } else { Label::Good };
                lichess(seen.score, after).unwrap_or(unmarked)
            }
            Mode::Classic => {
                classic(sides::in_centipawns(seen.score) - sides::in_centipawns(after))
            }
        };
        Self { played, seen, after, best_score, played_score, facts, label, close_call: false }
    }

    /// What the position before the move is worth to its side to move.
    fn value(&self) -> Score {
        self.best_score.max(self.played_score)
    }

    /// A close call: takes the milder label of two that are equally likely.
    fn soften(&mut self) {
        let loss = self.facts.loss();
        let Some(step) = step_near(loss, CLOSE) else { return };
        if loss >= step {
            let facts = Facts { played: self.facts.best - step + 0.01, ..self.facts };
            self.label = label(&facts);
        }
        self.close_call = true;
    }
}
