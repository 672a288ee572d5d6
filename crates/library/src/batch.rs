//! Games on their way into a segment: what a thread has read and not yet handed over.

use crate::facts::Facts;

/// A part of a batch's bytes.
#[derive(Copy, Clone, Debug, Default)]
pub(crate) struct Span {
    start: u32,
    len: u32,
}

/// A game of a batch.
#[derive(Copy, Clone, Debug, Default)]
pub(crate) struct Row {
    pub(crate) moves: Span,
    pub(crate) extras: Span,
    /// The start position as FEN; empty for the usual one.
    pub(crate) start: Span,
    pub(crate) white: Span,
    pub(crate) black: Span,
    /// The time control as written.
    pub(crate) control: Span,
    pub(crate) facts: Facts,
    pub(crate) ratings: [u16; 2],
    pub(crate) eco: u16,
    pub(crate) material: u64,
    /// Equal for games that are likely the same: orders games with equal moves.
    pub(crate) twin: u64,
}

/// A position that a game visits for the first time, and the move it plays there.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Posting {
    pub(crate) key: u64,
    /// The game's index in the batch.
    pub(crate) row: u32,
    pub(crate) played: u8,
}

/// Some games.
#[derive(Debug, Default)]
pub(crate) struct Batch {
    bytes: Vec<u8>,
    pub(crate) rows: Vec<Row>,
    pub(crate) postings: Vec<Posting>,
    /// Moves of all games.
    pub(crate) plies: u64,
}

impl Batch {
    pub(crate) fn add(&mut self, bytes: &[u8]) -> Span {
        let span = Span { start: self.bytes.len() as u32, len: bytes.len() as u32 };
        self.bytes.extend_from_slice(bytes);
        span
    }

    pub(crate) fn bytes(&self, span: Span) -> &[u8] {
        &self.bytes[span.start as usize..(span.start + span.len) as usize]
    }

    pub(crate) fn text(&self, span: Span) -> &str {
        std::str::from_utf8(self.bytes(span)).expect("the span was added as text")
    }

    /// Whether another thread should take over what is here.
    pub(crate) fn is_full(&self) -> bool {
        self.bytes.len() > 8 << 20 || self.rows.len() >= 8192
    }
}
