//! A game from bytes. Whatever the bytes are, what comes out is sound.

use chess::{Color, Move, Position};

use super::encode::{CHECK, PACKED_START};
use super::{Ending, Game, PackedScore, Unsound, start};

/// Why bytes are no game.
#[derive(Copy, Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadGame {
    /// The bytes end too early.
    #[error("a game is cut short")]
    Short,
    /// The start position is none of the 960, or not legal.
    #[error("a game starts from a position that is not legal")]
    Start,
    /// The numbers for the result and its reason mean nothing.
    #[error("a game has an unknown result")]
    Result,
    /// A score is out of range.
    #[error("a score is out of range")]
    Score,
    /// A move is marked as played in check though it isn't, or the other way round.
    #[error("move {0} of a game is wrongly marked as to check")]
    Check(usize),
    /// The block is whole, but holds other games than its header says.
    #[error("the block's header counts other games than it holds")]
    Count,
    /// The parts don't make a game.
    #[error(transparent)]
    Unsound(#[from] Unsound),
}

/// Reads the game at the beginning of `bytes`, and says how many bytes it takes.
pub fn decode(bytes: &[u8]) -> Result<(Game, usize), BadGame> {
    let mut rest = Bytes(bytes);
    let head = u16::from_le_bytes(rest.take()?);
    let plies = usize::from(u16::from_le_bytes(rest.take()?));
    let [opening] = rest.take()?;
    let winner = match head >> 10 & 3 {
        0 => Some(Color::Black),
        1 => None,
        2 => Some(Color::White),
        _ => return Err(BadGame::Result),
    };
    let ending = *Ending::ALL.get(usize::from(head >> 12)).ok_or(BadGame::Result)?;
    let start = match head & 1023 {
        PACKED_START => start::unpack(&mut rest)?,
        number => Position::chess960(number).ok_or(BadGame::Start)?,
    };
    let (moves, checks) = moves(&mut rest, plies)?;
    let searched = plies
        .checked_sub(usize::from(opening))
        .ok_or(Unsound::Scores { moves: plies, scores: 0 })?;
    let scores = scores(&mut rest, searched)?;
    // Decoders that trust the marks must see the same positions as those that look.
    let mut wrong = None;
    let game = Game::watched(start, moves, scores, winner, ending, |i, position| {
        if position.is_check() != checks[i] {
            wrong = wrong.or(Some(i + 1));
        }
    })?;
    match wrong {
        Some(ply) => Err(BadGame::Check(ply)),
        None => Ok((game, bytes.len() - rest.0.len())),
    }
}

/// The moves, and which of them are marked as played in check.
fn moves(rest: &mut Bytes, plies: usize) -> Result<(Vec<Move>, Vec<bool>), BadGame> {
    let bytes = rest.slice(plies * 2)?;
    let (pairs, _) = bytes.as_chunks::<2>();
    let bits = pairs.iter().map(|&pair| u16::from_le_bytes(pair));
    Ok(bits
        .map(|bits| (Move::from_bits(bits | CHECK).expect("the mark is set"), bits & CHECK != 0))
        .unzip())
}

fn scores(rest: &mut Bytes, count: usize) -> Result<Vec<PackedScore>, BadGame> {
    if rest.0.len() < count {
        return Err(BadGame::Short);
    }
    let mut before = 0;
    let mut scores = Vec::with_capacity(count);
    for _ in 0..count {
        before += rest.difference()?;
        scores.push(PackedScore::from_value(before).ok_or(BadGame::Score)?);
    }
    Ok(scores)
}

/// What is left to read.
pub struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    /// The next bytes, as an array.
    pub fn take<const N: usize>(&mut self) -> Result<[u8; N], BadGame> {
        let (first, rest) = self.0.split_first_chunk().ok_or(BadGame::Short)?;
        self.0 = rest;
        Ok(*first)
    }

    fn slice(&mut self, len: usize) -> Result<&'a [u8], BadGame> {
        let (first, rest) = self.0.split_at_checked(len).ok_or(BadGame::Short)?;
        self.0 = rest;
        Ok(first)
    }

    /// A difference of scores, in at most three bytes.
    fn difference(&mut self) -> Result<i32, BadGame> {
        let mut value = 0;
        for shift in [0, 7, 14] {
            let [byte] = self.take()?;
            value |= i32::from(byte & 0x7F) << shift;
            if byte & 0x80 == 0 {
                return Ok(value >> 1 ^ -(value & 1));
            }
        }
        Err(BadGame::Score)
    }
}
