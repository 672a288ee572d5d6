//! A Polyglot book: looks up a position and returns its moves.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::io;
use std::path::Path;

use chess::{Move, Position};

use super::entry::{Entry, SIZE, decode};
use crate::Dice;

/// The book made by this project; see `data/book.txt`.
static EMBEDDED: &[u8] = include_bytes!("../../data/book.bin");

/// An opening book. Its entries are sorted by key, which is checked when it is opened; its moves
/// are checked when a position is looked up.
///
/// ```
/// use chess::Position;
/// use engine::Dice;
/// use engine::book::{Book, Pick};
///
/// let start = Position::default();
/// let m = Book::embedded().choose(&start, Pick::Weighted, &mut Dice::new(7));
/// assert!(m.is_some_and(|m| start.is_legal(m)));
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Book {
    bytes: Cow<'static, [u8]>,
}

/// A move in a book.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct BookMove {
    /// The move, legal in the position that was looked up.
    pub m: Move,
    /// How often to play it, relative to the other moves. A move with weight zero is known but not
    /// played.
    pub weight: u16,
}

/// How to choose among the moves of a book.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum Pick {
    /// The one with the highest weight.
    Best,
    /// At random, in proportion to the weights.
    #[default]
    Weighted,
}

/// Why a file is not a book.
#[derive(Debug, thiserror::Error)]
pub enum BookError {
    /// The file can't be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// There is nothing in it.
    #[error("the book is empty")]
    Empty,
    /// The length is wrong: the file is truncated, or not a book.
    #[error("not a Polyglot book: {0} bytes are not whole entries of 16 bytes")]
    Length(u64),
    /// The keys are not sorted: the file is damaged, or not a book.
    #[error("not a Polyglot book: entry {0} is out of order")]
    Unsorted(usize),
}

impl Book {
    /// Reads a book from a file.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, BookError> {
        // Checked before it is opened: a pipe would block, a device would never end.
        let found = std::fs::metadata(&path)?;
        if !found.is_file() {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a file").into());
        }
        if !found.len().is_multiple_of(SIZE as u64) {
            return Err(BookError::Length(found.len()));
        }
        Self::from_bytes(std::fs::read(path)?)
    }

    /// The embedded book: main lines of the common openings.
    pub const fn embedded() -> Self {
        Self { bytes: Cow::Borrowed(EMBEDDED) }
    }

    /// A book from the bytes of a file.
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Self, BookError> {
        let book = Self { bytes: bytes.into() };
        if !book.bytes.len().is_multiple_of(SIZE) {
            return Err(BookError::Length(book.bytes.len() as u64));
        }
        if book.is_empty() {
            return Err(BookError::Empty);
        }
        let keys = book.entries().map(|entry| entry.key);
        let unsorted = keys.clone().zip(keys.skip(1)).position(|(key, next)| key > next);
        match unsorted {
            Some(at) => Err(BookError::Unsorted(at + 2)),
            None => Ok(book),
        }
    }

    /// A book of sorted entries.
    pub(super) fn from_entries(entries: &[Entry]) -> Self {
        let bytes: Vec<u8> = entries.iter().flat_map(|entry| entry.write()).collect();
        Self { bytes: bytes.into() }
    }

    /// The bytes of its file.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Number of entries.
    pub fn len(&self) -> usize {
        self.table().len()
    }

    /// Whether it has no entries.
    pub fn is_empty(&self) -> bool {
        self.table().is_empty()
    }

    /// Number of positions.
    pub fn positions(&self) -> usize {
        let keys = self.entries().map(|entry| entry.key);
        let changes = keys.clone().zip(keys.skip(1)).filter(|(key, next)| key != next).count();
        changes + usize::from(!self.is_empty())
    }

    /// The moves of a position, highest weight first. Illegal moves are left out; a move with
    /// several entries gets the sum of their weights.
    pub fn moves(&self, position: &Position) -> Vec<BookMove> {
        let key = position.polyglot_key();
        let table = self.table();
        let first = table.partition_point(|bytes| Entry::read(bytes).key < key);
        let mut moves: Vec<BookMove> = Vec::new();
        let mut seen = BTreeSet::new();
        for entry in table[first..].iter().map(Entry::read).take_while(|entry| entry.key == key) {
            let Some(m) = decode(entry.code, position) else { continue };
            if seen.insert(m) {
                moves.push(BookMove { m, weight: entry.weight });
            } else if let Some(known) = moves.iter_mut().find(|known| known.m == m) {
                known.weight = known.weight.saturating_add(entry.weight);
            }
        }
        moves.sort_by_key(|known| std::cmp::Reverse(known.weight));
        moves
    }

    /// Chooses a move for a position, if the book has one to play.
    pub fn choose(&self, position: &Position, pick: Pick, dice: &mut Dice) -> Option<Move> {
        let moves = self.moves(position);
        let best = moves.first().filter(|best| best.weight > 0)?;
        if pick == Pick::Best {
            return Some(best.m);
        }
        let total: u64 = moves.iter().map(|known| u64::from(known.weight)).sum();
        let mut left = dice.below(total);
        for known in &moves {
            match left.checked_sub(u64::from(known.weight)) {
                Some(rest) => left = rest,
                None => return Some(known.m),
            }
        }
        Some(best.m)
    }

    fn table(&self) -> &[[u8; SIZE]] {
        self.bytes.as_chunks().0
    }

    fn entries(&self) -> impl Iterator<Item = Entry> + Clone {
        self.table().iter().map(Entry::read)
    }
}

impl std::fmt::Debug for Book {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Book({} entries)", self.len())
    }
}
