//! Selects the positions that become records, and computes their targets.

use chess::{Color, Move, Position};
use engine::Dice;
use nnue::data::{Block, Damage, PackedScore, Played, Quiet, ply};

use super::Record;

/// Which positions become records, and with which target.
#[derive(Clone, Debug, PartialEq)]
pub struct Recipe {
    /// The filter for quiet positions; all positions without it.
    pub quiet: Option<Quiet>,
    /// Lambda of TD(lambda): how much each later score of a game counts against the one before it.
    /// With 0 the target is the win probability of the position's own score.
    pub trust: f32,
    /// The score with a win probability of 73 %, `1 / (1 + exp(-1))`.
    pub scale: f32,
    /// Use only a part of the games; all of them without it.
    pub part: Option<Part>,
}

/// Training games and validation games. A game is in the same part whatever the seed and the order
/// of files, and together with its branches.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// Training: all but one game in this many.
    Learn(u64),
    /// Validation: that one.
    Check(u64),
}

impl Part {
    fn has(self, mut dice: Dice) -> bool {
        match self {
            Self::Learn(of) => dice.below(of) != 0,
            Self::Check(of) => dice.below(of) == 0,
        }
    }
}

/// The largest score in a file.
const HIGHEST: i32 = 2773;

/// Makes records from blocks.
#[derive(Debug)]
pub struct Cook<'a> {
    recipe: &'a Recipe,
    /// White's win probability for each score.
    chances: Vec<f32>,
    /// White's win probabilities at the scores of the current game.
    game: Vec<f32>,
    /// Which of them belong to records, and whether Black is to move.
    places: Vec<(usize, bool)>,
}

impl<'a> Cook<'a> {
    /// Prepares for many blocks.
    pub fn new(recipe: &'a Recipe) -> Self {
        let chance = |score: i32| 1.0 / (1.0 + (-(score as f32) / recipe.scale).exp());
        Self {
            recipe,
            chances: (-HIGHEST..=HIGHEST).map(chance).collect(),
            game: Vec::new(),
            places: Vec::new(),
        }
    }

    /// Adds the records of a block. Records before a damaged part are kept.
    pub fn block(&mut self, block: Block, out: &mut Vec<Record>) -> Result<(), Damage> {
        let (offset, len) = (block.offset, block.bytes.len() as u64);
        let mut games = block.games();
        let mut family = 0;
        for number in 0_u64.. {
            self.game.clear();
            self.places.clear();
            let first = out.len();
            let played = games.watch(|position, best, score| {
                if let Some(score) = score {
                    self.add(position, best, score, out);
                }
            });
            let Some(played) = played else { break };
            let played = played.inspect_err(|_| out.truncate(first))?;
            if !played.branches {
                family = number;
            }
            let dice = Dice::stream(offset ^ len << 32, family);
            if self.recipe.part.is_none_or(|part| part.has(dice)) {
                self.conclude(played, &mut out[first..]);
            } else {
                out.truncate(first);
            }
        }
        Ok(())
    }

    /// Adds a position.
    #[inline]
    fn add(&mut self, position: &Position, best: Move, score: PackedScore, out: &mut Vec<Record>) {
        let index = (i32::from(score.value()) + HIGHEST).clamp(0, 2 * HIGHEST);
        self.game.push(self.chances[index as usize]);
        let ply = ply(position);
        if self.recipe.quiet.is_none_or(|quiet| quiet.accepts_parts(position, best, score, ply)) {
            let turn = position.turn();
            let own = score.flip_for(turn).value();
            if let Some(record) = Record::new(position, own, ply) {
                out.push(record);
                self.places.push((self.game.len() - 1, turn == Color::Black));
            }
        }
    }

    /// Sets the targets of a game's records.
    fn conclude(&mut self, played: Played, records: &mut [Record]) {
        let trust = self.recipe.trust;
        for i in (0..self.game.len().saturating_sub(1)).rev() {
            self.game[i] += trust * (self.game[i + 1] - self.game[i]);
        }
        let white = match played.winner {
            Some(Color::White) => 2,
            None => 1,
            Some(Color::Black) => 0,
        };
        for (record, &(score, black)) in records.iter_mut().zip(&self.places) {
            let chance = self.game[score];
            if black {
                record.conclude(1.0 - chance, 2 - white);
            } else {
                record.conclude(chance, white);
            }
        }
    }
}
