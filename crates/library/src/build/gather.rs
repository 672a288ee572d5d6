//! Games that have been read: texts become numbers, and full runs go to disk.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::runs::{Numbers, Run};
use crate::batch::Batch;
use crate::error::{LibraryError, Result};

/// A run in memory is at most this large.
const RUN: usize = 192 << 20;

/// Texts, numbered in the order they come.
#[derive(Debug, Default)]
pub(super) struct Texts {
    numbers: HashMap<Box<str>, u32>,
    pub(super) texts: Vec<String>,
}

impl Texts {
    fn number(&mut self, text: &str) -> u32 {
        if let Some(&known) = self.numbers.get(text) {
            return known;
        }
        let number = self.texts.len() as u32;
        self.numbers.insert(text.into(), number);
        self.texts.push(text.to_owned());
        number
    }
}

/// All games read so far.
#[derive(Debug, Default)]
pub(super) struct Gathered {
    pub(super) run: Run,
    pub(super) spilled: Vec<PathBuf>,
    pub(super) names: Texts,
    pub(super) starts: Texts,
    pub(super) controls: Texts,
    pub(super) games: u32,
    pub(super) plies: u64,
    pub(super) postings: u64,
    scratch: PathBuf,
}

/// A full run that has yet to be sorted and written.
pub(super) struct Full {
    run: Run,
    path: PathBuf,
    starts: Vec<String>,
}

impl Full {
    pub(super) fn spill(mut self) -> Result<()> {
        self.run.sort(&self.starts);
        self.run.spill(&self.path)
    }
}

impl Gathered {
    pub(super) fn new(scratch: &Path) -> Self {
        let mut gathered = Self { scratch: scratch.to_owned(), ..Self::default() };
        // No start position and no time control have the number zero.
        gathered.starts.number("");
        gathered.controls.number("");
        gathered
    }

    /// Adds a batch. Returns the provisional number of its first game, and a run that is full.
    pub(super) fn add(&mut self, batch: &Batch, arrival: u64) -> Result<(u32, Option<Full>)> {
        let first = self.games;
        let count = u32::try_from(batch.rows.len()).map_err(|_| LibraryError::TooManyGames)?;
        self.games = first
            .checked_add(count)
            .filter(|&all| all < 1 << 31)
            .ok_or(LibraryError::TooManyGames)?;
        self.plies += batch.plies;
        self.postings += batch.postings.len() as u64;
        for (index, row) in batch.rows.iter().enumerate() {
            let numbers = Numbers {
                start: self.starts.number(batch.text(row.start)),
                white: self.names.number(batch.text(row.white)),
                black: self.names.number(batch.text(row.black)),
                control: self.controls.number(batch.text(row.control)),
                arrival: arrival + index as u64,
                provisional: first + index as u32,
            };
            self.run.add(batch, row, numbers);
        }
        if self.run.size() < RUN {
            return Ok((first, None));
        }
        let path = self.scratch.join(format!("run-{}", self.spilled.len()));
        self.spilled.push(path.clone());
        let run = std::mem::take(&mut self.run);
        Ok((first, Some(Full { run, path, starts: self.starts.texts.clone() })))
    }
}
