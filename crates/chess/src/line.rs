//! A start position and the legal moves played from it.

use crate::{DrawReason, Move, Outcome, Position};

/// A start position and the moves played from it, each known to be legal. Moves can be taken back,
/// and it knows which positions have occurred before.
///
/// ```
/// use chess::{DrawReason, Line};
///
/// let mut line = Line::default();
/// for text in "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8".split(' ') {
///     let m = line.position().parse_san(text)?;
///     line.play(m).expect("the move was read for this position");
/// }
/// assert_eq!(line.repetitions(), 3);
/// assert_eq!(line.claimable_draw(), Some(DrawReason::ThreefoldRepetition));
/// # Ok::<(), chess::SanError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    start: Position,
    steps: Vec<Step>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Step {
    played: Move,
    after: Position,
}

/// The move is not legal in the position at the end of the line.
#[derive(Copy, Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a legal move here")]
pub struct IllegalMove;

impl Line {
    /// A line without moves.
    pub const fn new(start: Position) -> Self {
        Self { start, steps: Vec::new() }
    }

    /// The position it starts from.
    pub const fn start(&self) -> &Position {
        &self.start
    }

    /// The position at its end.
    pub fn position(&self) -> &Position {
        self.steps.last().map_or(&self.start, |step| &step.after)
    }

    /// The moves from first to last.
    pub fn moves(&self) -> impl DoubleEndedIterator<Item = Move> + ExactSizeIterator {
        self.steps.iter().map(|step| step.played)
    }

    /// All positions, from the start to the end.
    pub fn positions(&self) -> impl DoubleEndedIterator<Item = &Position> {
        std::iter::once(&self.start).chain(self.steps.iter().map(|step| &step.after))
    }

    /// Number of moves played.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Whether no move has been played.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// Plays a move at the end.
    pub fn play(&mut self, m: Move) -> Result<(), IllegalMove> {
        if !self.position().is_legal(m) {
            return Err(IllegalMove);
        }
        let after = self.position().after(m);
        self.steps.push(Step { played: m, after });
        Ok(())
    }

    /// Takes back the last move and returns it.
    pub fn undo(&mut self) -> Option<Move> {
        self.steps.pop().map(|step| step.played)
    }

    /// Shortens the line to this many moves.
    pub fn truncate(&mut self, len: usize) {
        self.steps.truncate(len);
    }

    /// How often the position at the end has occurred in this line, including now.
    pub fn repetitions(&self) -> usize {
        let here = self.position();
        // No position before the last capture or pawn move can be the same.
        let reach = usize::from(here.halfmoves()) + 1;
        self.positions().rev().take(reach).filter(|position| position.key() == here.key()).count()
    }

    /// How the game has ended by the rules alone: checkmate, stalemate, a dead position, the
    /// fifth repetition, or seventy-five moves without progress.
    pub fn outcome(&self) -> Option<Outcome> {
        self.position().outcome().or_else(|| {
            if self.repetitions() >= 5 {
                Some(Outcome::Draw(DrawReason::FivefoldRepetition))
            } else if self.position().halfmoves() >= 150 {
                Some(Outcome::Draw(DrawReason::SeventyFiveMoves))
            } else {
                None
            }
        })
    }

    /// The draw that the side to move may claim: the third repetition, or fifty moves without
    /// progress. A game that is over has none.
    pub fn claimable_draw(&self) -> Option<DrawReason> {
        if self.outcome().is_some() {
            None
        } else if self.repetitions() >= 3 {
            Some(DrawReason::ThreefoldRepetition)
        } else if self.position().halfmoves() >= 100 {
            Some(DrawReason::FiftyMoves)
        } else {
            None
        }
    }
}
