//! What stands before the moves of a game: where it starts, how it ended, how long it is.

use chess::Color;

use super::range::{Bit, Coder};
use super::{BadGame, Ending, Unsound};

/// What is known about the heads of games; learns within a block.
#[derive(Clone, Debug)]
pub struct HeadModel {
    starts: [Bit; 4],
    results: [Bit; 4],
    endings: [[Bit; 16]; 3],
    openings: [Bit; 256],
    lengths: [Bit; 32],
}

impl Default for HeadModel {
    fn default() -> Self {
        Self {
            starts: [Bit::EVEN; 4],
            results: [Bit::EVEN; 4],
            endings: [[Bit::EVEN; 16]; 3],
            openings: [Bit::EVEN; 256],
            lengths: [Bit::EVEN; 32],
        }
    }
}

/// How a game's start is written.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum StartKind {
    /// The array of standard chess.
    Standard,
    /// The number of an array of Chess960 follows.
    Array,
    /// A packed position follows.
    Packed,
    /// It is a position of the game before; how many moves that had then follows.
    Branch,
}

impl StartKind {
    const ALL: [Self; 4] = [Self::Standard, Self::Array, Self::Packed, Self::Branch];
}

/// What a game has besides its start, moves and scores.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// Who won, if anybody.
    pub winner: Option<Color>,
    /// How it ended.
    pub ending: Ending,
    /// How many of the first moves have no score.
    pub opening: u8,
    /// All moves.
    pub plies: u16,
}

impl HeadModel {
    /// Codes how a start is written.
    pub fn start(&mut self, coder: &mut impl Coder, kind: StartKind) -> StartKind {
        StartKind::ALL[coder.tree(&mut self.starts, 2, kind as u32) as usize]
    }

    /// Codes the rest; an encoder ignores what comes back.
    pub fn head(&mut self, coder: &mut impl Coder, head: Head) -> Result<Head, BadGame> {
        let result = match head.winner {
            Some(Color::Black) => 0,
            None => 1,
            Some(Color::White) => 2,
        };
        let result = coder.tree(&mut self.results, 2, result);
        let winner = match result {
            0 => Some(Color::Black),
            1 => None,
            2 => Some(Color::White),
            _ => return Err(BadGame::Result),
        };
        let ending = coder.tree(&mut self.endings[result as usize], 4, head.ending as u32);
        let ending = *Ending::ALL.get(ending as usize).ok_or(BadGame::Result)?;
        if !ending.allows(winner) {
            return Err(Unsound::Result(ending).into());
        }
        let opening = coder.tree(&mut self.openings, 8, u32::from(head.opening));
        let plies = self.length(coder, u32::from(head.plies));
        let plies = u16::try_from(plies).map_err(|_| Unsound::TooLong)?;
        let opening = u8::try_from(opening).expect("eight bits");
        if u16::from(opening) > plies {
            return Err(Unsound::Scores { moves: plies.into(), scores: 0 }.into());
        }
        Ok(Head { winner, ending, opening, plies })
    }

    /// A length plus one: the place of its highest bit with a model, the bits below without.
    fn length(&mut self, coder: &mut impl Coder, length: u32) -> u32 {
        let value = length + 1;
        let bits = coder.tree(&mut self.lengths, 5, value.ilog2()).min(16);
        let low = coder.uniform(value & ((1 << bits) - 1), 1 << bits);
        (1 << bits | low) - 1
    }
}
