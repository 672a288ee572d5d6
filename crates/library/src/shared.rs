//! The index of positions that several games have reached: the key, and runs of game numbers with the move they
//! played.

use std::ops::Range;

use crate::bytes::{Cursor, put_varint};
use crate::error::{At, Damage, Result};
use crate::layout::{Layout, Pages};
use crate::pages::PageFile;

/// Games with consecutive numbers that played the same move.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Run {
    pub(crate) start: u32,
    pub(crate) len: u32,
    /// The index of the move, or [`FAR`](crate::ranking::FAR) or [`NONE`](crate::ranking::NONE).
    pub(crate) played: u8,
}

impl Run {
    pub(crate) const fn end(&self) -> u32 {
        self.start + self.len
    }

    pub(crate) const fn games(&self) -> Range<u32> {
        self.start..self.end()
    }
}

fn page_of(key: u64, layout: Layout) -> u64 {
    key.checked_shr(64 - layout.shared_bits).unwrap_or(0)
}

/// Bytes of a key that its page doesn't tell.
const fn key_bytes(layout: Layout) -> usize {
    (64 - layout.shared_bits as usize).div_ceil(8)
}

/// Makes pages of keys in ascending order.
pub(crate) struct SharedPages {
    layout: Layout,
    page: u64,
    end: u64,
    body: Vec<u8>,
    pages: Pages,
}

impl SharedPages {
    pub(crate) fn new(layout: Layout, pages: Range<u64>) -> Self {
        let (page, end) = (pages.start, pages.end);
        Self { layout, page, end, body: Vec::new(), pages: Pages::default() }
    }

    pub(crate) fn add(&mut self, key: u64, runs: &[Run]) {
        while self.page < page_of(key, self.layout) {
            self.next_page();
        }
        self.body.clear();
        put_runs(&mut self.body, runs);
        let bytes = &mut self.pages.bytes;
        bytes.extend_from_slice(&key.to_le_bytes()[..key_bytes(self.layout)]);
        put_varint(bytes, self.body.len() as u64);
        bytes.extend_from_slice(&self.body);
    }

    fn next_page(&mut self) {
        self.pages.end_page();
        self.page += 1;
    }

    pub(crate) fn finish(mut self) -> Pages {
        while self.page < self.end {
            self.next_page();
        }
        self.pages
    }
}

/// Most runs follow the last one without a gap, which takes no byte of its own.
fn put_runs(out: &mut Vec<u8>, runs: &[Run]) {
    let mut last = 0;
    for run in runs {
        let gap = run.start - last;
        put_varint(out, u64::from(run.len - 1) << 1 | u64::from(gap > 0));
        if gap > 0 {
            put_varint(out, u64::from(gap));
        }
        out.push(run.played);
        last = run.end();
    }
}

fn read_runs(bytes: &[u8], games: u32) -> Result<Vec<Run>, Damage> {
    let mut cursor = Cursor(bytes);
    let mut runs = Vec::new();
    let mut last = 0_u64;
    while !cursor.is_empty() {
        let token = cursor.varint()?;
        let gap = if token & 1 == 1 { cursor.varint()? } else { 0 };
        let start = last.saturating_add(gap);
        let len = (token >> 1).saturating_add(1);
        last = start.saturating_add(len);
        if last > u64::from(games) {
            return Err(Damage("a position has a game that doesn't exist"));
        }
        runs.push(Run { start: start as u32, len: len as u32, played: cursor.byte()? });
    }
    Ok(runs)
}

/// The runs of a position; `None` if fewer than two games have reached it.
pub(crate) fn runs(
    file: &PageFile,
    layout: Layout,
    games: u32,
    key: u64,
) -> Result<Option<Vec<Run>>> {
    let page = file.page(page_of(key, layout) as usize)?;
    find(&page, layout, games, key).at(file.path())
}

/// Calls a function with the runs of every key.
pub(crate) fn each(
    file: &PageFile,
    layout: Layout,
    games: u32,
    mut call: impl FnMut(&[Run]),
) -> Result<()> {
    for number in 0..file.len() {
        let page = file.page(number)?;
        let mut cursor = Cursor(&page);
        while !cursor.is_empty() {
            cursor.take(key_bytes(layout)).at(file.path())?;
            let body = cursor.text().at(file.path())?;
            call(&read_runs(body, games).at(file.path())?);
        }
    }
    Ok(())
}

fn find(page: &[u8], layout: Layout, games: u32, key: u64) -> Result<Option<Vec<Run>>, Damage> {
    let bytes = key.to_le_bytes();
    let wanted = &bytes[..key_bytes(layout)];
    let mut cursor = Cursor(page);
    while !cursor.is_empty() {
        let known = cursor.take(wanted.len())?;
        let body = cursor.text()?;
        if known == wanted {
            return read_runs(body, games).map(Some);
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn runs_come_back(parts in prop::collection::vec((0_u32..1000, 1_u32..1000, 0_u8..255), 0..50)) {
            let mut runs: Vec<Run> = Vec::new();
            for (gap, len, played) in parts {
                let start = runs.last().map_or(0, Run::end) + gap;
                runs.push(Run { start, len, played });
            }
            let games = runs.last().map_or(0, Run::end);
            let mut bytes = Vec::new();
            put_runs(&mut bytes, &runs);
            prop_assert_eq!(read_runs(&bytes, games), Ok(runs));
            if games > 0 {
                prop_assert!(read_runs(&bytes, games - 1).is_err());
            }
        }
    }
}
