//! A player's page: results, openings, and the moves they play.

use std::collections::BTreeMap;
use std::collections::HashMap;

use chess::{Color, Move, Position};
use game::{Opening, Openings};

use crate::error::{LibraryError, Result};
use crate::filter::{Filter, Player, Side, Sieve};
use crate::library::Library;
use crate::moves;
use crate::ranking::{Indices, move_at};
use crate::segment::Segment;
use crate::shared::Run;
use crate::summary::Count;
use crate::tallies::Score;

/// How a player has done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayerPage {
    /// Results with White.
    pub white: Score,
    /// Results with Black.
    pub black: Score,
    /// Results by opening, the most frequent first.
    pub openings: Vec<OpeningScore>,
}

/// Results in an opening.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct OpeningScore {
    /// The player's color.
    pub color: Color,
    /// The last named position of the games; `None` if they have none.
    pub opening: Option<Opening>,
    /// The results.
    pub score: Score,
}

/// A move of a repertoire and what followed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branch {
    /// The move.
    pub m: Move,
    /// The games with it.
    pub score: Score,
    /// What was played next, the most frequent first.
    pub next: Vec<Self>,
}

/// How much of a repertoire to return.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Breadth {
    /// The longest line.
    pub plies: usize,
    /// Moves of fewer games are left out.
    pub least: u64,
}

/// A color, and the name of an opening.
type Place = (usize, Option<&'static str>);

/// Names are looked for in this many plies.
const NAMED: usize = 40;

impl Library {
    /// A player's results among the games that meet a filter, whose player is ignored.
    pub fn player(&self, name: &str, openings: &Openings, filter: &Filter) -> Result<PlayerPage> {
        let mut scores = [Count::default(); 2];
        let mut by_opening: HashMap<Place, (Option<Opening>, Count)> = HashMap::new();
        self.each_game(name, filter, |color, start, moves, count| {
            scores[color.index()].merge(count);
            let mut position = start.clone();
            let mut found = None;
            for &m in moves.iter().take(NAMED) {
                position.play_unchecked(m);
                found = openings.name(&position).or(found);
            }
            let place = (color.index(), found.map(|opening| opening.name));
            by_opening.entry(place).or_insert((found, Count::default())).1.merge(count);
        })?;
        let mut openings: Vec<OpeningScore> = by_opening
            .into_iter()
            .map(|((color, _), (opening, count))| OpeningScore {
                color: [Color::White, Color::Black][color],
                opening,
                score: (&count).into(),
            })
            .collect();
        openings.sort_by_key(|found| {
            let name = found.opening.map(|opening| opening.name);
            (std::cmp::Reverse(found.score.games), found.color.index(), name)
        });
        Ok(PlayerPage { white: (&scores[0]).into(), black: (&scores[1]).into(), openings })
    }

    /// What a player and their opponents have played from the usual start position.
    pub fn repertoire(
        &self,
        name: &str,
        color: Color,
        breadth: Breadth,
        filter: &Filter,
    ) -> Result<Vec<Branch>> {
        let mut root = Node::default();
        self.each_game(name, filter, |seat, start, moves, count| {
            if seat != color || *start != Position::default() {
                return;
            }
            let mut node = &mut root;
            for &m in moves.iter().take(breadth.plies) {
                node = node.next.entry(m).or_default();
                node.count.merge(count);
            }
        })?;
        Ok(root.branches(breadth.least))
    }

    /// Calls a function with every game of a player: the color, start, moves, and the game counted.
    fn each_game(
        &self,
        name: &str,
        filter: &Filter,
        mut call: impl FnMut(Color, &Position, &[Move], &Count),
    ) -> Result<()> {
        let mut known = false;
        for segment in self.segments().iter() {
            known |= segment.files.names.find(name).is_some();
            for (color, side) in [(Color::White, Side::White), (Color::Black, Side::Black)] {
                let player = Some(Player { name: name.to_owned(), side });
                let sieve = Sieve::new(segment, &Filter { player, ..filter.clone() })?;
                let mut games = Vec::new();
                sieve.each(&Run { start: 0, len: segment.games(), played: 0 }, |game| {
                    games.push(game);
                    true
                });
                for game in games {
                    let mut count = Count::default();
                    let at = game as usize;
                    count.add(segment.columns.facts[at], segment.columns.ratings[at]);
                    let (start, moves) = opening_moves(segment, game)?;
                    call(color, start, &moves, &count);
                }
            }
        }
        if known { Ok(()) } else { Err(LibraryError::UnknownPlayer(name.to_owned())) }
    }
}

/// The start and the first moves of a game.
fn opening_moves(segment: &Segment, game: u32) -> Result<(&Position, Vec<Move>)> {
    let bytes = moves::read(&segment.files.moves, game)?;
    let start = segment.files.meta.start(game);
    let mut position = start.clone();
    let mut played = Vec::with_capacity(NAMED);
    for index in Indices(&bytes).take(NAMED) {
        let m = move_at(&position, index);
        let m = m.ok_or_else(|| segment.files.moves.damaged("a move is illegal"))?;
        position.play_unchecked(m);
        played.push(m);
    }
    Ok((start, played))
}

#[derive(Debug, Default)]
struct Node {
    count: Count,
    next: BTreeMap<Move, Self>,
}

impl Node {
    fn branches(&self, least: u64) -> Vec<Branch> {
        let often = self.next.iter().filter(|(_, node)| node.count.games() >= least.max(1));
        let mut branches: Vec<Branch> = often
            .map(|(&m, node)| Branch { m, score: (&node.count).into(), next: node.branches(least) })
            .collect();
        branches.sort_by_key(|branch| (std::cmp::Reverse(branch.score.games), branch.m));
        branches
    }
}
