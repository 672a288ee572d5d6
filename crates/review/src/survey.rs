//! Asking the analyst about the positions of a game, and playing lines out.

use chess::{Line, Move, Position, Role};
use engine::wdl::material;
use engine::{Analyst, Limits, MatePlies, Question, Report, Score, Stop, Verdict};

use crate::board::is_quiet;
use crate::curve::points;
use crate::variation::Variation;
use crate::{Plan, ReviewError};

/// The share of the effort that a move of a line to be played out gets, and with care; and the least nodes.
const PLAYING: [f64; 2] = [0.03, 0.3];
const PLAYING_NODES: u64 = 1_000;
/// The most plies of a line, and of one in which something is still going on.
const LONGEST: usize = 12;
const LONGEST_FIGHT: usize = 20;
/// Points by which a rook must be better than a queen to be promoted to.
const HARDLY: f64 = 1.0;
/// Depths at which a surprising move is not seen yet.
const SHALLOW: std::ops::RangeInclusive<u32> = 3..=7;

/// An analyst at work.
pub(crate) struct Survey<'a> {
    pub analyst: &'a mut dyn Analyst,
    pub plan: &'a Plan,
    pub stop: &'a Stop,
}

/// What a search says about a position, for its side to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Seen {
    pub best: Move,
    pub score: Score,
    pub pv: Vec<Move>,
}

impl Seen {
    /// The engine's line after the game so far, as far as it is legal.
    pub(crate) fn variation(&self, here: &Line) -> Variation {
        let mut line = here.clone();
        for &m in &self.pv {
            if line.play(m).is_err() {
                break;
            }
        }
        Variation::after(&line, here.len())
    }
}

impl Survey<'_> {
    /// The best move at the end of a line, with a multiple of the effort.
    pub(crate) fn best(&mut self, line: &Line, times: f64) -> Result<Seen, ReviewError> {
        let limits = self.plan.effort.limits(times);
        let seen = self.one(&Question::new(line.clone()).limits(limits))?;
        self.prefer_queen(line, seen)
    }

    /// A new queen, if the engine wants a rook or bishop that is hardly better: in a won position it
    /// doesn't care, but people do.
    pub(crate) fn prefer_queen(&mut self, line: &Line, seen: Seen) -> Result<Seen, ReviewError> {
        if !matches!(seen.best.promotion(), Some(Role::Rook | Role::Bishop)) {
            return Ok(seen);
        }
        let is_queen = |m: &Move| {
            let same = (m.from(), m.to()) == (seen.best.from(), seen.best.to());
            same && m.promotion() == Some(Role::Queen)
        };
        let Some(queen) = line.position().legal_moves().into_iter().find(is_queen) else {
            return Ok(seen);
        };
        let weight = material(line.position());
        let queen = self.best_of(line, vec![queen], 0.5)?;
        let loss = points(seen.score, weight) - points(queen.score, weight);
        Ok(if loss < HARDLY { queen } else { seen })
    }

    /// The best of some moves.
    pub(crate) fn best_of(
        &mut self,
        line: &Line,
        moves: Vec<Move>,
        times: f64,
    ) -> Result<Seen, ReviewError> {
        let question = Question::new(line.clone()).search_moves(moves);
        self.one(&question.limits(self.plan.effort.limits(times)))
    }

    /// The best two moves at the end of a line, which must have them.
    pub(crate) fn best_two(&mut self, line: &Line) -> Result<[Seen; 2], ReviewError> {
        let question = Question::new(line.clone()).lines(2);
        let verdict = self.ask_with(&question.limits(self.plan.effort.limits(1.0)), &mut |_| {})?;
        let mut lines = verdict.lines.into_iter().map(|line| {
            let best = *line.pv.first().ok_or(ReviewError::NoScore)?;
            Ok(Seen { best, score: line.score, pv: line.pv })
        });
        let mut next = || lines.next().unwrap_or(Err(ReviewError::NoScore));
        Ok([next()?, next()?])
    }

    /// How many of the shallow depths prefer a move, searched without any memory.
    pub(crate) fn shallow_votes(&mut self, line: &Line, m: Move) -> Result<usize, ReviewError> {
        self.analyst.new_game()?;
        let mut choices = vec![None; *SHALLOW.end() as usize + 1];
        let question = Question::new(line.clone()).limits(Limits::depth(*SHALLOW.end()));
        self.ask_with(&question, &mut |report| {
            if let Some(choice) = choices.get_mut(report.depth as usize) {
                *choice = report.pv.first().copied();
            }
        })?;
        Ok(SHALLOW.filter(|&depth| choices[depth as usize] == Some(m)).count())
    }

    /// Plays a line out: the first moves are given, the others are the analyst's for both sides,
    /// until nothing more is going on.
    pub(crate) fn play_out(
        &mut self,
        line: &Line,
        first: &[Move],
        care: bool,
    ) -> Result<Variation, ReviewError> {
        let mut played = line.clone();
        for &m in first {
            played.play(m).map_err(|_| ReviewError::NoScore)?;
        }
        loop {
            let variation = Variation::after(&played, line.len());
            let over = played.position().outcome().is_some() || played.repetitions() > 2;
            let len = variation.moves.len();
            if over || len >= 4 && variation.is_settled() {
                return Ok(variation);
            }
            if len >= LONGEST && is_quiet(played.position()) || len >= LONGEST_FIGHT {
                return Ok(variation.up_to_the_last_quiet_move());
            }
            let next = self.next_move(&played, care)?;
            played.play(next.best).map_err(|_| ReviewError::NoScore)?;
        }
    }

    /// The next move of a line that is played out.
    fn next_move(&mut self, line: &Line, care: bool) -> Result<Seen, ReviewError> {
        let mut limits = self.plan.effort.limits(PLAYING[usize::from(care)]);
        limits.nodes = limits.nodes.map(|nodes| nodes.max(PLAYING_NODES));
        self.one(&Question::new(line.clone()).limits(limits))
    }

    /// The first line of an answer.
    pub(crate) fn one(&mut self, question: &Question) -> Result<Seen, ReviewError> {
        self.check_stop()?;
        let verdict = self.analyst.decide(question, self.stop)?;
        self.check_stop()?;
        let line = verdict.lines.into_iter().next().ok_or(ReviewError::NoScore)?;
        Ok(Seen { best: verdict.best, score: line.score, pv: line.pv })
    }

    /// An answer, and what is reported on the way to it.
    pub(crate) fn ask_with(
        &mut self,
        question: &Question,
        report: &mut dyn FnMut(Report),
    ) -> Result<Verdict, ReviewError> {
        self.check_stop()?;
        let verdict = self.analyst.analyse(question, self.stop, report)?;
        self.check_stop()?;
        Ok(verdict)
    }

    /// A search that was stopped half-way would change the report.
    fn check_stop(&self) -> Result<(), ReviewError> {
        if self.stop.is_stopped() { Err(ReviewError::Stopped) } else { Ok(()) }
    }
}

/// A score of the next position, for the side that moves now.
pub(crate) fn one_ply_earlier(score: Score) -> Score {
    match score {
        Score::Cp(centipawns) => Score::Cp(-centipawns),
        Score::Mate(MatePlies(plies)) if plies > 0 => Score::Mate(MatePlies(-plies - 1)),
        Score::Mate(MatePlies(plies)) => Score::Mate(MatePlies(1 - plies)),
    }
}

/// A score of a move, for the same side, counted from the position after it.
pub(crate) fn after_the_move(score: Score) -> Score {
    match score {
        Score::Mate(MatePlies(plies)) => Score::Mate(MatePlies(plies - plies.signum())),
        score @ Score::Cp(_) => score,
    }
}

/// The score of a finished game for its side to move; none if it goes on.
pub(crate) fn final_score(position: &Position) -> Option<Score> {
    position.outcome().map(|outcome| match outcome.winner() {
        Some(_) => Score::Mate(MatePlies(0)),
        None => Score::Cp(0),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mate_is_one_ply_further_away_a_ply_earlier() {
        let mate = |plies| Score::Mate(MatePlies(plies));
        assert_eq!(one_ply_earlier(mate(0)), mate(1));
        assert_eq!(one_ply_earlier(mate(-2)), mate(3));
        assert_eq!(one_ply_earlier(mate(1)), mate(-2));
        assert_eq!(one_ply_earlier(Score::Cp(30)), Score::Cp(-30));
        assert_eq!(after_the_move(mate(1)), mate(0));
        assert_eq!(after_the_move(mate(-4)), mate(-3));
    }
}
