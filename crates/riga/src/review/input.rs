//! The games to review, one at a time, from files and standard input.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use game::Game;
use game::pgn::{Games, ReadError, Reader};

use super::collected::Chosen;
use super::player::Player;
use super::screen::Screen;

/// The games of several files or of a library, numbered through.
pub struct Input<'a> {
    files: std::slice::Iter<'a, PathBuf>,
    chosen: Option<&'a Chosen>,
    player: Option<&'a Player>,
    screen: &'a Screen,
    current: Option<(String, Games<Box<dyn Read + Send>>)>,
    /// Games read so far, including rejected ones and those of other players.
    index: u64,
}

/// A game and its number, from 1.
pub struct Numbered {
    pub index: u64,
    pub game: Game,
}

impl<'a> Input<'a> {
    pub fn new(files: &'a [PathBuf], player: Option<&'a Player>, screen: &'a Screen) -> Self {
        Self { files: files.iter(), chosen: None, player, screen, current: None, index: 0 }
    }

    /// Takes games of a library first.
    #[must_use]
    pub fn with(self, chosen: Option<&'a Chosen>) -> Self {
        Self { chosen, ..self }
    }

    /// The next game that is wanted. What can't be read is told and skipped.
    pub fn next(&mut self) -> Result<Option<Numbered>> {
        if let Some(Chosen { library, games }) = self.chosen
            && let Some(&id) = usize::try_from(self.index).ok().and_then(|at| games.get(at))
        {
            self.index += 1;
            return Ok(Some(Numbered { index: self.index, game: library.game(id)? }));
        }
        loop {
            let Some((name, games)) = &mut self.current else {
                let Some(path) = self.files.next() else { return Ok(None) };
                self.current = Some(open(path)?);
                continue;
            };
            let Some(game) = games.next() else {
                self.current = None;
                continue;
            };
            self.index += u64::from(!matches!(game, Err(ReadError::Io(_))));
            match game {
                Ok(game) if self.player.is_none_or(|player| player.side(&game).is_some()) => {
                    if let [first, ..] = games.remarks() {
                        self.screen.warn(&format!("{name}: {first} (reviewed as far as it goes)"));
                    }
                    return Ok(Some(Numbered { index: self.index, game }));
                }
                Ok(_) => {}
                Err(ReadError::Lost(remark)) => self.screen.skipped(&format!("{name}: {remark}")),
                Err(ReadError::Io(error)) => return Err(error).with_context(|| name.clone()),
            }
        }
    }
}

fn open(path: &Path) -> Result<(String, Games<Box<dyn Read + Send>>)> {
    let name = path.display().to_string();
    let source: Box<dyn Read + Send> = if path == Path::new("-") {
        Box::new(io::stdin())
    } else {
        Box::new(File::open(path).with_context(|| name.clone())?)
    };
    Ok((name, Reader::new(source).games()))
}
