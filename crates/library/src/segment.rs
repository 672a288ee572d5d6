//! A segment: an immutable collection of games in the order of their moves.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use chess::{Move, Position};

use crate::columns::{self, Columns, Details};
use crate::error::{At, Damage, Result};
use crate::facts::Facts;
use crate::meta::Meta;
use crate::names::{self, Names, Seat};
use crate::pages::{Kind, PageFile, PageWriter};
use crate::ranking::{Indices, NONE, move_at, short};
use crate::shared::{self, Run};
use crate::summary::Summary;
use crate::teller::Teller;
use crate::{moves, single, zip};

/// The names of a segment's files.
pub(crate) mod paths {
    use crate::pages::Kind;

    pub(crate) const META: &str = "meta";
    pub(crate) const MOVES: &str = "moves";
    pub(crate) const FACTS: &str = "facts";
    pub(crate) const DETAILS: &str = "details";
    pub(crate) const EXTRAS: &str = "extras";
    pub(crate) const NAMES: &str = "names";
    pub(crate) const PLAYERS: &str = "players";
    pub(crate) const SHARED: &str = "shared";
    pub(crate) const SINGLE: &str = "single";
    /// The only file that is ever replaced.
    pub(crate) const DELETED: &str = "deleted";
    /// Its name while it is written.
    pub(crate) const NEW_DELETED: &str = "deleted.new";

    /// What a file of this name holds; `None` if a segment has no such file.
    pub(crate) fn kind(name: &str) -> Option<Kind> {
        Some(match name {
            META => Kind::Meta,
            MOVES => Kind::Moves,
            FACTS => Kind::Facts,
            DETAILS => Kind::Details,
            EXTRAS => Kind::Extras,
            NAMES => Kind::Names,
            PLAYERS => Kind::Players,
            SHARED => Kind::Shared,
            SINGLE => Kind::Single,
            DELETED => Kind::Deleted,
            _ => return None,
        })
    }
}

/// The files of a segment, open for reading.
#[derive(Debug)]
pub(crate) struct Files {
    pub(crate) folder: PathBuf,
    pub(crate) meta: Meta,
    pub(crate) names: Names,
    pub(crate) moves: PageFile,
    pub(crate) facts: PageFile,
    pub(crate) details: PageFile,
    pub(crate) extras: PageFile,
    pub(crate) players: PageFile,
    pub(crate) shared: PageFile,
    pub(crate) single: PageFile,
}

/// A segment with its columns in memory.
#[derive(Debug)]
pub(crate) struct Segment {
    pub(crate) number: u32,
    pub(crate) files: Arc<Files>,
    pub(crate) columns: Columns,
    pub(crate) summary: Summary,
    /// How many games are deleted.
    pub(crate) deleted: u32,
}

impl Segment {
    pub(crate) fn open(folder: &Path, number: u32) -> Result<Self> {
        let page = |name: &str, kind| PageFile::open(&folder.join(name), kind);
        let files = Files {
            folder: folder.to_owned(),
            meta: Meta::read(&folder.join(paths::META))?,
            names: Names::read(&page(paths::NAMES, Kind::Names)?)?,
            moves: page(paths::MOVES, Kind::Moves)?,
            facts: page(paths::FACTS, Kind::Facts)?,
            details: page(paths::DETAILS, Kind::Details)?,
            extras: page(paths::EXTRAS, Kind::Extras)?,
            players: page(paths::PLAYERS, Kind::Players)?,
            shared: page(paths::SHARED, Kind::Shared)?,
            single: page(paths::SINGLE, Kind::Single)?,
        };
        let Meta { games, names, layout, .. } = files.meta;
        if files.names.len() != names {
            return Err(Damage("the number of names is wrong").at(&folder.join(paths::NAMES)));
        }
        if files.single.len() as u64 != 1 << layout.single_bits
            || files.shared.len() as u64 != 1 << layout.shared_bits
        {
            return Err(Damage("the number of index pages is wrong").at(&folder.join(paths::META)));
        }
        let mut columns = Columns::read(&files.facts, games)?;
        read_deleted(folder, &mut columns)?;
        Ok(Self::new(number, Arc::new(files), columns))
    }

    fn new(number: u32, files: Arc<Files>, columns: Columns) -> Self {
        let deleted = columns.facts.iter().filter(|facts| facts.is_deleted()).count() as u32;
        let summary = Summary::new(&columns);
        Self { number, files, columns, summary, deleted }
    }

    /// Number of games, including deleted ones.
    pub(crate) fn games(&self) -> u32 {
        self.files.meta.games
    }

    /// The same segment with some games deleted, on disk too. Every game must exist.
    pub(crate) fn delete(&self, games: &[u32]) -> Result<Self> {
        let mut columns = self.columns.clone();
        for &game in games {
            columns.facts[game as usize].0 |= Facts::DELETED;
        }
        write_deleted(&self.files.folder, columns.facts.iter().map(|facts| facts.is_deleted()))?;
        Ok(Self::new(self.number, Arc::clone(&self.files), columns))
    }

    /// The games that have reached a position, as runs in ascending order.
    pub(crate) fn runs(&self, position: &Position) -> Result<Vec<Run>> {
        let Files { meta, shared, single, .. } = &*self.files;
        let key = position.key();
        if let Some(runs) = shared::runs(shared, meta.layout, meta.games, key)? {
            return Ok(runs);
        }
        for game in single::candidates(single, meta.layout, key)? {
            if let Some(visit) = self.visit(game, position)? {
                return Ok(vec![Run { start: game, len: 1, played: visit.short() }]);
            }
        }
        Ok(Vec::new())
    }

    /// Where a game first reaches a position.
    pub(crate) fn visit(&self, game: u32, wanted: &Position) -> Result<Option<Visit>> {
        if game >= self.games() {
            return Err(self.files.single.damaged("a position has a game that doesn't exist"));
        }
        let moves = moves::read(&self.files.moves, game)?;
        let mut position = self.files.meta.start(game).clone();
        let mut indices = Indices(&moves);
        let mut ply = 0;
        loop {
            let index = indices.next();
            let here = position.key() == wanted.key();
            let Some(index) = index else {
                return Ok(here.then_some(Visit { ply, played: None }));
            };
            let m = move_at(&position, index)
                .ok_or_else(|| self.files.moves.damaged("a move is illegal"))?;
            if here {
                return Ok(Some(Visit { ply, played: Some((index, m)) }));
            }
            position.play_unchecked(m);
            ply += 1;
        }
    }

    /// Reads games one after the other.
    pub(crate) fn teller(&self, first: u32) -> Result<Teller<'_>> {
        Teller::new(self, first)
    }

    pub(crate) fn details(&self, game: u32) -> Result<Details> {
        let details = columns::details(&self.files.details, game)?;
        if details.white.max(details.black) >= self.files.names.len() {
            return Err(self.files.details.damaged("a player has no name"));
        }
        Ok(details)
    }

    /// The games of a player, in order; none if the name is unknown here.
    pub(crate) fn seats(&self, name: &str) -> Result<Vec<Seat>> {
        let Some(player) = self.files.names.find(name) else { return Ok(Vec::new()) };
        names::seats(&self.files.players, player, self.games())
    }

    /// Bytes on disk.
    pub(crate) fn size(&self) -> u64 {
        let files = std::fs::read_dir(&self.files.folder).into_iter().flatten().flatten();
        files.filter_map(|file| file.metadata().ok()).map(|data| data.len()).sum()
    }
}

/// A game in a position.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Visit {
    pub(crate) ply: u32,
    /// The move it plays there, with its index.
    pub(crate) played: Option<(u16, Move)>,
}

impl Visit {
    fn short(self) -> u8 {
        self.played.map_or(NONE, |(index, _)| short(index))
    }
}

fn read_deleted(folder: &Path, columns: &mut Columns) -> Result<()> {
    let path = folder.join(paths::DELETED);
    let file = PageFile::open(&path, Kind::Deleted)?;
    let most = columns.facts.len().div_ceil(8);
    let bits = zip::decompress(&file.page(0)?, most).map_err(|damage| damage.at(&path))?;
    if bits.len() != most {
        return Err(file.damaged("the number of games is wrong"));
    }
    for (game, facts) in columns.facts.iter_mut().enumerate() {
        if bits[game / 8] >> (game % 8) & 1 == 1 {
            facts.0 |= Facts::DELETED;
        }
    }
    Ok(())
}

/// Writes which games are deleted. The file is there even if none are: a lost one must not bring games back.
pub(crate) fn write_deleted(
    folder: &Path,
    deleted: impl ExactSizeIterator<Item = bool>,
) -> Result<()> {
    let mut bits = vec![0_u8; deleted.len().div_ceil(8)];
    for (game, deleted) in deleted.enumerate() {
        bits[game / 8] |= u8::from(deleted) << (game % 8);
    }
    let path = folder.join(paths::DELETED);
    let new = folder.join(paths::NEW_DELETED);
    let mut out = PageWriter::create(&new, Kind::Deleted)?;
    out.push(&zip::compress(&bits))?;
    out.finish()?;
    std::fs::rename(&new, &path).at(&path)
}
