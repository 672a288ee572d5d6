//! An exercise: a position, the moves that solve it, and how far somebody has come.

use chess::{IllegalMove, Line, Move};

/// A position and its solution: the moves of the solver, and the reply to each but the last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exercise {
    start: Line,
    solution: Vec<Move>,
}

/// How far somebody has come.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Solving {
    /// All moves so far are right, and there are more to find.
    Open,
    /// The solution is complete.
    Solved,
    /// The last move is wrong.
    Failed,
}

chess::names! {
    Solving, schema "Solving" "How far somebody has come with an exercise." {
        Open = "open",
        Solved = "solved",
        Failed = "failed",
    }
}

/// An attempt, with the position it leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempted {
    /// The start, the solver's moves and the replies to the right ones.
    pub line: Line,
    /// How far that is.
    pub solving: Solving,
}

impl Exercise {
    /// An exercise from the start of a line, with its moves as the solution. None if it doesn't end
    /// with a move of the solver.
    pub fn new(solution: &Line) -> Option<Self> {
        let start = Line::new(solution.start().clone());
        let solution: Vec<Move> = solution.moves().collect();
        (solution.len() % 2 == 1).then_some(Self { start, solution })
    }

    /// Judges the solver's moves. A wrong one ends the attempt, and what comes after it doesn't
    /// count; any mate is right.
    pub fn attempt(&self, moves: &[Move]) -> Result<Attempted, IllegalMove> {
        let mut line = self.start.clone();
        let mut right = self.solution.iter();
        for &m in moves {
            line.play(m)?;
            let mates = line.position().is_check() && !line.position().has_legal_move();
            if right.next() != Some(&m) && !mates {
                return Ok(Attempted { line, solving: Solving::Failed });
            }
            match right.next() {
                Some(&reply) if !mates => line.play(reply)?,
                _ => return Ok(Attempted { line, solving: Solving::Solved }),
            }
        }
        Ok(Attempted { line, solving: Solving::Open })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(fen: &str, moves: &str) -> Line {
        let mut line = Line::new(fen.parse().expect("a legal position"));
        for text in moves.split_whitespace() {
            let m = line.position().parse_move(text).expect("legal");
            line.play(m).expect("legal");
        }
        line
    }

    /// Mate in two: the rooks take turns.
    const LADDER: &str = "6k1/8/8/8/8/8/R7/1R4K1 w - - 0 1";

    fn attempt(moves: &[&str]) -> Attempted {
        let solution = line(LADDER, "a2a7 g8h8 b1b8");
        let exercise = Exercise::new(&solution).expect("three moves");
        let positions: Vec<_> = solution.positions().collect();
        let moves: Vec<Move> = moves
            .iter()
            .zip(positions.iter().step_by(2))
            .map(|(text, position)| position.parse_move(text).expect("legal"))
            .collect();
        exercise.attempt(&moves).expect("legal moves")
    }

    #[test]
    fn right_moves_are_answered_until_it_is_solved() {
        assert_eq!(attempt(&[]).solving, Solving::Open);
        let half = attempt(&["a2a7"]);
        assert_eq!((half.solving, half.line.len()), (Solving::Open, 2));
        let whole = attempt(&["a2a7", "b1b8"]);
        assert_eq!((whole.solving, whole.line.len()), (Solving::Solved, 3));
    }

    #[test]
    fn a_wrong_move_ends_the_attempt() {
        let wrong = attempt(&["a2a6", "b1b8"]);
        assert_eq!((wrong.solving, wrong.line.len()), (Solving::Failed, 1));
        assert_eq!(attempt(&["a2a7", "b1b7"]).solving, Solving::Failed);
    }

    #[test]
    fn every_mate_is_right() {
        let mates = line("7k/8/6K1/8/8/8/8/1Q1R4 w - - 0 1", "d1d8");
        let exercise = Exercise::new(&mates).expect("one move");
        let queen = mates.start().parse_move("Qb8#").expect("legal");
        let attempted = exercise.attempt(&[queen]).expect("legal");
        assert_eq!(attempted.solving, Solving::Solved);
    }

    #[test]
    fn a_solution_ends_with_the_solver() {
        assert_eq!(Exercise::new(&line(LADDER, "a2a7 g8h8")), None);
        assert_eq!(Exercise::new(&line(LADDER, "")), None);
    }
}
