//! A game in training data.

use chess::{Color, DrawReason, Move, Outcome, Position, WinReason};

use super::{PackedScore, Sample, sample};

/// The longest game that can be stored, in plies.
pub const MAX_PLIES: usize = u16::MAX as usize;

/// A self-play game: a start position, legal moves, and a score for each move that was searched.
/// The first moves, which are random, have none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    start: Position,
    moves: Vec<Move>,
    opening: u8,
    scores: Vec<PackedScore>,
    winner: Option<Color>,
    ending: Ending,
}

/// How a game ended.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Ending {
    /// Mate on the board.
    Checkmate,
    /// No legal move, no check.
    Stalemate,
    /// Neither side can mate.
    DeadPosition,
    /// The position has been repeated too often.
    Repetition,
    /// Too many moves without a capture or a pawn move.
    NoProgress,
    /// Adjudicated: one side was clearly winning.
    WinAdjudicated,
    /// Adjudicated: the scores were drawn for long enough.
    DrawAdjudicated,
    /// Adjudicated: the game was too long. A draw.
    TooLong,
    /// Adjudicated by a tablebase.
    Tablebase,
    /// Any other way.
    Other,
}

impl Ending {
    /// All endings, in the order of their numbers in a file.
    pub const ALL: [Self; 10] = [
        Self::Checkmate,
        Self::Stalemate,
        Self::DeadPosition,
        Self::Repetition,
        Self::NoProgress,
        Self::WinAdjudicated,
        Self::DrawAdjudicated,
        Self::TooLong,
        Self::Tablebase,
        Self::Other,
    ];

    /// The name, for display and JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Checkmate => "checkmate",
            Self::Stalemate => "stalemate",
            Self::DeadPosition => "dead position",
            Self::Repetition => "repetition",
            Self::NoProgress => "no progress",
            Self::WinAdjudicated => "win adjudicated",
            Self::DrawAdjudicated => "draw adjudicated",
            Self::TooLong => "too long",
            Self::Tablebase => "tablebase",
            Self::Other => "other",
        }
    }

    /// Whether a game with this ending can have this winner.
    pub(super) const fn allows(self, winner: Option<Color>) -> bool {
        match self {
            Self::Checkmate | Self::WinAdjudicated => winner.is_some(),
            Self::Tablebase | Self::Other => true,
            _ => winner.is_none(),
        }
    }
}

impl From<Outcome> for Ending {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Win(_, WinReason::Checkmate) => Self::Checkmate,
            Outcome::Draw(DrawReason::Stalemate) => Self::Stalemate,
            Outcome::Draw(DrawReason::DeadPosition) => Self::DeadPosition,
            Outcome::Draw(DrawReason::FivefoldRepetition | DrawReason::ThreefoldRepetition) => {
                Self::Repetition
            }
            Outcome::Draw(DrawReason::SeventyFiveMoves | DrawReason::FiftyMoves) => {
                Self::NoProgress
            }
            Outcome::Win(..) | Outcome::Draw(_) => Self::Other,
        }
    }
}

/// Why parts don't make a valid game.
#[derive(Copy, Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unsound {
    /// An illegal move.
    #[error("move {0} of the game is not legal")]
    IllegalMove(usize),
    /// More moves than [`MAX_PLIES`].
    #[error("the game has more than {MAX_PLIES} moves")]
    TooLong,
    /// Every move either has a score or belongs to the opening, which has at most 255 moves.
    #[error("there are {moves} moves, of which {scores} have a score")]
    Scores {
        /// The number of moves.
        moves: usize,
        /// The number of scores.
        scores: usize,
    },
    /// A checkmate without a winner, or a stalemate with one.
    #[error("a game that ends by {} can't end with that result", .0.name())]
    Result(Ending),
}

impl Game {
    /// A game from its parts. The moves in excess of the scores are the opening. Scores are from
    /// White's point of view.
    pub fn new(
        start: Position,
        moves: Vec<Move>,
        scores: Vec<PackedScore>,
        winner: Option<Color>,
        ending: Ending,
    ) -> Result<Self, Unsound> {
        if moves.len() > MAX_PLIES {
            return Err(Unsound::TooLong);
        }
        let opening = moves.len().checked_sub(scores.len()).and_then(|n| u8::try_from(n).ok());
        let Some(opening) = opening else {
            return Err(Unsound::Scores { moves: moves.len(), scores: scores.len() });
        };
        if !ending.allows(winner) {
            return Err(Unsound::Result(ending));
        }
        let mut position = start.clone();
        for (i, &m) in moves.iter().enumerate() {
            if !position.is_legal(m) {
                return Err(Unsound::IllegalMove(i + 1));
            }
            position.play_unchecked(m);
        }
        Ok(Self { start, moves, opening, scores, winner, ending })
    }

    /// A game from parts that are known to be valid.
    pub(super) fn trusted(
        start: Position,
        moves: Vec<Move>,
        scores: Vec<PackedScore>,
        winner: Option<Color>,
        ending: Ending,
    ) -> Self {
        let opening = (moves.len() - scores.len()) as u8;
        Self { start, moves, opening, scores, winner, ending }
    }

    /// The game as read back from a file: each score in the middle of its level.
    pub fn quantised(mut self) -> Self {
        for score in &mut self.scores {
            *score = score.quantised();
        }
        self
    }

    /// The position before the first move.
    pub const fn start(&self) -> &Position {
        &self.start
    }

    /// All moves, including the opening.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The number of opening moves, which have no score.
    pub fn opening(&self) -> usize {
        usize::from(self.opening)
    }

    /// White's score of each position from which a searched move was played, in order.
    pub fn scores(&self) -> &[PackedScore] {
        &self.scores
    }

    /// The winner, if any.
    pub const fn winner(&self) -> Option<Color> {
        self.winner
    }

    /// How it ended.
    pub const fn ending(&self) -> Ending {
        self.ending
    }

    /// The result in PGN notation.
    pub const fn result(&self) -> &'static str {
        match self.winner {
            Some(Color::White) => "1-0",
            Some(Color::Black) => "0-1",
            None => "1/2-1/2",
        }
    }

    /// The positions that were searched, in order.
    pub fn samples(&self) -> impl Iterator<Item = Sample> {
        let mut next = self.start.clone();
        let opening = self.opening();
        self.moves.iter().enumerate().filter_map(move |(ply, &best)| {
            let after = next.after(best);
            let position = std::mem::replace(&mut next, after);
            let score = *self.scores.get(ply.checked_sub(opening)?)?;
            let score = score.flip_for(position.turn());
            let ply = sample::ply(&position);
            Some(Sample { position, best, score, winner: self.winner, ply })
        })
    }
}
