//! Test suites: positions with a known best move, a move to avoid, or a mate to find.

use std::str::FromStr;

use chess::{FenError, Line, Move, Position};
use engine::{Analyst, AnalystError, Limits, MatePlies, Question, Score, Stop};

use crate::epd::Epd;

/// A position and its goal, parsed from a line of an EPD file.
///
/// `bm` and `am` take moves in SAN or UCI form, `bm #3` and `dm 3` ask for a mate in three or
/// fewer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exercise {
    /// The position.
    pub position: Position,
    /// Its name, from `id`.
    pub name: Option<String>,
    /// The goal.
    pub goal: Goal,
}

/// The goal of an exercise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Goal {
    /// One of these moves.
    Play(Vec<Move>),
    /// None of these moves.
    Avoid(Vec<Move>),
    /// A forced mate in at most this many moves; negative if the side to move is mated.
    Mate(i32),
}

/// Why a line can't be used.
#[derive(Debug, thiserror::Error)]
pub enum ExerciseError {
    /// The position is invalid.
    #[error(transparent)]
    Position(#[from] FenError),
    /// A move is illegal.
    #[error("`{0}` is not a legal move in the position")]
    Move(String),
    /// The number of moves to mate is invalid.
    #[error("`{0}` is not a number of moves to mate")]
    Mate(String),
    /// The game is over, so that there is no move to find.
    #[error("there is no legal move in the position")]
    Over,
    /// There is no goal.
    #[error("the line has neither bm, am nor dm")]
    NoGoal,
}

impl FromStr for Exercise {
    type Err = ExerciseError;

    fn from_str(line: &str) -> Result<Self, ExerciseError> {
        let Epd { fen, operations } = Epd::read(line);
        let position: Position = fen.parse()?;
        if !position.has_legal_move() {
            return Err(ExerciseError::Over);
        }
        let mut goal = None;
        let mut name = None;
        for (code, rest) in operations {
            match code {
                "bm" if rest.starts_with('#') => goal = Some(mate(&rest[1..])?),
                "dm" => goal = Some(mate(rest)?),
                "bm" => goal = Some(Goal::Play(moves(&position, rest)?)),
                "am" if goal.is_none() => goal = Some(Goal::Avoid(moves(&position, rest)?)),
                "id" => name = Some(rest.trim().trim_matches('"').to_owned()),
                _ => {}
            }
        }
        Ok(Self { position, name, goal: goal.ok_or(ExerciseError::NoGoal)? })
    }
}

fn mate(text: &str) -> Result<Goal, ExerciseError> {
    let text = text.trim();
    let moves = text.parse().ok().filter(|&moves| moves != 0).map(Goal::Mate);
    moves.ok_or_else(|| ExerciseError::Mate(text.to_owned()))
}

fn moves(position: &Position, text: &str) -> Result<Vec<Move>, ExerciseError> {
    text.split_whitespace()
        .map(|word| position.parse_move(word).map_err(|_| ExerciseError::Move(word.to_owned())))
        .collect()
}

/// An analyst's answer to an exercise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The move it would play.
    pub played: Move,
    /// Its score.
    pub score: Option<Score>,
    /// Whether it reached the goal.
    pub solved: bool,
    /// It claims a mate, but its line doesn't lead to one in the stated number of plies.
    pub false_mate: bool,
    /// Positions visited.
    pub nodes: u64,
}

impl Exercise {
    /// The goal in words.
    pub fn goal_in_words(&self) -> String {
        let list = |moves: &[Move]| {
            let moves: Vec<String> =
                moves.iter().map(|&m| self.position.san(m).to_string()).collect();
            moves.join(" ")
        };
        match &self.goal {
            Goal::Play(moves) => format!("play {}", list(moves)),
            Goal::Avoid(moves) => format!("avoid {}", list(moves)),
            Goal::Mate(moves) => format!("mate in {moves}"),
        }
    }

    /// Lets an analyst solve it.
    pub fn solve(
        &self,
        analyst: &mut dyn Analyst,
        limits: &Limits,
    ) -> Result<Answer, AnalystError> {
        analyst.new_game()?;
        let mut false_mate = false;
        let mut limits = *limits;
        if let Goal::Mate(moves) = self.goal {
            // Once the mate is found there is nothing more to do.
            limits.mate = Some(moves.unsigned_abs());
        }
        let question = Question::new(Line::new(self.position.clone())).limits(limits);
        let verdict = analyst.analyse(&question, &Stop::new(), &mut |report| {
            if report.bound == engine::Bound::Exact {
                false_mate |= !keeps_promise(&self.position, report.score, &report.pv);
            }
        })?;
        let score = verdict.score();
        let solved = match &self.goal {
            Goal::Play(best) => best.contains(&verdict.best),
            Goal::Avoid(bad) => !bad.contains(&verdict.best),
            &Goal::Mate(most) => matches!(score, Some(Score::Mate(mate)) if is_in(mate, most)),
        };
        let nodes = verdict.lines.first().map_or(0, |line| line.nodes);
        Ok(Answer { played: verdict.best, score, solved, false_mate, nodes })
    }
}

/// Whether a mate takes at most this many moves, for the side given by the sign.
fn is_in(mate: MatePlies, most: i32) -> bool {
    let moves = mate.moves();
    moves.signum() == most.signum() && moves.abs() <= most.abs()
}

/// Whether a line with a mate score leads to mate in the stated number of plies.
fn keeps_promise(position: &Position, score: Score, pv: &[Move]) -> bool {
    let Score::Mate(mate) = score else { return true };
    let mut line = Line::new(position.clone());
    pv.len() == mate.0.unsigned_abs() as usize
        && pv.iter().all(|&m| line.play(m).is_ok())
        && line.position().is_check()
        && !line.position().has_legal_move()
}

#[cfg(test)]
mod tests {
    use engine::Engine;
    use proptest::prelude::*;

    use super::*;

    fn exercise(text: &str) -> Exercise {
        text.parse().expect("a good line")
    }

    #[test]
    fn lines_are_read_in_every_form() {
        let line = exercise("4k1r1/8/8/8/8/8/7P/R3K2R w KQ - bm O-O-O e1a1; id \"castle\";");
        assert!(matches!(&line.goal, Goal::Play(moves) if moves.len() == 2));
        let line = exercise("8/8/8/8/8/8/5k2/7K w - - 3 40 am Kh2; id \"A.1\";");
        assert_eq!(line.name.as_deref(), Some("A.1"));
        assert!(matches!(&line.goal, Goal::Avoid(moves) if moves.len() == 1));
        assert_eq!(line.goal_in_words(), "avoid Kh2");
        let line = exercise("8/P7/8/8/8/8/5k2/7K w - - bm a8=N;");
        assert_eq!(line.goal_in_words(), "play a8=N");
        assert_eq!(exercise("7k/5Q2/6K1/8/8/8/8/8 w - - bm #1;").goal, Goal::Mate(1));
        assert_eq!(exercise("7k/5Q2/6K1/8/8/8/8/8 w - - dm 1;").goal, Goal::Mate(1));
        let error = "8/8/8/8/8/8/5k2/7K w - - bm Ke5;".parse::<Exercise>().expect_err("illegal");
        assert!(error.to_string().contains("Ke5"), "{error}");
        let error = "8/8/8/8/8/8/5k2/7K w - - id x;".parse::<Exercise>().expect_err("nothing");
        assert!(matches!(error, ExerciseError::NoGoal));
        for bad in ["dm 0", "dm soon", "bm #", "dm"] {
            let line = format!("7k/5Q2/6K1/8/8/8/8/8 w - - {bad};");
            let error = line.parse::<Exercise>().expect_err(bad);
            assert!(matches!(error, ExerciseError::Mate(_)), "{bad}: {error}");
        }
    }

    #[test]
    fn a_mate_is_found_and_its_line_keeps_its_promise() {
        let line = exercise("7k/8/5K2/8/8/8/8/6Q1 w - - bm #2;");
        let answer = line.solve(&mut Engine::default(), &Limits::depth(6)).expect("an answer");
        assert!(answer.solved && !answer.false_mate, "{answer:?}");
    }

    /// Only a mate in the requested number of moves counts; a longer one isn't even looked for.
    #[test]
    fn a_mate_that_takes_too_long_does_not_count() {
        let limits = Limits::depth(8);
        for (goal, solved) in [("dm 1", false), ("bm #1", false), ("dm 2", true), ("dm 9", true)] {
            let line =
                exercise(&format!("5rkr/pp2Rp2/1b1p1Pb1/3P2Q1/2n3P1/2p5/P4P2/4R1K1 w - - {goal};"));
            let answer = line.solve(&mut Engine::default(), &limits).expect("an answer");
            let found = answer.score == Some(Score::Mate(MatePlies(3)));
            assert_eq!((found, answer.solved), (solved, solved), "{goal}");
        }
        assert!(is_in(MatePlies(-4), -2) && is_in(MatePlies(-2), -2));
        assert!(!is_in(MatePlies(-6), -2) && !is_in(MatePlies(3), -2) && !is_in(MatePlies(-4), 2));
    }

    #[test]
    fn a_position_without_moves_is_no_exercise() {
        for over in ["7k/5KQ1/8/8/8/8/8/8 b - - dm 1;", "7k/5Q2/6K1/8/8/8/8/8 b - - bm Kg8;"] {
            let error = over.parse::<Exercise>().expect_err(over);
            assert!(matches!(error, ExerciseError::Over), "{error}");
        }
    }

    proptest! {
        #[test]
        fn no_line_panics(text in "[ -~]{0,80}") {
            let _ = text.parse::<Exercise>();
        }
    }
}
