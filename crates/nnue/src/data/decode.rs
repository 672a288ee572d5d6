//! Decodes the games of a block. Whatever the bytes are, decoded games are valid.

use chess::{Color, Move, Position};

use super::head::{Head, HeadModel, StartKind};
use super::likelihood::Likelihood;
use super::range::{Coder, RangeDecoder};
use super::survey::Recent;
use super::trend::{ScoreModel, Trend};
use super::{Ending, Game, PackedScore, Unsound, level, start};

/// Why bytes are not a game.
#[derive(Copy, Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadGame {
    /// The bytes end too early, or can't have been written by an encoder.
    #[error("a game is truncated or corrupted")]
    Garbled,
    /// The start position is not one of the 960, or not legal.
    #[error("a game starts from an illegal position")]
    Start,
    /// The codes of the result and its reason are unknown.
    #[error("a game has an unknown result")]
    Result,
    /// A score is out of range.
    #[error("a score is out of range")]
    Score,
    /// The block is intact, but its header counts other games.
    #[error("the block header's game count is wrong")]
    Count,
    /// The block has more moves than any writer puts into one.
    #[error("the block has more than {MAX_WORK} moves")]
    TooMuch,
    /// The parts don't make a valid game.
    #[error(transparent)]
    Unsound(#[from] Unsound),
}

/// The maximum number of moves in a block, plus one per game. Expected moves cost almost no bits:
/// without a limit, a few bytes could keep a reader busy for hours.
pub const MAX_WORK: usize = 1 << 20;

/// Decodes the games of a block one by one.
#[derive(Debug)]
pub struct Decoder {
    coder: RangeDecoder,
    heads: HeadModel,
    scores: ScoreModel,
    likelihood: Box<Likelihood>,
    /// Start position and moves of the last game, from which the next one may branch.
    start: Position,
    moves: Vec<Move>,
    work: usize,
}

/// A game whose moves were watched.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Played {
    /// Whether it starts from a position of the previous game in the block.
    pub branches: bool,
    /// The winner, if any.
    pub winner: Option<Color>,
    /// How it ended.
    pub ending: Ending,
}

impl Decoder {
    /// Starts reading the bytes of a block.
    pub fn new(bytes: Vec<u8>) -> Self {
        Self {
            coder: RangeDecoder::new(bytes),
            heads: HeadModel::default(),
            scores: ScoreModel::default(),
            likelihood: Box::new(Likelihood::new()),
            start: Position::default(),
            moves: Vec::new(),
            work: 0,
        }
    }

    /// Number of bytes read.
    pub fn used(&self) -> usize {
        self.coder.used()
    }

    /// Whether exactly all bytes were read.
    pub const fn is_at_end(&self) -> bool {
        self.coder.is_at_end()
    }

    /// Decodes a game.
    pub fn game(&mut self) -> Result<Game, BadGame> {
        let mut scores = Vec::new();
        let Played { winner, ending, .. } = self.watch(|_, _, score| scores.extend(score))?;
        Ok(Game::trusted(self.start.clone(), self.moves.clone(), scores, winner, ending))
    }

    /// Decodes a game without storing it: `watch` sees each position, the move played, and the
    /// score from White's point of view, which random moves don't have. No more games follow an
    /// error.
    pub fn watch(
        &mut self,
        mut watch: impl FnMut(&Position, Move, Option<PackedScore>),
    ) -> Result<Played, BadGame> {
        let kind = self.heads.start(&mut self.coder, StartKind::Standard);
        self.start = self.start(kind)?;
        self.moves.clear();
        let none = Head { winner: None, ending: Ending::Other, opening: 0, plies: 0 };
        let Head { winner, ending, opening, plies } = self.heads.head(&mut self.coder, none)?;
        self.work += usize::from(plies) + 1;
        if self.work > MAX_WORK {
            return Err(BadGame::TooMuch);
        }
        let mut position = self.start.clone();
        let (mut recent, mut trend) = (Recent::default(), Trend::START);
        for ply in 0..plies {
            let score = if ply < u16::from(opening) {
                self.likelihood.random(&position);
                None
            } else {
                let level = trend
                    .code(&mut self.coder, &mut self.scores, position.turn(), 0)
                    .ok_or(BadGame::Score)?;
                self.likelihood.judge(&position, recent);
                Some(level::score(level))
            };
            let total = self.likelihood.total();
            if total == 0 {
                return Err(Unsound::IllegalMove(usize::from(ply) + 1).into());
            }
            let (point, part) = self.coder.point(total);
            let (m, place) = self.likelihood.find(point);
            self.coder.skip(place.below, place.share, part);
            if !self.coder.is_sound() {
                return Err(BadGame::Garbled);
            }
            watch(&position, m, score);
            self.moves.push(m);
            recent.add(&position, m);
            position.play_unchecked(m);
        }
        let branches = kind == StartKind::Branch;
        let played = Played { branches, winner, ending };
        if self.coder.is_sound() { Ok(played) } else { Err(BadGame::Garbled) }
    }

    fn start(&mut self, kind: StartKind) -> Result<Position, BadGame> {
        match kind {
            StartKind::Standard => Ok(Position::default()),
            StartKind::Array => {
                let number = self.coder.uniform(0, 960) as u16;
                Position::chess960(number).ok_or(BadGame::Start)
            }
            StartKind::Packed => start::unpack(|| self.coder.uniform(0, 256) as u8),
            StartKind::Branch => {
                // The first game of a block can only branch from the standard start position.
                let ply = self.coder.uniform(0, self.moves.len() as u32 + 1) as usize;
                let mut position = self.start.clone();
                for &m in &self.moves[..ply] {
                    position.play_unchecked(m);
                }
                Ok(position)
            }
        }
    }
}
