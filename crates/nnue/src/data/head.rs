//! The header of a game: how it starts, how it ended, how long it is.

use chess::Color;

use super::range::{Bit, Coder};
use super::{BadGame, Ending, Unsound};

/// Models of game headers; they adapt within a block.
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

/// How a game's start position is encoded.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum StartKind {
    /// The standard start position.
    Standard,
    /// A Chess960 start position, followed by its number.
    Array,
    /// A packed position follows.
    Packed,
    /// A position of the previous game, followed by its ply.
    Branch,
}

impl StartKind {
    const ALL: [Self; 4] = [Self::Standard, Self::Array, Self::Packed, Self::Branch];
}

/// The header fields other than the start position.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// The winner, if any.
    pub winner: Option<Color>,
    /// How it ended.
    pub ending: Ending,
    /// The number of opening moves, which have no score.
    pub opening: u8,
    /// The number of moves.
    pub plies: u16,
}

impl HeadModel {
    /// Codes the kind of start position.
    pub fn start(&mut self, coder: &mut impl Coder, kind: StartKind) -> StartKind {
        StartKind::ALL[coder.tree(&mut self.starts, 2, kind as u32) as usize]
    }

    /// Codes the rest; an encoder ignores the return value.
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

    /// A length plus one: the position of its highest bit with a model, the bits below without.
    fn length(&mut self, coder: &mut impl Coder, length: u32) -> u32 {
        let value = length + 1;
        let bits = coder.tree(&mut self.lengths, 5, value.ilog2()).min(16);
        let low = coder.uniform(value & ((1 << bits) - 1), 1 << bits);
        (1 << bits | low) - 1
    }
}
