//! Counts games and moves before the work starts, so that the time left can be told. It also finds
//! files that can't be read.

use std::fs::File;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use chess::{Move, Position};
use game::pgn::{ReadError, Reader, Visitor};

use super::player::Player;

/// What there is to review.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Census {
    pub games: u64,
    /// Moves of main lines.
    pub moves: u64,
}

impl Census {
    /// Counts the games of files; none if they come from standard input.
    pub fn of(files: &[PathBuf], player: Option<&Player>) -> Result<Option<Self>> {
        let mut sum = Self::default();
        let mut is_known = true;
        for path in files {
            if path == Path::new("-") {
                is_known = false;
                continue;
            }
            let file = File::open(path).with_context(|| path.display().to_string())?;
            sum.add(file, player).with_context(|| path.display().to_string())?;
        }
        Ok(is_known.then_some(sum))
    }

    fn add(&mut self, file: impl std::io::Read, player: Option<&Player>) -> std::io::Result<()> {
        let mut reader = Reader::new(file);
        loop {
            let mut count = Count { player, wanted: player.is_none(), depth: 0, moves: 0 };
            match reader.read(&mut count) {
                Ok(true) if count.wanted => {
                    self.games += 1;
                    self.moves += count.moves;
                }
                Ok(true) | Err(ReadError::Lost(_)) => {}
                Ok(false) => return Ok(()),
                Err(ReadError::Io(error)) => return Err(error),
            }
        }
    }
}

/// Counts the moves of one game.
struct Count<'a> {
    player: Option<&'a Player>,
    wanted: bool,
    depth: u32,
    moves: u64,
}

impl Visitor for Count<'_> {
    fn tag(&mut self, name: &str, value: &str) {
        if matches!(name, "White" | "Black") {
            self.wanted |= self.player.is_some_and(|player| player.is(value));
        }
    }

    fn play(&mut self, _: &Position, _: Move) {
        self.moves += u64::from(self.depth == 0);
    }

    fn open(&mut self) {
        self.depth += 1;
    }

    fn close(&mut self) {
        self.depth -= 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_main_lines_of_the_players_games_count() {
        let text = "[White \"Tal\"]\n\n1. e4 e5 (1... c5 2. Nf3) 2. Nf3 *\n\n\
                    [White \"Keres\"]\n\n1. d4 *\n";
        let count = |player: Option<&Player>| {
            let mut census = Census::default();
            census.add(text.as_bytes(), player).expect("memory");
            census
        };
        assert_eq!(count(None), Census { games: 2, moves: 4 });
        let tal = "tal".parse().expect("a name");
        assert_eq!(count(Some(&tal)), Census { games: 1, moves: 3 });
    }
}
