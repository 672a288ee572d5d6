//! What a segment is: counts, start positions, time controls.

use std::path::Path;

use chess::Position;

use crate::bytes::{Cursor, put_text, put_varint};
use crate::error::{At, Damage, Result};
use crate::layout::Layout;
use crate::pages::{Kind, PageFile, PageWriter};

/// The games that start from one position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Start {
    /// The first of them.
    pub(crate) game: u32,
    pub(crate) position: Position,
}

/// Counts and tables of a segment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Meta {
    pub(crate) games: u32,
    pub(crate) plies: u64,
    pub(crate) names: u32,
    pub(crate) layout: Layout,
    /// Positions that one game alone has reached, and others.
    pub(crate) singles: u64,
    pub(crate) shared: u64,
    pub(crate) starts: Vec<Start>,
    pub(crate) controls: Vec<String>,
}

impl Meta {
    pub(crate) fn write(&self, path: &Path) -> Result<()> {
        let mut out = PageWriter::create(path, Kind::Meta)?;
        let mut page = Vec::new();
        let Layout { single_bits, shared_bits, game_width } = self.layout;
        for number in [
            u64::from(self.games),
            self.plies,
            u64::from(self.names),
            self.singles,
            self.shared,
            u64::from(single_bits),
            u64::from(shared_bits),
            u64::from(game_width),
        ] {
            put_varint(&mut page, number);
        }
        out.push(&page)?;
        page.clear();
        for start in &self.starts {
            put_varint(&mut page, u64::from(start.game));
            put_text(&mut page, start.position.to_string().as_bytes());
        }
        out.push(&page)?;
        page.clear();
        for control in &self.controls {
            put_text(&mut page, control.as_bytes());
        }
        out.push(&page)?;
        out.finish()
    }

    pub(crate) fn read(path: &Path) -> Result<Self> {
        let file = PageFile::open(path, Kind::Meta)?;
        Self::parse(&file.page(0)?, &file.page(1)?, &file.page(2)?).at(path)
    }

    fn parse(counts: &[u8], starts: &[u8], controls: &[u8]) -> Result<Self, Damage> {
        let mut cursor = Cursor(counts);
        let mut meta = Self {
            games: cursor.at_most(u32::MAX as usize)? as u32,
            plies: cursor.varint()?,
            names: cursor.at_most(u32::MAX as usize)? as u32,
            singles: cursor.varint()?,
            shared: cursor.varint()?,
            layout: Layout {
                single_bits: cursor.at_most(40)? as u32,
                shared_bits: cursor.at_most(40)? as u32,
                game_width: cursor.at_most(32)? as u32,
            },
            starts: Vec::new(),
            controls: Vec::new(),
        };
        let mut cursor = Cursor(starts);
        while !cursor.is_empty() {
            let game = cursor.at_most(u32::MAX as usize)? as u32;
            let position = cursor.utf8()?.parse();
            let position = position.map_err(|_| Damage("a start position is illegal"))?;
            if meta.starts.last().map_or(game != 0, |last| game <= last.game) || game >= meta.games
            {
                return Err(Damage("the start positions are in the wrong order"));
            }
            meta.starts.push(Start { game, position });
        }
        if meta.games > 0 && meta.starts.is_empty() {
            return Err(Damage("there is no start position"));
        }
        let mut cursor = Cursor(controls);
        while !cursor.is_empty() {
            meta.controls.push(cursor.utf8()?.to_owned());
        }
        Ok(meta)
    }

    /// The position a game starts from.
    pub(crate) fn start(&self, game: u32) -> &Position {
        let after = self.starts.partition_point(|start| start.game <= game);
        &self.starts[after - 1].position
    }
}
