//! Statistics of a training data file.

use std::io::Read;

use chess::{Color, Position};
use nnue::data::{Damage, DataError, Ending, Game, PackedScore, Quiet, Reader};

/// Statistics of a training data file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stat {
    /// Games.
    pub games: u64,
    /// Games that start from a Chess960 position other than the standard one.
    pub chess960: u64,
    /// Games that start from any other position: they branch from another game.
    pub branches: u64,
    /// White wins, draws, Black wins.
    pub results: [u64; 3],
    /// Games by [`Ending`], in the order of [`Ending::ALL`].
    pub endings: [u64; Ending::ALL.len()],
    /// Plies of all games, including the random ones.
    pub moves: u64,
    /// Plies of the shortest game.
    pub shortest: u64,
    /// Plies of the longest game.
    pub longest: u64,
    /// Games by length: `lengths[i]` have from `40 i` to `40 i + 39` plies, the last any more.
    pub lengths: [u64; 11],
    /// Positions with a score.
    pub positions: u64,
    /// Positions that the default [`Quiet`] accepts.
    pub quiet: u64,
    /// Positions by White's score: `scores[i]` are below `SCORE_EDGES[i]`, the last are not.
    pub scores: [u64; SCORE_EDGES.len() + 1],
    /// Bytes that were read.
    pub bytes: u64,
    /// The first damaged parts.
    pub damage: Vec<Damage>,
    /// Number of damaged parts.
    pub damaged: u64,
    /// Bytes of damaged parts.
    pub damaged_bytes: u64,
}

/// Bounds of the groups of [`Stat::scores`]; beyond the first and the last are the outermost levels
/// of the format: mates and equivalent scores.
pub const SCORE_EDGES: [i16; 16] =
    [-2772, -2000, -1000, -500, -200, -100, -50, -20, 21, 51, 101, 201, 501, 1001, 2001, 2773];
/// Damaged parts to report in detail.
const KEPT: usize = 20;

impl Stat {
    /// Reads a whole file. Damage is counted, other errors are returned.
    pub fn read(source: impl Read) -> Result<Self, DataError> {
        let mut stat = Self::default();
        let mut counted = Counted { source, bytes: 0 };
        for game in Reader::new(&mut counted)?.games() {
            match game {
                Ok(game) => stat.add(&game),
                Err(DataError::Damaged(damage)) => stat.add_damage(damage),
                Err(error) => return Err(error),
            }
        }
        stat.bytes = counted.bytes;
        Ok(stat)
    }

    /// Bytes of the file per position.
    pub fn bytes_per_position(&self) -> f64 {
        self.bytes as f64 / self.positions.max(1) as f64
    }

    /// Counts a game.
    pub fn add(&mut self, game: &Game) {
        let moves = game.moves().len() as u64;
        self.shortest = if self.games == 0 { moves } else { self.shortest.min(moves) };
        self.longest = self.longest.max(moves);
        self.games += 1;
        self.moves += moves;
        self.lengths[(moves as usize / 40).min(self.lengths.len() - 1)] += 1;
        if *game.start() != Position::default() {
            match game.start().chess960_number() {
                Some(_) => self.chess960 += 1,
                None => self.branches += 1,
            }
        }
        self.results[match game.winner() {
            Some(Color::White) => 0,
            None => 1,
            Some(Color::Black) => 2,
        }] += 1;
        self.endings[game.ending() as usize] += 1;
        self.positions += game.scores().len() as u64;
        for score in game.scores() {
            self.scores[score_group(*score)] += 1;
        }
        let quiet = Quiet::default();
        self.quiet += game.samples().filter(|sample| quiet.accepts(sample)).count() as u64;
    }

    fn add_damage(&mut self, damage: Damage) {
        self.damaged += 1;
        self.damaged_bytes += damage.len;
        if self.damage.len() < KEPT {
            self.damage.push(damage);
        }
    }
}

fn score_group(score: PackedScore) -> usize {
    SCORE_EDGES.partition_point(|&edge| edge <= score.value())
}

/// Counts the bytes that pass through.
struct Counted<R> {
    source: R,
    bytes: u64,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let read = self.source.read(buffer)?;
        self.bytes += read as u64;
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_fall_into_their_groups() {
        let group = |cp| score_group(PackedScore::cp(cp));
        assert_eq!(score_group(PackedScore::mate(-8).quantised()), 0);
        assert_eq!((group(-2333), group(2333)), (1, SCORE_EDGES.len() - 1));
        assert_eq!((group(-21), group(-20), group(20), group(21)), (7, 8, 8, 9));
        assert_eq!(score_group(PackedScore::mate(1000).quantised()), SCORE_EDGES.len());
        // The groups are symmetric.
        for cp in 0..3000 {
            assert_eq!(group(-cp), SCORE_EDGES.len() - group(cp), "{cp}");
        }
    }
}
