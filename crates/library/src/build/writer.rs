//! Writes the files of a segment as its games come in order.

use std::path::{Path, PathBuf};

use super::runs::Item;
use crate::columns::{Columns, Details, DetailsWriter};
use crate::error::Result;
use crate::extras::ExtrasWriter;
use crate::meta::{Meta, Start};
use crate::moves::MovesWriter;
use crate::names::{self, Names};
use crate::pages::{Kind, PageWriter};
use crate::segment::paths;

/// The files of a segment but for its index.
pub(super) struct Writer {
    folder: PathBuf,
    moves: MovesWriter,
    details: DetailsWriter,
    extras: ExtrasWriter,
    columns: Columns,
    white: Vec<u32>,
    black: Vec<u32>,
    /// The start positions: first game and index.
    starts: Vec<(u32, u32)>,
}

impl Writer {
    pub(super) fn create(folder: &Path) -> Result<Self> {
        let page = |name: &str, kind| PageWriter::create(&folder.join(name), kind);
        Ok(Self {
            folder: folder.to_owned(),
            moves: MovesWriter::new(page(paths::MOVES, Kind::Moves)?),
            details: DetailsWriter::new(page(paths::DETAILS, Kind::Details)?),
            extras: ExtrasWriter::new(page(paths::EXTRAS, Kind::Extras)?),
            columns: Columns::default(),
            white: Vec::new(),
            black: Vec::new(),
            starts: Vec::new(),
        })
    }

    /// Adds a game; `ranks` are the places of names in their order.
    pub(super) fn add(&mut self, item: &Item, ranks: &[u32]) -> Result<()> {
        let entry = &item.entry;
        if self.starts.last().is_none_or(|&(_, start)| start != entry.start) {
            self.starts.push((self.white.len() as u32, entry.start));
        }
        let (white, black) = (ranks[entry.white as usize], ranks[entry.black as usize]);
        self.moves.add(item.moves())?;
        self.extras.add(item.extras())?;
        self.columns.push(entry.facts, entry.ratings, entry.control);
        self.details.add(Details { white, black, eco: entry.eco, material: entry.material })?;
        self.white.push(white);
        self.black.push(black);
        Ok(())
    }

    /// Finishes all files; the start positions go into `meta`.
    pub(super) fn finish(self, starts: &[String], sorted: &[&str], meta: &mut Meta) -> Result<()> {
        let page = |name: &str, kind| PageWriter::create(&self.folder.join(name), kind);
        self.moves.finish()?;
        self.extras.finish()?;
        self.details.finish()?;
        self.columns.write(page(paths::FACTS, Kind::Facts)?)?;
        Names::write(sorted, page(paths::NAMES, Kind::Names)?)?;
        let players = page(paths::PLAYERS, Kind::Players)?;
        names::write_players(&self.white, &self.black, sorted.len() as u32, players)?;
        let position = |start: u32| match starts[start as usize].as_str() {
            "" => chess::Position::default(),
            fen => fen.parse().expect("written from a position"),
        };
        let start = |&(game, start): &(u32, u32)| Start { game, position: position(start) };
        meta.starts = self.starts.iter().map(start).collect();
        meta.games = self.white.len() as u32;
        meta.names = sorted.len() as u32;
        Ok(())
    }
}
