//! Sorts games by their moves: runs in memory, further ones on disk, merged at the end.

use std::cmp::Ordering;
use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use crate::batch::{Batch, Row};
use crate::error::{At, Result};
use crate::facts::Facts;

/// A game in a run, with everything but its texts.
#[derive(Copy, Clone, Debug, Default)]
pub(super) struct Entry {
    /// The first bytes of what games are sorted by.
    prefix: [u128; 2],
    at: usize,
    moves: u32,
    extras: u32,
    /// Index of the start position.
    pub(super) start: u32,
    pub(super) white: u32,
    pub(super) black: u32,
    pub(super) facts: Facts,
    pub(super) ratings: [u16; 2],
    pub(super) eco: u16,
    pub(super) control: u32,
    pub(super) material: u64,
    twin: u64,
    /// The game's place in the source: the last criterion, so that a build can be repeated.
    arrival: u64,
    /// The game's provisional number.
    pub(super) provisional: u32,
}

/// Games in memory.
#[derive(Debug, Default)]
pub(super) struct Run {
    entries: Vec<Entry>,
    bytes: Vec<u8>,
}

/// Numbers that replace texts of a row.
#[derive(Copy, Clone, Debug)]
pub(super) struct Numbers {
    pub(super) start: u32,
    pub(super) white: u32,
    pub(super) black: u32,
    pub(super) control: u32,
    pub(super) arrival: u64,
    pub(super) provisional: u32,
}

impl Run {
    pub(super) fn add(&mut self, batch: &Batch, row: &Row, numbers: Numbers) {
        let (moves, extras) = (batch.bytes(row.moves), batch.bytes(row.extras));
        let at = self.bytes.len();
        self.bytes.extend_from_slice(moves);
        self.bytes.extend_from_slice(extras);
        self.entries.push(Entry {
            prefix: prefix(batch.bytes(row.start), moves),
            at,
            moves: moves.len() as u32,
            extras: extras.len() as u32,
            start: numbers.start,
            white: numbers.white,
            black: numbers.black,
            facts: row.facts,
            ratings: row.ratings,
            eco: row.eco,
            control: numbers.control,
            material: row.material,
            twin: row.twin,
            arrival: numbers.arrival,
            provisional: numbers.provisional,
        });
    }

    /// What it takes in memory.
    pub(super) fn size(&self) -> usize {
        self.bytes.len() + self.entries.len() * size_of::<Entry>()
    }

    fn moves(&self, entry: &Entry) -> &[u8] {
        &self.bytes[entry.at..entry.at + entry.moves as usize]
    }

    pub(super) fn sort(&mut self, starts: &[String]) {
        let mut entries = std::mem::take(&mut self.entries);
        entries.sort_unstable_by(|a, b| {
            a.prefix.cmp(&b.prefix).then_with(|| {
                let key = |entry: &Entry| (entry.twin, entry.arrival);
                compare(starts, (a.start, self.moves(a)), (b.start, self.moves(b)))
                    .then_with(|| key(a).cmp(&key(b)))
            })
        });
        self.entries = entries;
    }

    /// Writes a sorted run to disk, and frees its memory.
    pub(super) fn spill(self, path: &Path) -> Result<()> {
        let mut out = BufWriter::with_capacity(1 << 18, File::create_new(path).at(path)?);
        for entry in &self.entries {
            let texts = entry.at..entry.at + (entry.moves + entry.extras) as usize;
            out.write_all(&entry.to_bytes()).at(path)?;
            out.write_all(&self.bytes[texts]).at(path)?;
        }
        out.flush().at(path)
    }
}

/// The start of what is compared: games from the usual position first, then by position.
fn prefix(start: &[u8], moves: &[u8]) -> [u128; 2] {
    let mut bytes = [0; 32];
    let (flag, text) = if start.is_empty() { (0, moves) } else { (1, start) };
    bytes[0] = flag;
    for (byte, from) in bytes[1..].iter_mut().zip(text) {
        *byte = *from;
    }
    let half =
        |at: usize| u128::from_be_bytes(bytes[at..at + 16].try_into().expect("sixteen bytes"));
    [half(0), half(16)]
}

fn compare(starts: &[String], a: (u32, &[u8]), b: (u32, &[u8])) -> Ordering {
    let start = |number: u32| &starts[number as usize];
    let by_start = if a.0 == b.0 { Ordering::Equal } else { start(a.0).cmp(start(b.0)) };
    by_start.then_with(|| a.1.cmp(b.1))
}

const ENTRY: usize = 64;

impl Entry {
    fn to_bytes(self) -> [u8; ENTRY] {
        let mut bytes = [0; ENTRY];
        let mut at = 0;
        let mut put = |part: &[u8]| {
            bytes[at..at + part.len()].copy_from_slice(part);
            at += part.len();
        };
        let words = [self.moves, self.extras, self.start, self.white, self.black, self.facts.0];
        for word in words {
            put(&word.to_le_bytes());
        }
        put(&self.provisional.to_le_bytes());
        put(&self.control.to_le_bytes());
        let halves = [self.ratings[0], self.ratings[1], self.eco];
        for half in halves {
            put(&half.to_le_bytes());
        }
        for word in [self.material, self.twin, self.arrival] {
            put(&word.to_le_bytes());
        }
        bytes
    }

    fn from_bytes(bytes: &[u8; ENTRY]) -> Self {
        let number = |at: usize, len: usize| {
            bytes[at..at + len].iter().rev().fold(0_u64, |sum, &byte| sum << 8 | u64::from(byte))
        };
        let word = |at| number(at, 4) as u32;
        let half = |at| number(at, 2) as u16;
        Self {
            moves: word(0),
            extras: word(4),
            start: word(8),
            white: word(12),
            black: word(16),
            facts: Facts(word(20)),
            provisional: word(24),
            control: word(28),
            ratings: [half(32), half(34)],
            eco: half(36),
            material: number(38, 8),
            twin: number(46, 8),
            arrival: number(54, 8),
            ..Self::default()
        }
    }
}

/// A game on its way from a run to the segment.
#[derive(Debug, Default)]
pub(super) struct Item {
    pub(super) entry: Entry,
    texts: Vec<u8>,
}

impl Item {
    pub(super) fn moves(&self) -> &[u8] {
        &self.texts[..self.entry.moves as usize]
    }

    pub(super) fn extras(&self) -> &[u8] {
        &self.texts[self.entry.moves as usize..]
    }
}

/// A sorted run, read game by game.
enum Stream {
    Memory(Run, usize),
    Disk(BufReader<File>, PathBuf),
}

impl Stream {
    /// Reads the next game; `false` at the end.
    fn next(&mut self, item: &mut Item) -> Result<bool> {
        item.texts.clear();
        match self {
            Self::Memory(run, next) => {
                let Some(&entry) = run.entries.get(*next) else { return Ok(false) };
                *next += 1;
                let texts = entry.at..entry.at + (entry.moves + entry.extras) as usize;
                item.texts.extend_from_slice(&run.bytes[texts]);
                item.entry = entry;
            }
            Self::Disk(file, path) => {
                let mut bytes = [0; ENTRY];
                match file.read_exact(&mut bytes) {
                    Err(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => {
                        return Ok(false);
                    }
                    other => other.at(path)?,
                }
                item.entry = Entry::from_bytes(&bytes);
                item.texts.resize((item.entry.moves + item.entry.extras) as usize, 0);
                file.read_exact(&mut item.texts).at(path)?;
            }
        }
        Ok(true)
    }
}

/// All games in order.
pub(super) struct Merged<'a> {
    streams: Vec<(Stream, Item)>,
    starts: &'a [String],
}

impl<'a> Merged<'a> {
    pub(super) fn new(spilled: &[PathBuf], rest: Run, starts: &'a [String]) -> Result<Self> {
        let mut streams = Vec::new();
        let mut add = |mut stream: Stream| -> Result<()> {
            let mut item = Item::default();
            if stream.next(&mut item)? {
                streams.push((stream, item));
            }
            Ok(())
        };
        for path in spilled {
            let file = BufReader::with_capacity(1 << 18, File::open(path).at(path)?);
            add(Stream::Disk(file, path.clone()))?;
        }
        add(Stream::Memory(rest, 0))?;
        Ok(Self { streams, starts })
    }

    /// Reads the next game into `item`; `false` at the end.
    pub(super) fn next(&mut self, item: &mut Item) -> Result<bool> {
        let order = |a: &Item, b: &Item| {
            let key = |item: &Item| (item.entry.twin, item.entry.arrival);
            compare(self.starts, (a.entry.start, a.moves()), (b.entry.start, b.moves()))
                .then_with(|| key(a).cmp(&key(b)))
        };
        let streams = self.streams.iter().enumerate();
        let Some(first) = streams.min_by(|a, b| order(&a.1.1, &b.1.1)).map(|(at, _)| at) else {
            return Ok(false);
        };
        let (stream, head) = &mut self.streams[first];
        std::mem::swap(head, item);
        if !stream.next(head)? {
            self.streams.swap_remove(first);
        }
        Ok(true)
    }
}
