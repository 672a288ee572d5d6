//! What an analyst is asked.

use std::ops::RangeInclusive;

use chess::{Line, Move, Position};

use crate::{Limits, Strength};

/// Everything that differs from one call of an [`Analyst`](crate::Analyst) to the next. What belongs
/// to the analyst itself (memory, threads, network, files) is set when it is made.
///
/// A new question asks for the best move at full strength, without limits: set what you want to be
/// otherwise. It owns its line, so that it can wait in a queue or travel to another thread; in a game
/// or a review, play the next move on `question.line` and ask again.
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
    /// How many best lines are wanted (`MultiPV`). There are no more than legal moves, and always one.
    pub lines: usize,
    /// The moves to choose from (`searchmoves`); all legal ones if empty.
    pub search_moves: Vec<Move>,
    /// Whether the answer may come from the analyst's opening book. Such a verdict has no lines.
    pub book: bool,
    /// Whether endgame tables may be used. A limited player doesn't know them anyway.
    pub tablebases: bool,
    /// How strongly to play.
    pub strength: Strength,
    /// What chance decides: the choice among book moves and the errors of a limited player. With a
    /// seed, a limited player answers the same question always the same, whatever it was asked before;
    /// without, it errs differently in each game.
    pub seed: Option<u64>,
}

impl Question {
    /// Useful [`Question::lines`].
    pub const LINES: RangeInclusive<usize> = 1..=256;

    /// What is best at the end of a line? Without limits: there is an answer when somebody stops it.
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

    /// The position that the question is about.
    pub fn position(&self) -> &Position {
        self.line.position()
    }

    /// The same question with limits.
    #[must_use]
    pub fn limits(self, limits: Limits) -> Self {
        Self { limits, ..self }
    }

    /// The same question about so many best lines.
    #[must_use]
    pub fn lines(self, lines: usize) -> Self {
        Self { lines, ..self }
    }

    /// The same question about some moves only.
    #[must_use]
    pub fn search_moves(self, moves: impl Into<Vec<Move>>) -> Self {
        Self { search_moves: moves.into(), ..self }
    }

    /// The same question, to be answered from a book or not.
    #[must_use]
    pub fn book(self, book: bool) -> Self {
        Self { book, ..self }
    }

    /// The same question, to be answered with endgame tables or without.
    #[must_use]
    pub fn tablebases(self, tablebases: bool) -> Self {
        Self { tablebases, ..self }
    }

    /// The same question to a player of a strength.
    #[must_use]
    pub fn strength(self, strength: Strength) -> Self {
        Self { strength, ..self }
    }

    /// The same question with what chance decides.
    #[must_use]
    pub fn seed(self, seed: u64) -> Self {
        Self { seed: Some(seed), ..self }
    }

    /// Whether a move is among those to choose from.
    pub(crate) fn considers(&self, m: Move) -> bool {
        self.search_moves.is_empty() || self.search_moves.contains(&m)
    }
}

impl Default for Question {
    /// What is best in the start position?
    fn default() -> Self {
        Self::new(Line::default())
    }
}
