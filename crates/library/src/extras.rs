//! Tags, comments, clocks and variations of all games, in compressed pages.

use crate::bytes::{Cursor, put_text, put_varint};
use crate::error::{At, Result};
use crate::pages::{PageFile, PageWriter};
use crate::zip;

/// Games in a page.
pub(crate) const GAMES: u32 = 64;

/// Writes games in order.
#[derive(Debug)]
pub(crate) struct ExtrasWriter {
    out: PageWriter,
    page: Vec<u8>,
    count: u32,
}

impl ExtrasWriter {
    pub(crate) const fn new(out: PageWriter) -> Self {
        Self { out, page: Vec::new(), count: 0 }
    }

    pub(crate) fn add(&mut self, extras: &[u8]) -> Result<()> {
        put_text(&mut self.page, extras);
        self.count += 1;
        if self.count == GAMES {
            self.end_page()?;
        }
        Ok(())
    }

    fn end_page(&mut self) -> Result<()> {
        let mut page = Vec::new();
        put_varint(&mut page, self.page.len() as u64);
        page.extend(zip::compress(&self.page));
        self.out.push(&page)?;
        self.page.clear();
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

/// A page of extras, decompressed.
#[derive(Debug)]
pub(crate) struct Extras {
    bytes: Vec<u8>,
    number: u32,
}

impl Extras {
    /// The page with a game.
    pub(crate) fn read(file: &PageFile, game: u32) -> Result<Self> {
        let number = game / GAMES;
        let page = file.page(number as usize)?;
        let mut cursor = Cursor(&page);
        let len = cursor.at_most(1 << 31).at(file.path())?;
        let bytes = zip::decompress(cursor.0, len).at(file.path())?;
        Ok(Self { bytes, number })
    }

    /// Whether it is the page with this game.
    pub(crate) const fn has(&self, game: u32) -> bool {
        self.number == game / GAMES
    }

    /// The extras of a game of this page.
    pub(crate) fn game(&self, file: &PageFile, game: u32) -> Result<&[u8]> {
        let mut cursor = Cursor(&self.bytes);
        for _ in 0..game % GAMES {
            cursor.text().at(file.path())?;
        }
        cursor.text().at(file.path())
    }
}
