//! The games of one block, checked against the counts in its header.

use chess::{Move, Position};

use super::block::FRAME;
use super::{BadGame, Block, Damage, Decoder, Game, PackedScore, Played};

/// Decodes the games of a block. An invalid game ends it, and is reported.
#[derive(Debug)]
pub struct BlockGames {
    decoder: Decoder,
    offset: u64,
    len: usize,
    /// Remaining games and positions.
    games: u32,
    positions: u32,
    ended: bool,
}

impl Block {
    /// The games.
    pub fn games(self) -> BlockGames {
        BlockGames {
            offset: self.offset,
            len: self.bytes.len(),
            games: self.games,
            positions: self.positions,
            decoder: Decoder::new(self.bytes),
            ended: false,
        }
    }
}

impl BlockGames {
    /// Reads the next game without storing it: `watch` sees each position, the move played, and the
    /// score from White's point of view, which random moves don't have.
    pub fn watch(
        &mut self,
        mut watch: impl FnMut(&Position, Move, Option<PackedScore>),
    ) -> Option<Result<Played, Damage>> {
        let mut scores = 0;
        self.next_by(|decoder| {
            let played = decoder.watch(|position, m, score| {
                scores += u32::from(score.is_some());
                watch(position, m, score);
            })?;
            Ok((played, scores))
        })
    }

    /// Reads the next game, if any, with a function that also returns its number of scores.
    fn next_by<T>(
        &mut self,
        read: impl FnOnce(&mut Decoder) -> Result<(T, u32), BadGame>,
    ) -> Option<Result<T, Damage>> {
        if self.ended {
            return None;
        }
        if self.games == 0 {
            self.ended = true;
            let sound = self.positions == 0 && self.decoder.is_at_end();
            return (!sound).then(|| Err(self.damage(BadGame::Count)));
        }
        let read = read(&mut self.decoder).and_then(|(game, scores)| {
            self.games -= 1;
            self.positions = self.positions.checked_sub(scores).ok_or(BadGame::Count)?;
            Ok(game)
        });
        self.ended = read.is_err();
        Some(read.map_err(|bad| self.damage(bad)))
    }

    fn damage(&self, game: BadGame) -> Damage {
        let used = self.decoder.used();
        Damage {
            offset: self.offset + (FRAME + used) as u64,
            len: (self.len - used) as u64,
            unfinished: false,
            game: Some(game),
        }
    }
}

impl Iterator for BlockGames {
    type Item = Result<Game, Damage>;

    fn next(&mut self) -> Option<Self::Item> {
        self.next_by(|decoder| {
            let game = decoder.game()?;
            let scores = game.scores().len() as u32;
            Ok((game, scores))
        })
    }
}
