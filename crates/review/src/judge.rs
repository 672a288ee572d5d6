//! Judges the moves of a game, from the last to the first.
//!
//! Backwards, because a position is worth at least what its best known move leads to: so the
//! engine's memory knows what comes, and the move it would play itself is never criticised.

use chess::{Line, Move};
use engine::Score;
use engine::wdl::material;

use crate::curve::points;
use crate::label::label;
use crate::second::{is_doubtful, is_fine};
use crate::sides::{self, Judged};
use crate::survey::{Seen, Survey, after_the_move, final_score, one_ply_earlier};
use crate::{
    Facts, Gift, Group, Label, Mode, Plan, Progress, ReviewError, Steps, classic, lichess, special,
};

/// A loss within this share of a step between groups is a close call.
const CLOSE: f64 = 0.1;
/// Whether a big loss is a miss depends on the move before; what is nearly a mistake, by this share
/// of its step, is looked at twice.
const NEARLY: f64 = 0.8;

/// Judges the moves of a game.
pub(crate) struct Judge<'a, 'b> {
    pub survey: &'a mut Survey<'b>,
    pub line: &'a Line,
    /// Number of plies in the opening book.
    pub book: usize,
}

/// The best move of a position, the scores of best and played move, and whether they are the same.
struct Compared {
    seen: Seen,
    best: Score,
    played: Score,
    is_best: bool,
}

impl Compared {
    /// A parent is never worse than its best known child.
    fn new(seen: Seen, played: Move, score: Score) -> Self {
        let is_best = seen.best == played || score >= seen.score;
        let best = if is_best { score } else { seen.score };
        Self { seen, best, played: score, is_best }
    }
}

impl Judge<'_, '_> {
    /// The score of the start position for its side to move, and all moves.
    pub(crate) fn all(
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
        if self.survey.plan.mode == Mode::Riga {
            self.leave_book(&mut judged)?;
            self.settle_gifts(&mut judged)?;
        }
        label_misses(&mut judged, self.survey.plan);
        Ok((value, judged))
    }

    /// Judges a move by the value of the position it leads to.
    fn one(&mut self, line: &Line, played: Move, after: Score) -> Result<Judged, ReviewError> {
        let root = line.position();
        let weight = material(root);
        let worth = |score: Score| points(score, weight);
        let child = one_ply_earlier(after);
        if root.legal_moves().len() == 1 {
            let seen = Seen { best: played, score: child, pv: vec![played] };
            let compared = Compared::new(seen, played, child);
            return self.judge(line, played, child, compared);
        }
        // Half of the effort, and the other half only if it matters and no second look is due.
        let mut seen = self.survey.best(line, 0.5)?;
        for is_last in [false, true] {
            let (best, steps) = (worth(seen.score), &self.survey.plan.steps);
            if seen.best == played || is_fine(best, worth(child), steps) {
                break;
            }
            if self.looks_twice() && is_doubtful(best, worth(child), steps) {
                return self.again(line, played, child);
            }
            if !is_last {
                seen = self.survey.best(line, 1.0)?;
            }
        }
        self.judge(line, played, child, Compared::new(seen, played, child))
    }

    fn looks_twice(&self) -> bool {
        self.survey.plan.second_search && self.survey.plan.mode == Mode::Riga
    }

    /// Judges a move by a second look.
    fn again(&mut self, line: &Line, played: Move, child: Score) -> Result<Judged, ReviewError> {
        let look = self.survey.second_look(line, played)?;
        // A mate that is known after the move can't be unknown before it.
        let score = if matches!(child, Score::Mate(_)) { child } else { look.played };
        let compared = Compared::new(look.seen, played, score);
        let judged = self.judge(line, played, child, compared)?;
        Ok(Judged { twice: true, ..judged })
    }

    /// Puts together what is known about a move.
    fn judge(
        &mut self,
        line: &Line,
        played: Move,
        child: Score,
        compared: Compared,
    ) -> Result<Judged, ReviewError> {
        let weight = material(line.position());
        let Compared { seen, best, played: score, is_best } = compared;
        let mut facts = Facts {
            replies: line.position().legal_moves().len(),
            book: line.len() < self.book,
            best: points(best, weight),
            played: points(score, weight),
            is_best,
            ..Facts::default()
        };
        if is_best && facts.replies > 1 {
            special::look(self.survey, line, played, &mut facts)?;
        }
        let mode = self.survey.plan.mode;
        let label = match mode {
            Mode::Riga => label(&facts, &self.survey.plan.steps),
            Mode::Lichess => {
                let unmarked = if is_best { Label::Best } else { Label::Good };
                lichess(seen.score, child).unwrap_or(unmarked)
            }
            Mode::Classic => {
                classic(sides::in_centipawns(seen.score) - sides::in_centipawns(child))
            }
        };
        let mut judged = Judged {
            played,
            seen,
            after: child,
            best_score: best,
            played_score: score,
            facts,
            label,
            close_call: false,
            twice: false,
        };
        if !is_best && label.is_marked() && mode == Mode::Riga {
            judged.soften(&self.survey.plan.steps);
        }
        Ok(judged)
    }

    /// Book ends with the first move that is too bad for it: later ones are judged like all others.
    fn leave_book(&mut self, all: &mut [Judged]) -> Result<(), ReviewError> {
        let moves = &all[..self.book.min(all.len())];
        let Some(end) = moves.iter().position(|judged| judged.label != Label::Book) else {
            return Ok(());
        };
        let rest = std::mem::replace(&mut self.book, end);
        for (ply, one) in all.iter_mut().enumerate().take(rest).skip(end + 1) {
            let mut here = self.line.clone();
            here.truncate(ply);
            let compared = Compared {
                seen: one.seen.clone(),
                best: one.best_score,
                played: one.played_score,
                is_best: one.facts.is_best,
            };
            let twice = one.twice;
            *one = Judged { twice, ..self.judge(&here, one.played, one.after, compared)? };
        }
        Ok(())
    }

    /// Looks twice at big mistakes that follow each other: whether the second one is a miss is a
    /// question of a few points, too.
    fn settle_gifts(&mut self, all: &mut [Judged]) -> Result<(), ReviewError> {
        let nearly = NEARLY * self.survey.plan.steps.mistake;
        let is_big = |judged: &Judged| judged.facts.loss() >= nearly;
        let pairs = (1..all.len()).filter(|&ply| is_big(&all[ply - 1]) && is_big(&all[ply]));
        let mut plies: Vec<usize> = pairs.flat_map(|ply| [ply - 1, ply]).collect();
        plies.dedup();
        plies.retain(|&ply| !all[ply].twice && self.looks_twice());
        for ply in plies {
            let mut here = self.line.clone();
            here.truncate(ply);
            all[ply] = self.again(&here, all[ply].played, all[ply].after)?;
        }
        Ok(())
    }
}

/// The step between groups that a loss is near to.
fn step_near(loss: f64, share: f64, steps: &Steps) -> Option<f64> {
    steps.groups().into_iter().find(|&step| (loss - step).abs() < step * share)
}

/// A mistake that returns the opponent's gift is a miss. It needs the moves before, which are judged
/// later.
fn label_misses(judged: &mut [Judged], plan: &Plan) {
    for ply in 1..judged.len() {
        let before = judged[ply - 1].facts;
        let gift = Gift { lost: before.loss(), before: 100.0 - before.best };
        judged[ply].facts.gift = Some(gift);
        if plan.mode == Mode::Riga && judged[ply].label.group() >= Group::Mistake {
            let with_gift = label(&judged[ply].facts, &plan.steps);
            if with_gift == Label::Miss {
                judged[ply].label = with_gift;
            }
        }
    }
}

impl Judged {
    /// What the position before the move is worth to its side to move.
    fn value(&self) -> Score {
        self.best_score.max(self.played_score)
    }

    /// A close call: takes the milder label of two that are equally likely.
    fn soften(&mut self, steps: &Steps) {
        let loss = self.facts.loss();
        let Some(step) = step_near(loss, CLOSE, steps) else { return };
        if loss >= step {
            let facts = Facts { played: self.facts.best - step + 0.01, ..self.facts };
            self.label = label(&facts, steps);
        }
        self.close_call = true;
    }
}
