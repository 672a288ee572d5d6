//! Positions with their score and result.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use chess::{Color, Move, Position};

use super::{DataError, Games, PackedScore, Reader};

/// A position that was searched, and the result of its game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sample {
    /// The position.
    pub position: Position,
    /// The move found and played.
    pub best: Move,
    /// The score, for the side to move.
    pub score: PackedScore,
    /// The winner of the game, if any.
    pub winner: Option<Color>,
    /// Moves played before this position, by its own counter, so that a game that branches from
    /// another continues counting.
    pub ply: u16,
}

impl Sample {
    /// The result of the game for White: 1, 0.5 or 0.
    pub const fn result_for_white(&self) -> f64 {
        match self.winner {
            Some(Color::White) => 1.0,
            None => 0.5,
            Some(Color::Black) => 0.0,
        }
    }

    /// The score from White's point of view.
    pub fn score_for_white(&self) -> PackedScore {
        self.score.flip_for(self.position.turn())
    }
}

/// Number of moves played before a position, by its own counter.
pub fn ply(position: &Position) -> u16 {
    let full = position.fullmoves().saturating_sub(1).saturating_mul(2);
    full.saturating_add(u16::from(position.turn() == Color::Black))
}

/// The filter for quiet positions, which a static evaluation can learn from. All commands use the
/// default unless told otherwise.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Quiet {
    /// Positions before this ply are skipped.
    pub first_ply: u16,
    /// Positions with a score beyond this, of either sign, are skipped.
    pub highest_score: i16,
}

impl Default for Quiet {
    fn default() -> Self {
        Self { first_ply: 10, highest_score: 1500 }
    }
}

impl Quiet {
    /// Whether a position is not in check, its best move neither captures nor promotes, its
    /// score is within bounds, and the opening is over.
    pub fn accepts(&self, sample: &Sample) -> bool {
        self.accepts_parts(&sample.position, sample.best, sample.score, sample.ply)
    }

    /// The same for the parts of a sample; the sign of the score doesn't matter.
    #[inline]
    pub fn accepts_parts(
        &self,
        position: &Position,
        best: Move,
        score: PackedScore,
        ply: u16,
    ) -> bool {
        ply >= self.first_ply
            && score.value().unsigned_abs() <= self.highest_score.unsigned_abs()
            && !position.is_check()
            && best.promotion().is_none()
            && !position.is_capture(best)
    }
}

/// Streams the positions of a file that have a score.
///
/// ```no_run
/// use nnue::data::{DataError, Quiet, samples};
///
/// let quiet = Quiet::default();
/// for sample in samples("games.rdata")? {
///     let sample = match sample {
///         Ok(sample) => sample,
///         Err(DataError::Damaged(damage)) => {
///             eprintln!("{damage}");
///             continue;
///         }
///         Err(error) => return Err(error),
///     };
///     if quiet.accepts(&sample) {
///         println!("{} {}", sample.position, sample.result_for_white());
///     }
/// }
/// # Ok::<(), DataError>(())
/// ```
pub fn samples(path: impl AsRef<Path>) -> Result<Samples<File>, DataError> {
    Ok(Samples::new(Reader::new(File::open(path)?)?))
}

/// Streams positions. Damage is reported and skipped, as by [`Games`].
#[derive(Debug)]
pub struct Samples<R> {
    games: Games<R>,
    /// The positions of the current game, the next one last.
    pending: Vec<Sample>,
}

impl<R: Read> Samples<R> {
    /// The positions of all games of a reader.
    pub fn new(reader: Reader<R>) -> Self {
        Self { games: reader.games(), pending: Vec::new() }
    }
}

impl<R: Read> Iterator for Samples<R> {
    type Item = Result<Sample, DataError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(sample) = self.pending.pop() {
                return Some(Ok(sample));
            }
            match self.games.next()? {
                Ok(game) => {
                    self.pending.extend(game.samples());
                    self.pending.reverse();
                }
                Err(error) => return Some(Err(error)),
            }
        }
    }
}
