//! The index of positions that one game alone has reached: a few bits of the key, and the game. A
//! hit is proven by replaying the game.
//!
//! The top bits of the key number a page; the next five a bucket in it, whose sizes the page starts
//! with; the next eight are the fingerprint beside the game's number.

use std::ops::Range;

use crate::bytes::{BitWriter, Cursor, packed, put_varint};
use crate::error::{At, Damage, Result};
use crate::layout::{Layout, Pages};
use crate::pages::PageFile;

const BUCKET_BITS: u32 = 5;
const BUCKETS: usize = 1 << BUCKET_BITS;
const FINGERPRINT_BITS: u32 = 8;

/// The page, bucket and fingerprint of a key.
fn place(key: u64, page_bits: u32) -> (u64, usize, u64) {
    let page = key.checked_shr(64 - page_bits).unwrap_or(0);
    let rest = key << page_bits;
    let bucket = (rest >> (64 - BUCKET_BITS)) as usize;
    (page, bucket, rest << BUCKET_BITS >> (64 - FINGERPRINT_BITS))
}

/// Makes pages of keys in ascending order.
pub(crate) struct SinglePages {
    layout: Layout,
    page: u64,
    end: u64,
    counts: [u64; BUCKETS],
    entries: BitWriter,
    pages: Pages,
}

impl SinglePages {
    pub(crate) fn new(layout: Layout, pages: Range<u64>) -> Self {
        Self {
            layout,
            page: pages.start,
            end: pages.end,
            counts: [0; BUCKETS],
            entries: BitWriter::default(),
            pages: Pages::default(),
        }
    }

    pub(crate) fn add(&mut self, key: u64, game: u32) {
        let (page, bucket, fingerprint) = place(key, self.layout.single_bits);
        while self.page < page {
            self.next_page();
        }
        self.counts[bucket] += 1;
        let entry = fingerprint << self.layout.game_width | u64::from(game);
        self.entries.push(entry, self.layout.game_width + FINGERPRINT_BITS);
    }

    fn next_page(&mut self) {
        self.entries.finish();
        if !self.entries.bytes.is_empty() {
            for count in self.counts {
                put_varint(&mut self.pages.bytes, count);
            }
            self.pages.bytes.append(&mut self.entries.bytes);
        }
        self.pages.end_page();
        self.counts = [0; BUCKETS];
        self.page += 1;
    }

    pub(crate) fn finish(mut self) -> Pages {
        while self.page < self.end {
            self.next_page();
        }
        self.pages
    }
}

/// The games that may be the one with this position.
pub(crate) fn candidates(file: &PageFile, layout: Layout, key: u64) -> Result<Vec<u32>> {
    let (page, ..) = place(key, layout.single_bits);
    find(&file.page(page as usize)?, layout, key).at(file.path())
}

fn find(page: &[u8], layout: Layout, key: u64) -> Result<Vec<u32>, Damage> {
    let (_, bucket, fingerprint) = place(key, layout.single_bits);
    let mut found = Vec::new();
    if page.is_empty() {
        return Ok(found);
    }
    let mut cursor = Cursor(page);
    let (mut first, mut count) = (0, 0);
    for number in 0..BUCKETS {
        let size = cursor.at_most(page.len())?;
        if number < bucket {
            first += size;
        } else if number == bucket {
            count = size;
        }
    }
    for index in first..first + count {
        let entry = packed(cursor.0, index, layout.game_width + FINGERPRINT_BITS)
            .ok_or(Damage("a page of positions is too short"))?;
        if entry >> layout.game_width == fingerprint {
            found.push((entry & ((1 << layout.game_width) - 1)) as u32);
        }
    }
    Ok(found)
}
