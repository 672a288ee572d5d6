//! Finding puzzles: bad moves that had exactly one good alternative.

use chess::{CastlingMode, Line, Move};
use engine::wdl::material;
use engine::{MatePlies, Score};

use crate::curve::points;
use crate::puzzle::{Puzzle, PuzzleKind};
use crate::report::{Claim, MoveReport};
use crate::sides::Judged;
use crate::special::is_recapture;
use crate::survey::Survey;
use crate::variation::Variation;
use crate::{Group, Motif, ReviewError, Whose};

/// The effort for all puzzles of a game, for each of its plies, and the least.
const BUDGET: f64 = 0.15;
const LEAST: f64 = 4.0;
/// The most moves of a solution.
const LONGEST: usize = 4;
/// Points by which a move must be better than all others, if that makes a difference: if it wins
/// or saves the game.
const MARGIN: f64 = 10.0;
/// Points by which it must be better if it makes no such difference.
const WIDE_MARGIN: f64 = 20.0;
/// Below the first a game is lost, from the second on it is won.
const CLASSES: [f64; 2] = [25.0, 75.0];
/// Plies to a mate that must be found to its end.
const MATE: i32 = 7;

/// Finds the puzzles of a game.
pub(crate) struct Finder<'a, 'b> {
    pub survey: &'a mut Survey<'b>,
    pub line: &'a Line,
    pub mode: CastlingMode,
}

impl Finder<'_, '_> {
    /// The puzzles of a game, in its order. The costliest mistakes are looked at first, until the
    /// effort is spent.
    pub(crate) fn all(
        &mut self,
        judged: &[Judged],
        moves: &[MoveReport],
    ) -> Result<Vec<Puzzle>, ReviewError> {
        let mut budget = (BUDGET * judged.len() as f64).max(LEAST);
        let mut candidates: Vec<usize> =
            (0..judged.len()).filter(|&ply| self.is_candidate(ply, &judged[ply])).collect();
        let loss = |ply: usize| judged[ply].facts.loss();
        candidates.sort_by(|&a, &b| loss(b).total_cmp(&loss(a)));
        let mut puzzles = Vec::new();
        for ply in candidates {
            if budget < 1.0 {
                break;
            }
            puzzles.extend(self.one(ply, &judged[ply], &moves[ply], &mut budget)?);
        }
        puzzles.sort_by_key(|puzzle| puzzle.ply);
        Ok(puzzles)
    }

    /// Whether a bad move is worth a look: the better move must not be obvious.
    fn is_candidate(&self, ply: usize, judged: &Judged) -> bool {
        if judged.label.group() < Group::Mistake || judged.close_call {
            return false;
        }
        let here = self.before(ply);
        let escapes = here.position().is_check() && judged.facts.replies <= 2;
        !escapes && !is_recapture(&here, judged.seen.best)
    }

    fn before(&self, ply: usize) -> Line {
        let mut here = self.line.clone();
        here.truncate(ply);
        here
    }

    fn one(
        &mut self,
        ply: usize,
        judged: &Judged,
        report: &MoveReport,
        budget: &mut f64,
    ) -> Result<Option<Puzzle>, ReviewError> {
        let here = self.before(ply);
        let root = here.position();
        let best = judged.seen.best;
        let others: Vec<Move> = root.legal_moves().into_iter().filter(|&m| m != best).collect();
        *budget -= 1.0;
        let other = self.survey.best_of(&here, others, 1.0)?.score;
        let weight = material(root);
        let worth = [judged.best_score, other].map(|score| points(score, weight));
        if !is_only(worth) {
            return Ok(None);
        }
        let solution = self.solution(&here, &judged.seen.pv, budget)?;
        let gift = judged.facts.gift.map_or(0.0, |gift| gift.lost);
        let hundredths = |points: f64| (points * 100.0).round() / 100.0;
        Ok(Some(Puzzle {
            ply,
            side: report.side,
            kind: if gift >= MARGIN { PuzzleKind::Chance } else { PuzzleKind::Mistake },
            solution: solution.text(usize::MAX, self.mode),
            lost: hundredths(judged.facts.loss()),
            margin: hundredths(worth[0] - worth[1]),
            themes: themes(&report.claims),
            phase: report.phase,
        }))
    }

    /// The best move and what follows, as long as there is one good move only.
    fn solution(
        &mut self,
        here: &Line,
        pv: &[Move],
        budget: &mut f64,
    ) -> Result<Variation, ReviewError> {
        let mut line = here.clone();
        let mut next = pv.to_vec();
        let mut len = line.len();
        for _ in 0..LONGEST {
            if next.is_empty() || line.play(next[0]).is_err() {
                break;
            }
            len = line.len();
            let replied = next.get(1).is_some_and(|&reply| line.play(reply).is_ok());
            if !replied || line.position().legal_moves().len() < 2 || *budget < 1.0 {
                break;
            }
            *budget -= 1.0;
            let [first, second] = self.survey.best_two(&line)?;
            let weight = material(line.position());
            let worth = [first.score, second.score].map(|score| points(score, weight));
            if !is_only(worth) && !mates_alone([first.score, second.score]) {
                break;
            }
            next = first.pv;
        }
        line.truncate(len);
        Ok(Variation::after(&line, here.len()))
    }
}

/// Whether the best move is the only one, by the points it and the best of all others are worth.
fn is_only([best, other]: [f64; 2]) -> bool {
    let decides = CLASSES.into_iter().any(|class| other < class && best >= class);
    best - other >= WIDE_MARGIN || best - other >= MARGIN && decides
}

/// Whether only the best move mates soon.
fn mates_alone([best, other]: [Score; 2]) -> bool {
    let soon = |score| matches!(score, Score::Mate(MatePlies(1..=MATE)));
    soon(best) && !soon(other)
}

/// What a puzzle is about: what was missed, or else what the move played allowed.
fn themes(claims: &[Claim]) -> Vec<Motif> {
    let of = |whose: Whose| -> Vec<Motif> {
        claims.iter().filter(|claim| claim.whose == whose).map(|claim| claim.motif).collect()
    };
    let missed = of(Whose::Missed);
    if missed.is_empty() { of(Whose::Allowed) } else { missed }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_only_move_has_a_margin() {
        assert!(is_only([80.0, 70.0]), "it wins, the others don't");
        assert!(is_only([30.0, 20.0]), "it saves the game");
        assert!(!is_only([70.0, 55.0]), "15 points and no difference");
        assert!(is_only([70.0, 50.0]));
        assert!(!is_only([99.0, 92.0]), "both win");
        assert!(!is_only([78.0, 70.0]), "less than ten points");
    }

    #[test]
    fn a_mate_is_found_to_its_end() {
        let mate = |plies| Score::Mate(MatePlies(plies));
        assert!(mates_alone([mate(3), Score::Cp(1_500)]));
        assert!(!mates_alone([mate(3), mate(5)]));
        assert!(!mates_alone([mate(-2), Score::Cp(-1_500)]));
    }
}
