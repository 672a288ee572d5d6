//! Lists of games: all, or those of a position; newest or strongest first.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fmt;

use chess::{Move, Position};
use game::GameResult;

use crate::eco::Eco;
use crate::error::{LibraryError, Result};
use crate::facts::Date;
use crate::filter::Sieve;
use crate::ranking::{FAR, NONE, move_at};
use crate::segment::Segment;
use crate::shared::Run;
use crate::summary::{BLOCK, strength};

/// A game of a library. It names the same game until segments are merged.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GameId {
    /// The segment's number.
    pub segment: u32,
    /// The game's number in its segment.
    pub game: u32,
}

impl fmt::Display for GameId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.segment, self.game)
    }
}

/// The text is not the number of a game.
#[derive(Copy, Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not the number of a game such as 3-1234")]
pub struct ParseGameIdError;

impl std::str::FromStr for GameId {
    type Err = ParseGameIdError;

    fn from_str(text: &str) -> Result<Self, ParseGameIdError> {
        let (segment, game) = text.split_once('-').ok_or(ParseGameIdError)?;
        let number = |text: &str| text.parse().map_err(|_| ParseGameIdError);
        Ok(Self { segment: number(segment)?, game: number(game)? })
    }
}

/// The order of a list. Equals come in the order of their moves.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// The latest date first.
    #[default]
    Newest,
    /// The highest average rating first.
    Strongest,
}

chess::names! {
    Order, schema "LibraryOrder" "The order of games." { Newest = "newest", Strongest = "strongest" }
}

/// A part of a list.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Page {
    /// How many games to skip.
    pub skip: usize,
    /// How many to list.
    pub count: usize,
}

impl Page {
    /// Nobody turns this many pages; each costs memory.
    pub const DEEPEST: usize = 100_000;
}

/// A game in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// The game.
    pub id: GameId,
    /// White's name; empty if unknown.
    pub white: String,
    /// Black's name.
    pub black: String,
    /// The players' ratings.
    pub ratings: [Option<u16>; 2],
    /// The result.
    pub result: GameResult,
    /// The date.
    pub date: Date,
    /// The ECO code in its tag.
    pub eco: Eco,
    /// The time control in its tag; empty if there is none.
    pub time_control: String,
    /// The move played in the position asked for.
    pub played: Option<Move>,
}

/// Keeps the best games of several segments.
#[derive(Debug)]
pub(crate) struct Best {
    order: Order,
    most: usize,
    heap: BinaryHeap<Reverse<Place>>,
}

/// A game by its place in the list; the greatest comes first.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    value: u32,
    at: Reverse<(usize, u32)>,
    played: u8,
}

impl Best {
    pub(crate) fn new(order: Order, page: Page) -> Self {
        let most = page.skip.saturating_add(page.count).min(Page::DEEPEST);
        Self { order, most, heap: BinaryHeap::new() }
    }

    /// Adds the games of some runs of a segment, which is the n-th.
    pub(crate) fn add(&mut self, at: usize, sieve: &Sieve<'_>, runs: &[Run]) {
        for run in runs {
            if sieve.is_listed() {
                self.add_run(at, sieve, run);
                continue;
            }
            // Block by block: one that has nothing better is skipped.
            let mut start = run.start;
            while start < run.end() {
                let end = (start / BLOCK as u32 + 1).saturating_mul(BLOCK as u32).min(run.end());
                let summary = &sieve.segment().summary;
                let best = match self.order {
                    Order::Newest => date_value(summary.newest(start as usize)),
                    Order::Strongest => summary.strongest(start as usize),
                };
                if self.wants(best) {
                    self.add_run(at, sieve, &Run { start, len: end - start, played: run.played });
                }
                start = end;
            }
        }
    }

    /// Whether a game with this value, which comes after all others so far, is one of the best.
    fn wants(&self, value: u32) -> bool {
        self.heap.len() < self.most || self.heap.peek().is_some_and(|worst| worst.0.value < value)
    }

    fn add_run(&mut self, at: usize, sieve: &Sieve<'_>, run: &Run) {
        sieve.each(run, |game| {
            let value = value(sieve.segment(), game, self.order);
            if self.wants(value) {
                let place = Place { value, at: Reverse((at, game)), played: run.played };
                self.heap.push(Reverse(place));
                if self.heap.len() > self.most {
                    self.heap.pop();
                }
            }
            true
        });
    }

    /// The games of a page; `position` is the one asked for.
    pub(crate) fn list(
        self,
        segments: &[std::sync::Arc<Segment>],
        page: Page,
        position: Option<&Position>,
    ) -> Result<Vec<Listed>> {
        let places = self.heap.into_sorted_vec().into_iter().skip(page.skip).take(page.count);
        let listed = places.map(|Reverse(Place { at: Reverse((at, game)), played, .. })| {
            let segment = &segments[at];
            let mut listed = listed(segment, game)?;
            listed.played = match (position, played) {
                (None, _) | (_, NONE) => None,
                (Some(position), FAR) => {
                    segment.visit(game, position)?.and_then(|visit| visit.played).map(|(_, m)| m)
                }
                (Some(position), index) => move_at(position, u16::from(index)),
            };
            Ok(listed)
        });
        listed.collect()
    }
}

/// What a game is ordered by.
#[inline]
pub(crate) fn value(segment: &Segment, game: u32, order: Order) -> u32 {
    match order {
        Order::Newest => date_value(segment.columns.facts[game as usize].date()),
        Order::Strongest => strength(segment.columns.ratings[game as usize]),
    }
}

fn date_value(date: Date) -> u32 {
    u32::from(date.year()) << 16 | u32::from(date.month()) << 8 | u32::from(date.day())
}

/// What a list shows of a game.
pub(crate) fn listed(segment: &Segment, game: u32) -> Result<Listed> {
    let id = GameId { segment: segment.number, game };
    let at = game as usize;
    let columns = &segment.columns;
    let &facts = columns.facts.get(at).ok_or(LibraryError::NoGame(id))?;
    let details = segment.details(game)?;
    let files = &segment.files;
    let control = files.meta.controls.get(columns.controls[at] as usize);
    Ok(Listed {
        id,
        white: files.names.get(details.white).to_owned(),
        black: files.names.get(details.black).to_owned(),
        ratings: columns.ratings[at].map(|rating| (rating > 0).then_some(rating)),
        result: facts.result(),
        date: facts.date(),
        eco: Eco(details.eco),
        time_control: control.cloned().unwrap_or_default(),
        played: None,
    })
}
