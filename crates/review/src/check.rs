//! Whether a report belongs to a game and all its lines are legal.

use chess::Position;
use game::Game;

use crate::report::{GameReport, MoveText, Whose};

/// What is wrong with a report.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadReport {
    /// It is about another game.
    #[error("the report is about another game")]
    OtherGame,
    /// A line of it can't be played.
    #[error("move {ply}: the line has an illegal move, {san}")]
    IllegalLine {
        /// The number of the move, in plies from 0.
        ply: usize,
        /// The illegal move.
        san: String,
    },
    /// A number is out of range.
    #[error("move {ply}: a number is out of range")]
    BadNumber {
        /// The number of the move, in plies from 0.
        ply: usize,
    },
}

impl GameReport {
    /// Checks a report from elsewhere: it must be about this game, its numbers must be possible and
    /// every line must be legal.
    pub fn check(&self, game: &Game) -> Result<(), BadReport> {
        let line = game.line();
        if self.moves.len() != line.len() || self.start != line.start().to_string() {
            return Err(BadReport::OtherGame);
        }
        let positions = line.positions().zip(line.moves());
        for (ply, ((position, played), one)) in positions.zip(&self.moves).enumerate() {
            if one.played.to_move(position) != Some(played) || one.side != position.turn() {
                return Err(BadReport::OtherGame);
            }
            let points = [one.best_points, one.played_points, one.accuracy];
            let points = points.into_iter().chain(one.other_points);
            if !points.into_iter().all(|points| (0.0..=100.0).contains(&points)) {
                return Err(BadReport::BadNumber { ply });
            }
            replay(position, &one.best, ply)?;
            for claim in &one.claims {
                let after = position.after(played);
                let start = if claim.whose == Whose::Allowed { &after } else { position };
                replay(start, &claim.line, ply)?;
                if claim.key >= claim.line.len() {
                    return Err(BadReport::BadNumber { ply });
                }
            }
        }
        self.check_puzzles(&line.positions().cloned().collect::<Vec<_>>())?;
        let turns = self.turning_points.iter().find(|&&ply| ply >= self.moves.len());
        turns.map_or(Ok(()), |&ply| Err(BadReport::BadNumber { ply }))
    }
}

impl GameReport {
    /// Puzzles come in the order of the game, at most one from a position.
    fn check_puzzles(&self, positions: &[Position]) -> Result<(), BadReport> {
        let mut next = 0;
        for puzzle in &self.puzzles {
            let ply = puzzle.ply;
            if ply < next || ply >= self.moves.len() || !puzzle.fits(&positions[ply]) {
                return Err(BadReport::BadNumber { ply });
            }
            replay(&positions[ply], &puzzle.solution, ply)?;
            next = ply + 1;
        }
        Ok(())
    }
}

fn replay(start: &Position, line: &[MoveText], ply: usize) -> Result<(), BadReport> {
    let mut position = start.clone();
    for text in line {
        let m = text.to_move(&position).filter(|&m| position.san(m).to_string() == text.san);
        let Some(m) = m else {
            return Err(BadReport::IllegalLine { ply, san: text.san.clone() });
        };
        position.play_unchecked(m);
    }
    Ok(())
}
