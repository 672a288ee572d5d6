//! Whether a report belongs to a game and all its lines are legal.

use chess::{Color, Position};
use game::Game;

use crate::accuracy::{self, CEILING};
use crate::opening::Book;
use crate::report::{GameReport, MoveReport, MoveText, Whose};
use crate::{Mode, sides};

/// The longest line of a report, and the most pawns or moves that a claim may name.
const LONGEST_LINE: usize = 64;
const MOST_GAIN: u32 = 100;
/// The longest name of an engine, in characters.
const LONGEST_NAME: usize = 200;

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
    /// The figures of a side don't follow from its moves.
    #[error("the figures don't follow from the moves")]
    BadFigures,
    /// The name of the engine is no name.
    #[error("the name of the engine is too long, or has control characters")]
    BadEngine,
}

impl GameReport {
    /// Checks a report from elsewhere: it must be about this game, its numbers must be possible and
    /// follow from each other, and every line must be legal. Whether its scores are right, only
    /// another review can tell.
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
            if !one.is_possible(self.mode) {
                return Err(BadReport::BadNumber { ply });
            }
            replay(position, &one.best, ply)?;
            for claim in &one.claims {
                let after = position.after(played);
                let start = if claim.whose == Whose::Allowed { &after } else { position };
                replay(start, &claim.line, ply)?;
                if claim.key >= claim.line.len() || claim.gain > MOST_GAIN {
                    return Err(BadReport::BadNumber { ply });
                }
            }
        }
        self.check_puzzles(&line.positions().cloned().collect::<Vec<_>>())?;
        if self.engine.chars().count() > LONGEST_NAME || self.engine.chars().any(char::is_control) {
            return Err(BadReport::BadEngine);
        }
        let labels = self.moves.iter().map(|one| one.label);
        let opening = Book::of(&line, game.variant()).opening(labels, self.mode);
        if !self.steps.is_sound() {
            return Err(BadReport::BadFigures);
        }
        if self.result != game.result || self.opening != opening || !self.adds_up() {
            return Err(BadReport::BadFigures);
        }
        Ok(())
    }

    /// Whether the figures follow from the moves, as far as they are rounded.
    fn adds_up(&self) -> bool {
        let turns = &self.turning_points;
        let in_order = turns.iter().is_sorted_by(|one, next| one < next);
        let counted = Color::ALL.into_iter().all(|color| {
            let side = self.side(color);
            let total = side.accuracy;
            total.is_none_or(|total| (0.0..=100.0).contains(&total))
                && *side == sides::count(color, &self.moves, total)
        });
        in_order && turns.last().is_none_or(|&last| last < self.moves.len()) && counted
    }

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

impl MoveReport {
    /// Whether its numbers are possible, and the best move has no mark.
    fn is_possible(&self, mode: Mode) -> bool {
        let points = [self.best_points, self.played_points, self.accuracy];
        let mut points = points.into_iter().chain(self.other_points);
        let expected = accuracy::of_move(self.best_points, self.played_points);
        let fits = mode == Mode::Lichess || (self.accuracy - expected).abs() <= 0.1;
        let praised = self.best.first() == Some(&self.played);
        points.all(|points| (0.0..=100.0).contains(&points))
            && fits
            && self.centipawn_loss <= 2 * CEILING.unsigned_abs()
            && self.claims.len() <= 2
            && !(mode == Mode::Riga && praised && self.label.is_marked())
    }
}

fn replay(start: &Position, line: &[MoveText], ply: usize) -> Result<(), BadReport> {
    if line.len() > LONGEST_LINE {
        return Err(BadReport::BadNumber { ply });
    }
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
