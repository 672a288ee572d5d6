//! The search for games by material.

use crate::columns;
use crate::error::Result;
use crate::filter::{Filter, Sieve};
use crate::games::{Listed, listed};
use crate::library::Library;
use crate::material::Material;
use crate::moves::MovesReader;
use crate::ranking::{Indices, move_at};
use crate::segment::Segment;
use crate::shared::Run;

/// A game in which some material was on the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The game.
    pub game: Listed,
    /// The moves played until then.
    pub ply: u32,
}

impl Library {
    /// The first games, in the order of their moves, that have had this material for at least `plies` plies in a row.
    ///
    /// The column of final material rules out most games; the rest are replayed.
    pub fn with_material(
        &self,
        wanted: Material,
        plies: u32,
        filter: &Filter,
        most: usize,
    ) -> Result<Vec<Found>> {
        let mut found = Vec::new();
        for segment in self.segments().iter() {
            let sieve = Sieve::new(segment, filter)?;
            let mut fit = Vec::new();
            sieve.each(&Run { start: 0, len: segment.games(), played: 0 }, |game| {
                fit.push(game);
                true
            });
            let mut fit = fit.into_iter().peekable();
            let mut reader: Option<(u32, MovesReader<'_>)> = None;
            for (game, details) in columns::all_details(&segment.files.details).enumerate() {
                if found.len() >= most {
                    return Ok(found);
                }
                let game = game as u32;
                if fit.next_if_eq(&game).is_none()
                    || !wanted.may_end_with(Material(details?.material))
                {
                    continue;
                }
                let moves = match &mut reader {
                    Some((next, moves)) if *next == game => moves,
                    _ => {
                        &mut reader.insert((game, MovesReader::new(&segment.files.moves, game)?)).1
                    }
                };
                if let Some(ply) = first_ply(segment, game, moves.next()?, wanted, plies)? {
                    found.push(Found { game: listed(segment, game)?, ply });
                }
                if let Some((next, _)) = &mut reader {
                    *next += 1;
                }
            }
        }
        Ok(found)
    }
}

/// When a game first has the material for long enough.
fn first_ply(
    segment: &Segment,
    game: u32,
    moves: &[u8],
    wanted: Material,
    plies: u32,
) -> Result<Option<u32>> {
    let mut position = segment.files.meta.start(game).clone();
    let mut since = None;
    let mut indices = Indices(moves);
    for ply in 0.. {
        since = if Material::of(&position) == wanted { since.or(Some(ply)) } else { None };
        if let Some(since) = since
            && ply + 1 - since >= plies.max(1)
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
