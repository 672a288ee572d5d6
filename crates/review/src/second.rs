//! The second look at a move whose label is in doubt.
//!
//! Doubling the nodes of a search moves the loss of a move by more than a point on average, so a label
//! near a step is a matter of luck. The second look is the same whatever else was searched: it begins with an empty
//! memory, its nodes hardly depend on the plan, and it takes the mean over several depths.

use chess::{Line, Move};
use engine::wdl::material;
use engine::{Bound, Question, Report, Score};

use crate::curve::points;
use crate::survey::{Seen, Survey};
use crate::{ReviewError, Steps};

/// Below this share of an inaccuracy a move is fine, whatever another search says.
const FINE: f64 = 0.4;
/// And from this multiple of a blunder on it is one.
const CLEAR: f64 = 1.5;
/// In a position that is lost anyway, no move is marked.
const LOST: f64 = 4.5;
/// The most depths whose scores are averaged.
const DEPTHS: usize = 6;
/// A depth that differs by more points than this from the last one didn't see what it sees.
const SIGHT: f64 = 6.0;

/// What a second look says: the best move, and the scores of both.
pub(crate) struct SecondLook {
    pub seen: Seen,
    /// The score of the move played; it may be better than the one that was best at first.
    pub played: Score,
}

/// Whether a move that loses this much is good enough to leave it at that.
pub(crate) fn is_fine(best: f64, played: f64, steps: &Steps) -> bool {
    best - played < FINE * steps.inaccuracy
}

/// Whether the label of a move that loses this much should be looked at again.
pub(crate) fn is_doubtful(best: f64, played: f64, steps: &Steps) -> bool {
    let clear = best - played >= CLEAR * steps.blunder;
    best >= LOST && !is_fine(best, played, steps) && !clear
}

impl Survey<'_> {
    /// Looks again: first for the best move, then at both side by side.
    pub(crate) fn second_look(
        &mut self,
        line: &Line,
        played: Move,
    ) -> Result<SecondLook, ReviewError> {
        self.analyst.new_game()?;
        let limits = self.plan.effort.second_look();
        let seen = self.one(&Question::new(line.clone()).limits(limits))?;
        let mut seen = self.prefer_queen(line, seen)?;
        if seen.best == played {
            return Ok(SecondLook { played: seen.score, seen });
        }
        let question = Question::new(line.clone()).search_moves([seen.best, played]).lines(2);
        let mut depths = Depths([Vec::new(), Vec::new()]);
        let verdict = self.ask_with(&question.limits(limits), &mut |report| {
            depths.add(&report, [seen.best, played]);
        })?;
        for (scores, m) in depths.0.iter_mut().zip([seen.best, played]) {
            // A foreign engine may report nothing on the way.
            let last = verdict.lines.iter().find(|line| line.pv.first() == Some(&m));
            if scores.is_empty() {
                scores.push(last.ok_or(ReviewError::NoScore)?.score);
            }
            if m == seen.best
                && let Some(line) = last
            {
                seen.pv.clone_from(&line.pv);
            }
        }
        let weight = material(line.position());
        let [best, played] = depths.0.map(|scores| mean(&scores, weight));
        seen.score = best;
        Ok(SecondLook { seen, played })
    }
}

/// The scores of two moves, the deepest last.
struct Depths([Vec<Score>; 2]);

impl Depths {
    fn add(&mut self, report: &Report, moves: [Move; 2]) {
        let which = moves.iter().position(|m| report.pv.first() == Some(m));
        if let Some(which) = which.filter(|_| report.bound == Bound::Exact) {
            self.0[which].push(report.score);
        }
    }
}

/// The mean of the last scores that see about the same; a mate is what it is.
fn mean(scores: &[Score], material: u32) -> Score {
    let Some(&last) = scores.last() else { return Score::Cp(0) };
    let worth = |score: Score| points(score, material);
    let alike: Vec<i32> = scores
        .iter()
        .rev()
        .take(DEPTHS)
        .map_while(|&score| match score {
            Score::Cp(cp) if (worth(score) - worth(last)).abs() <= SIGHT => Some(cp),
            _ => None,
        })
        .collect();
    if matches!(last, Score::Mate(_)) || alike.is_empty() {
        return last;
    }
    Score::Cp((f64::from(alike.iter().sum::<i32>()) / alike.len() as f64).round() as i32)
}

#[cfg(test)]
mod tests {
    use engine::MatePlies;

    use super::*;

    fn steady(scores: &[i32]) -> Score {
        mean(&scores.iter().map(|&cp| Score::Cp(cp)).collect::<Vec<_>>(), 60)
    }

    #[test]
    fn the_last_depths_are_averaged() {
        assert_eq!(steady(&[10, 20, 30, 40]), Score::Cp(25));
        assert_eq!(steady(&[900, 0, 10, 20, 30, 40, 50]), Score::Cp(25), "only six of them");
        assert_eq!(steady(&[30, 30, 300, 310]), Score::Cp(305), "what was seen late counts");
    }

    #[test]
    fn a_mate_is_not_averaged() {
        let mate = Score::Mate(MatePlies(5));
        assert_eq!(mean(&[Score::Cp(300), mate], 60), mate);
        assert_eq!(mean(&[mate, Score::Cp(300)], 60), Score::Cp(300));
    }

    #[test]
    fn only_some_losses_are_in_doubt() {
        let is_doubtful = |best, played| is_doubtful(best, played, &Steps::default());
        assert!(is_doubtful(60.0, 55.0) && is_doubtful(60.0, 40.0));
        assert!(!is_doubtful(60.0, 58.5) && !is_doubtful(60.0, 30.0) && !is_doubtful(4.0, 0.0));
    }
}
