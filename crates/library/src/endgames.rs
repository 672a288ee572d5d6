//! The search for games by material.

use std::cmp::Reverse;

use chess::Position;

use crate::columns;
use crate::error::Result;
use crate::filter::{Filter, Sieve};
use crate::games::{Listed, Order, Page, listed, value};
use crate::library::Library;
use crate::material::Material;
use crate::moves;
use crate::ranking::{Indices, move_at};
use crate::segment::Segment;
use crate::shared::Run;

/// Material to look for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Endgame {
    /// Any of these.
    pub materials: Vec<Material>,
    /// For how many plies in a row it must be on the board: 1 includes what a recapture ends at once.
    pub plies: u32,
}

impl Endgame {
    /// Some material with either color.
    pub fn either_color(material: Material, plies: u32) -> Self {
        Self { materials: vec![material, material.mirrored()], plies }
    }
}

/// A game in which some material was on the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The game.
    pub game: Listed,
    /// The moves played until then.
    pub ply: u32,
}

impl Library {
    /// The games that have had some material, among those that have reached a position, or all.
    ///
    /// The column of final material rules out most games. The others are replayed in the order of the list, until
    /// the page is full.
    pub fn with_material(
        &self,
        wanted: &Endgame,
        position: Option<&Position>,
        filter: &Filter,
        order: Order,
        page: Page,
    ) -> Result<Vec<Found>> {
        let segments = self.segments();
        let mut candidates = Vec::new();
        for (at, segment) in segments.iter().enumerate() {
            let runs = match position {
                Some(position) => segment.runs(position)?,
                None => vec![Run { start: 0, len: segment.games(), played: 0 }],
            };
            let may_fit = may_fit(segment, wanted)?;
            let sieve = Sieve::new(segment, filter)?;
            for run in &runs {
                sieve.each(run, |game| {
                    if may_fit.get(game as usize) == Some(&true) {
                        candidates.push((value(segment, game, order), Reverse((at, game))));
                    }
                    true
                });
            }
        }
        candidates.sort_unstable_by_key(|&candidate| Reverse(candidate));
        let mut found = Vec::new();
        let mut skipped = 0;
        for (_, Reverse((at, game))) in candidates {
            if found.len() >= page.count {
                break;
            }
            let segment = &segments[at];
            let Some(ply) = first_ply(segment, game, wanted)? else { continue };
            if skipped < page.skip {
                skipped += 1;
            } else {
                found.push(Found { game: listed(segment, game)?, ply });
            }
        }
        Ok(found)
    }
}

/// For each game of a segment, whether it may have had the material, by what is left at its end.
fn may_fit(segment: &Segment, wanted: &Endgame) -> Result<Vec<bool>> {
    let fits = |end: Material| wanted.materials.iter().any(|material| material.may_end_with(end));
    let details = columns::all_details(&segment.files.details);
    details.map(|details| Ok(fits(Material(details?.material)))).collect()
}

/// When a game first has the material for long enough.
fn first_ply(segment: &Segment, game: u32, wanted: &Endgame) -> Result<Option<u32>> {
    let moves = moves::read(&segment.files.moves, game)?;
    let mut position = segment.files.meta.start(game).clone();
    let mut since = None;
    let mut indices = Indices(&moves);
    for ply in 0.. {
        let here = wanted.materials.contains(&Material::of(&position));
        since = if here { since.or(Some(ply)) } else { None };
        if let Some(since) = since
            && ply + 1 - since >= wanted.plies.max(1)
        {
            return Ok(Some(since));
        }
        let Some(index) = indices.next() else { break };
        let m = move_at(&position, index);
        let m = m.ok_or_else(|| segment.files.moves.damaged("a move is illegal"))?;
        position.play_unchecked(m);
    }
    Ok(None)
}
