//! Encodes games into the bytes of a block.

use chess::{Position, STANDARD};

use super::head::{Head, HeadModel, StartKind};
use super::likelihood::Likelihood;
use super::range::{Coder, RangeEncoder};
use super::survey::Recent;
use super::trend::{ScoreModel, Trend};
use super::{Game, level, start};

/// Encodes games one by one; each gets smaller thanks to the models adapted to those before.
#[derive(Debug)]
pub struct Encoder {
    coder: RangeEncoder,
    heads: HeadModel,
    scores: ScoreModel,
    likelihood: Box<Likelihood>,
    /// The previous game, from which the next one may branch.
    previous: Option<Game>,
    games: u32,
    positions: u32,
    /// Moves, plus one per game.
    work: usize,
}

impl Default for Encoder {
    fn default() -> Self {
        Self {
            coder: RangeEncoder::default(),
            heads: HeadModel::default(),
            scores: ScoreModel::default(),
            likelihood: Box::new(Likelihood::new()),
            previous: None,
            games: 0,
            positions: 0,
            work: 0,
        }
    }
}

impl Encoder {
    /// Adds a game. Scores are rounded to their level.
    pub fn push(&mut self, game: &Game) {
        self.start(game.start());
        let head = Head {
            winner: game.winner(),
            ending: game.ending(),
            opening: game.opening() as u8,
            plies: game.moves().len() as u16,
        };
        self.heads.head(&mut self.coder, head).expect("a game is valid");
        let mut position = game.start().clone();
        let (mut recent, mut trend) = (Recent::default(), Trend::START);
        let random = std::iter::repeat_n(None, game.opening());
        for (&m, score) in game.moves().iter().zip(random.chain(game.scores().iter().map(Some))) {
            if let Some(&score) = score {
                let level = level::level(score);
                trend
                    .code(&mut self.coder, &mut self.scores, position.turn(), level)
                    .expect("a level is in range");
                self.likelihood.judge(&position, recent);
            } else {
                self.likelihood.random(&position);
            }
            let place = self.likelihood.place(m);
            self.coder.take(place.below, place.share, self.likelihood.total());
            recent.add(&position, m);
            position.play_unchecked(m);
        }
        self.games += 1;
        self.positions += game.scores().len() as u32;
        self.work += game.moves().len() + 1;
        self.previous = Some(game.clone());
    }

    /// Games so far.
    pub const fn games(&self) -> u32 {
        self.games
    }

    /// Positions with a score so far.
    pub const fn positions(&self) -> u32 {
        self.positions
    }

    /// Moves so far, plus one per game.
    pub const fn work(&self) -> usize {
        self.work
    }

    /// Bytes so far, give or take five.
    pub const fn len(&self) -> usize {
        self.coder.len()
    }

    /// Whether there are no games.
    pub const fn is_empty(&self) -> bool {
        self.games == 0
    }

    /// The bytes of all games.
    pub fn finish(self) -> Vec<u8> {
        self.coder.finish()
    }

    /// Encodes a start position in the shortest way.
    fn start(&mut self, start: &Position) {
        if *start == Position::default() {
            self.heads.start(&mut self.coder, StartKind::Standard);
        } else if let Some(number) = start.chess960_number().filter(|&n| n != STANDARD) {
            self.heads.start(&mut self.coder, StartKind::Array);
            self.coder.uniform(u32::from(number), 960);
        } else if let Some((ply, plies)) = self.branch(start) {
            self.heads.start(&mut self.coder, StartKind::Branch);
            self.coder.uniform(ply as u32, plies as u32 + 1);
        } else {
            self.heads.start(&mut self.coder, StartKind::Packed);
            let mut bytes = Vec::new();
            start::pack(start, &mut bytes);
            for byte in bytes {
                self.coder.uniform(u32::from(byte), 256);
            }
        }
    }

    /// The ply at which the previous game had this position, if it ever did.
    fn branch(&self, start: &Position) -> Option<(usize, usize)> {
        let game = self.previous.as_ref()?;
        let mut position = game.start().clone();
        let mut ply = 0;
        while position != *start {
            position.play_unchecked(*game.moves().get(ply)?);
            ply += 1;
        }
        Some((ply, game.moves().len()))
    }
}
