//! The moves of all games, each written as what differs from the game before.

use crate::bytes::{Cursor, put_varint};
use crate::error::{At, Damage, Result};
use crate::pages::{PageFile, PageWriter};

/// Games in a page. The first one is written in full.
pub(crate) const GAMES: u32 = 64;

/// Writes games in order.
#[derive(Debug)]
pub(crate) struct MovesWriter {
    out: PageWriter,
    page: Vec<u8>,
    last: Vec<u8>,
    count: u32,
}

impl MovesWriter {
    pub(crate) const fn new(out: PageWriter) -> Self {
        Self { out, page: Vec::new(), last: Vec::new(), count: 0 }
    }

    pub(crate) fn add(&mut self, moves: &[u8]) -> Result<()> {
        if self.count == GAMES {
            self.end_page()?;
        }
        let same = self.last.iter().zip(moves).take_while(|(a, b)| a == b).count();
        put_varint(&mut self.page, same as u64);
        put_varint(&mut self.page, (moves.len() - same) as u64);
        self.page.extend_from_slice(&moves[same..]);
        self.last.clear();
        self.last.extend_from_slice(moves);
        self.count += 1;
        Ok(())
    }

    fn end_page(&mut self) -> Result<()> {
        self.out.push(&self.page)?;
        self.page.clear();
        self.last.clear();
        self.count = 0;
        Ok(())
    }

    pub(crate) fn finish(mut self) -> Result<()> {
        if self.count > 0 {
            self.end_page()?;
        }
        self.out.finish()
    }
}

/// The moves of one game.
pub(crate) fn read(file: &PageFile, game: u32) -> Result<Vec<u8>> {
    let page = file.page((game / GAMES) as usize)?;
    let mut moves = Vec::with_capacity(256);
    let mut cursor = Cursor(&page);
    for _ in 0..=game % GAMES {
        next(&mut cursor, &mut moves).at(file.path())?;
    }
    Ok(moves)
}

/// Turns the moves of a game into those of the next one.
fn next(cursor: &mut Cursor<'_>, moves: &mut Vec<u8>) -> Result<(), Damage> {
    let same = cursor.at_most(moves.len())?;
    moves.truncate(same);
    moves.extend_from_slice(cursor.text()?);
    Ok(())
}

/// Reads games one after the other.
#[derive(Debug)]
pub(crate) struct MovesReader<'a> {
    file: &'a PageFile,
    page: Vec<u8>,
    at: usize,
    game: u32,
    moves: Vec<u8>,
}

impl<'a> MovesReader<'a> {
    /// Starts at a game.
    pub(crate) fn new(file: &'a PageFile, game: u32) -> Result<Self> {
        let first = game / GAMES * GAMES;
        let mut reader = Self { file, page: Vec::new(), at: 0, game: first, moves: Vec::new() };
        while reader.game < game {
            reader.next()?;
        }
        Ok(reader)
    }

    /// The moves of the next game.
    pub(crate) fn next(&mut self) -> Result<&[u8]> {
        if self.game.is_multiple_of(GAMES) {
            self.page = self.file.page((self.game / GAMES) as usize)?;
            self.at = 0;
            self.moves.clear();
        }
        let mut cursor = Cursor(&self.page[self.at..]);
        next(&mut cursor, &mut self.moves).at(self.file.path())?;
        self.at = self.page.len() - cursor.0.len();
        self.game += 1;
        Ok(&self.moves)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pages::Kind;

    #[test]
    fn games_come_back_in_any_order() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("moves");
        let mut games: Vec<Vec<u8>> =
            (0..300_u32).map(|i| (0..i % 50).map(|j| (i / 7 * j % 30) as u8).collect()).collect();
        games.sort();
        let mut writer = MovesWriter::new(PageWriter::create(&path, Kind::Moves).expect("created"));
        for game in &games {
            writer.add(game).expect("written");
        }
        writer.finish().expect("finished");
        let file = PageFile::open(&path, Kind::Moves).expect("open");
        let mut reader = MovesReader::new(&file, 70).expect("in range");
        for (number, game) in games.iter().enumerate() {
            assert_eq!(&read(&file, number as u32).expect("sound"), game);
            if number >= 70 {
                assert_eq!(reader.next().expect("sound"), game);
            }
        }
        assert!(read(&file, 300).is_err() && reader.next().is_err());
    }
}
