//! A question to an analyst.

use std::ops::RangeInclusive;

use chess::{Line, Move, Position};

use crate::{Elo, Limits, Strength};

/// Everything that differs between calls of an [`Analyst`](crate::Analyst). What belongs to the
/// analyst itself (memory, threads, network, files) is given to its constructor.
///
/// A new question asks for the best move at full strength, without limits; change what you need. It
/// owns its line, so that it can wait in a queue or move to another thread; in a game or a review,
/// play the next move on `question.line` and ask again.
///
/// ```
/// use chess::Line;
/// use engine::{Analyst, Engine, Limits, Question, Stop};
///
/// let mut engine = Engine::default();
/// let mut question = Question::new(Line::default()).limits(Limits::depth(3)).lines(2);
/// let verdict = engine.decide(&question, &Stop::new())?;
/// assert_eq!(verdict.lines.len(), 2);
/// question.line.play(verdict.best).expect("a verdict is legal");
/// engine.decide(&question, &Stop::new())?;
/// # Ok::<(), engine::AnalystError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// The game so far; the question is about the position at its end.
    pub line: Line,
    /// When to stop.
    pub limits: Limits,
    /// Number of lines (`MultiPV`); at most the number of legal moves, and at least one.
    pub lines: usize,
    /// The moves to consider (`searchmoves`); all legal ones if empty.
    pub search_moves: Vec<Move>,
    /// Whether the answer may come from the analyst's opening book. Such a verdict has no lines.
    pub book: bool,
    /// Whether tablebases may be used. A limited player never uses them.
    pub tablebases: bool,
    /// The playing strength.
    pub strength: Strength,
    /// The seed of random choices: the choice among book moves and the errors of a limited player.
    /// With a seed, a limited player always answers the same question the same way, whatever it was
    /// asked before; without, its errors differ in each game.
    pub seed: Option<u64>,
}

impl Question {
    /// Useful values of [`Question::lines`].
    pub const LINES: RangeInclusive<usize> = 1..=256;

    /// Asks for the best move at the end of a line. Without limits: the answer comes when it is
    /// stopped.
    pub const fn new(line: Line) -> Self {
        Self {
            line,
            limits: Limits::NONE,
            lines: 1,
            search_moves: Vec::new(),
            book: false,
            tablebases: true,
            strength: Strength::Full,
            seed: None,
        }
    }

    /// The position in question.
    pub fn position(&self) -> &Position {
        self.line.position()
    }

    /// The same question with limits.
    #[must_use]
    pub fn limits(self, limits: Limits) -> Self {
        Self { limits, ..self }
    }

    /// The same question for this many lines.
    #[must_use]
    pub fn lines(self, lines: usize) -> Self {
        Self { lines, ..self }
    }

    /// The same question, restricted to some moves.
    #[must_use]
    pub fn search_moves(self, moves: impl Into<Vec<Move>>) -> Self {
        Self { search_moves: moves.into(), ..self }
    }

    /// The same question, with or without a book.
    #[must_use]
    pub fn book(self, book: bool) -> Self {
        Self { book, ..self }
    }

    /// The same question, with or without tablebases.
    #[must_use]
    pub fn tablebases(self, tablebases: bool) -> Self {
        Self { tablebases, ..self }
    }

    /// The same question at a given strength.
    #[must_use]
    pub fn strength(self, strength: Strength) -> Self {
        Self { strength, ..self }
    }

    /// The same question with a seed.
    #[must_use]
    pub fn seed(self, seed: u64) -> Self {
        Self { seed: Some(seed), ..self }
    }

    /// The same question to an opponent in a game: with a book, and limited to a rating. A limited
    /// player errs by the seed, one for the whole game; at full strength the book moves vary.
    #[must_use]
    pub fn player(self, elo: Option<Elo>, seed: Option<u64>) -> Self {
        let question = self.book(true);
        match elo {
            None => question,
            Some(elo) => Self { seed, ..question.strength(Strength::Elo(elo)) },
        }
    }

    /// Whether a move is among those to consider.
    pub(crate) fn considers(&self, m: Move) -> bool {
        self.search_moves.is_empty() || self.search_moves.contains(&m)
    }
}

impl Default for Question {
    /// Asks for the best move in the start position.
    fn default() -> Self {
        Self::new(Line::default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_player_has_a_book_and_only_the_limited_err_by_a_seed() {
        let elo = Elo::new(1_000).expect("the engine can play at it");
        let weak = Question::default().player(Some(elo), Some(7));
        assert_eq!((weak.book, weak.strength, weak.seed), (true, Strength::Elo(elo), Some(7)));
        let full = Question::default().player(None, Some(7));
        assert_eq!((full.book, full.strength, full.seed), (true, Strength::Full, None));
    }
}
