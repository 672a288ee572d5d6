//! How the index spreads keys over pages.

/// How keys are spread over pages, by the number of postings.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    /// Top bits of the key that number a page of single positions.
    pub(crate) single_bits: u32,
    /// The same for shared positions.
    pub(crate) shared_bits: u32,
    /// Width of a game's number.
    pub(crate) game_width: u32,
}

/// Fewer postings than this are one part.
const SMALL: u64 = 1 << 17;

impl Layout {
    /// About 400 single positions in a page, and 50 shared ones.
    pub(crate) fn new(postings: u64, games: u32) -> Self {
        let bits = |pages: u64| pages.max(1).ilog2();
        let least = if postings < SMALL { 0 } else { 8 };
        Self {
            single_bits: bits(postings / 512).max(least),
            shared_bits: bits(postings / 2048).max(least),
            game_width: 32 - games.leading_zeros(),
        }
    }

    /// Whether all parts are one.
    pub(crate) const fn is_small(self) -> bool {
        self.single_bits < 8
    }
}

/// Pages one after the other.
#[derive(Debug, Default)]
pub(crate) struct Pages {
    pub(crate) bytes: Vec<u8>,
    /// Where each page ends.
    pub(crate) ends: Vec<usize>,
}

impl Pages {
    pub(crate) fn end_page(&mut self) {
        self.ends.push(self.bytes.len());
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &[u8]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| &self.bytes[start..end])
    }
}
