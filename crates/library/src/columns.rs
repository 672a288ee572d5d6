//! Columns: facts, ratings and time controls, which filters need and which are kept in memory; players, ECO codes
//! and final material, which are read from disk.

use crate::bytes::Cursor;
use crate::error::{At, Damage, Result};
use crate::facts::Facts;
use crate::pages::{PageFile, PageWriter};
use crate::zip;

/// Rows in a page of facts.
const FACTS: usize = 16_384;
/// Rows in a page of details.
const DETAILS: u32 = 256;
/// Bytes of a row of details: two players, ECO code, material.
const DETAIL: usize = 4 + 4 + 2 + 5;

/// What filters look at.
#[derive(Clone, Debug, Default)]
pub(crate) struct Columns {
    pub(crate) facts: Vec<Facts>,
    pub(crate) ratings: Vec<[u16; 2]>,
    /// Indices of time controls.
    pub(crate) controls: Vec<u32>,
}

impl Columns {
    pub(crate) fn push(&mut self, facts: Facts, ratings: [u16; 2], control: u32) {
        self.facts.push(facts);
        self.ratings.push(ratings);
        self.controls.push(control);
    }

    /// Writes all rows: byte by byte in planes, which compress better than rows.
    pub(crate) fn write(&self, mut out: PageWriter) -> Result<()> {
        for start in (0..self.facts.len()).step_by(FACTS) {
            let rows = start..self.facts.len().min(start + FACTS);
            let words = self.facts[rows.clone()].iter().map(|facts| facts.0.to_le_bytes());
            let mut bytes = planes(words);
            bytes.extend(planes(self.ratings[rows.clone()].iter().map(|r| r[0].to_le_bytes())));
            bytes.extend(planes(self.ratings[rows.clone()].iter().map(|r| r[1].to_le_bytes())));
            bytes.extend(planes(self.controls[rows].iter().map(|c| c.to_le_bytes())));
            out.push(&zip::compress(&bytes))?;
        }
        out.finish()
    }

    pub(crate) fn read(file: &PageFile, games: u32) -> Result<Self> {
        let mut columns = Self::default();
        for (number, start) in (0..games as usize).step_by(FACTS).enumerate() {
            let rows = FACTS.min(games as usize - start);
            let bytes = zip::decompress(&file.page(number)?, rows * 12).at(file.path())?;
            if bytes.len() != rows * 12 {
                return Err(file.damaged("a page of facts is too short"));
            }
            let byte = |plane: usize, row: usize| bytes[plane * rows + row];
            let half = |plane, row| u16::from_le_bytes([byte(plane, row), byte(plane + 1, row)]);
            let word =
                |plane, row| u32::from(half(plane, row)) | u32::from(half(plane + 2, row)) << 16;
            for row in 0..rows {
                let facts = word(0, row);
                if facts & Facts::DELETED != 0 {
                    return Err(file.damaged("a fact is out of range"));
                }
                columns.push(Facts(facts), [half(4, row), half(6, row)], word(8, row));
            }
        }
        Ok(columns)
    }
}

/// First all first bytes, then all second ones, and so on.
fn planes<const N: usize>(rows: impl Iterator<Item = [u8; N]>) -> Vec<u8> {
    let rows: Vec<[u8; N]> = rows.collect();
    (0..N).flat_map(|plane| rows.iter().map(move |row| row[plane])).collect()
}

/// Players, ECO code and final material of a game.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Details {
    pub(crate) white: u32,
    pub(crate) black: u32,
    pub(crate) eco: u16,
    pub(crate) material: u64,
}

/// Writes details in order.
#[derive(Debug)]
pub(crate) struct DetailsWriter {
    out: PageWriter,
    page: Vec<u8>,
}

impl DetailsWriter {
    pub(crate) const fn new(out: PageWriter) -> Self {
        Self { out, page: Vec::new() }
    }

    pub(crate) fn add(&mut self, details: Details) -> Result<()> {
        self.page.extend(details.white.to_le_bytes());
        self.page.extend(details.black.to_le_bytes());
        self.page.extend(details.eco.to_le_bytes());
        self.page.extend(&details.material.to_le_bytes()[..5]);
        if self.page.len() == DETAILS as usize * DETAIL {
            self.out.push(&self.page)?;
            self.page.clear();
        }
        Ok(())
    }

    pub(crate) fn finish(mut self) -> Result<()> {
        if !self.page.is_empty() {
            self.out.push(&self.page)?;
        }
        self.out.finish()
    }
}

fn row(cursor: &mut Cursor<'_>) -> Result<Details, Damage> {
    Ok(Details {
        white: cursor.fixed(4)? as u32,
        black: cursor.fixed(4)? as u32,
        eco: cursor.fixed(2)? as u16,
        material: cursor.fixed(5)?,
    })
}

/// The details of a game.
pub(crate) fn details(file: &PageFile, game: u32) -> Result<Details> {
    let page = file.page((game / DETAILS) as usize)?;
    let bytes = page.get((game % DETAILS) as usize * DETAIL..);
    bytes
        .ok_or(Damage("a page of details is too short"))
        .and_then(|b| row(&mut Cursor(b)))
        .at(file.path())
}

/// The details of all games.
pub(crate) fn all_details(file: &PageFile) -> impl Iterator<Item = Result<Details>> {
    (0..file.len()).flat_map(|number| match file.page(number) {
        Ok(page) => {
            let mut cursor = Cursor(&page);
            let mut rows = Vec::new();
            while !cursor.is_empty() {
                rows.push(row(&mut cursor).at(file.path()));
            }
            rows
        }
        Err(error) => vec![Err(error)],
    })
}
