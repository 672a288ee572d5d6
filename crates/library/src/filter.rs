//! Which games a question is about.

use game::{GameResult, Speed};

use crate::error::Result;
use crate::facts::{Date, RESULTS, SPEEDS, result_number, speed_number};
use crate::scan::Scan;
use crate::segment::Segment;
use crate::shared::Run;
use crate::summary::Count;

/// The side of a player.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum Side {
    /// As White.
    White,
    /// As Black.
    Black,
    /// With either color.
    #[default]
    Either,
}

chess::names! {
    Side, schema "LibrarySide" "The side of a player." {
        White = "white",
        Black = "black",
        Either = "either",
    }
}

/// A player and their side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Player {
    /// The name as written in the games.
    pub name: String,
    /// The color.
    pub side: Side,
}

/// Conditions that games must meet; an empty one is met by all games that are not deleted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// The least average rating of the players; games without ratings don't meet it.
    pub min_rating: Option<u16>,
    /// The highest average rating.
    pub max_rating: Option<u16>,
    /// The first date; games without a date don't meet it.
    pub from: Option<Date>,
    /// The last date; an incomplete one stands for the end of its year or month.
    pub to: Option<Date>,
    /// The results; empty for any.
    pub results: Vec<GameResult>,
    /// The speeds; empty for any.
    pub speeds: Vec<Speed>,
    /// The exact time control, as in its tag.
    pub time_control: Option<String>,
    /// A player of the game.
    pub player: Option<Player>,
    /// The other player, whatever the color.
    pub opponent: Option<String>,
}

impl Filter {
    /// Whether every game meets it that is not deleted.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// Which time controls a filter lets through.
#[derive(Copy, Clone, Debug)]
enum Control {
    Any,
    Only(u32),
    /// One that no game of the segment has.
    Unknown,
}

/// A filter made ready for a segment.
#[derive(Debug)]
pub(crate) struct Sieve<'a> {
    segment: &'a Segment,
    open: bool,
    scan: Scan,
    control: Control,
    /// The only games that count, in order.
    games: Option<Vec<u32>>,
}

impl<'a> Sieve<'a> {
    pub(crate) fn new(segment: &'a Segment, filter: &Filter) -> Result<Self> {
        let bits =
            |numbers: &mut dyn Iterator<Item = u32>| numbers.fold(0, |bits, n| bits | 1 << n);
        let results = if filter.results.is_empty() { &RESULTS[..] } else { &filter.results };
        let speeds = match filter.speeds.as_slice() {
            [] => u32::MAX,
            some => bits(&mut some.iter().map(|&speed| speed_number(Some(speed)))),
        };
        debug_assert!(SPEEDS.len() < 32);
        let dated = filter.from.is_some() || filter.to.is_some();
        let first = filter.from.unwrap_or_default().max(Date::new(0, 0, 1).unwrap_or_default());
        let rated = filter.min_rating.is_some() || filter.max_rating.is_some();
        let least = filter.min_rating.map_or(1, |rating| u32::from(rating).max(1) * 2);
        let most = filter.max_rating.map_or(u32::MAX, |rating| u32::from(rating) * 2);
        let control = filter.time_control.as_ref().map_or(Control::Any, |wanted| {
            let known = segment.files.meta.controls.iter().position(|known| known == wanted);
            known.map_or(Control::Unknown, |at| Control::Only(at as u32))
        });
        let scan = Scan {
            results: bits(&mut results.iter().map(|&result| result_number(result))),
            speeds,
            dates: dated.then(|| (first, filter.to.map_or(Date::MAX, Date::end))),
            strengths: rated.then_some((least, most)),
        };
        Ok(Self {
            segment,
            open: filter.is_empty(),
            scan,
            control,
            games: players(segment, filter)?,
        })
    }

    /// Whether a game that is not excluded by its players meets the other conditions.
    #[inline]
    fn fits(&self, game: usize) -> bool {
        let columns = &self.segment.columns;
        self.scan.is_met_by(columns.facts[game], columns.ratings[game])
            && match self.control {
                Control::Any => true,
                Control::Only(control) => columns.controls[game] == control,
                Control::Unknown => false,
            }
    }

    /// Counts the games of a run.
    pub(crate) fn count(&self, run: &Run, count: &mut Count) {
        let columns = &self.segment.columns;
        if self.open {
            return self.segment.summary.count(columns, run.games(), count);
        }
        if self.games.is_none() && matches!(self.control, Control::Any) {
            let games = run.start as usize..run.end() as usize;
            let (facts, ratings) = (&columns.facts[games.clone()], &columns.ratings[games]);
            return self.scan.count(facts, ratings, count);
        }
        self.each(run, |game| {
            count.add(columns.facts[game as usize], columns.ratings[game as usize]);
            true
        });
    }

    /// Calls a function with the games of a run in order, until it returns `false`.
    pub(crate) fn each(&self, run: &Run, mut call: impl FnMut(u32) -> bool) {
        let mut visit = |game: u32| !self.fits(game as usize) || call(game);
        match &self.games {
            Some(games) => {
                let first = games.partition_point(|&game| game < run.start);
                games[first..]
                    .iter()
                    .take_while(|&&game| game < run.end())
                    .all(|&game| visit(game));
            }
            None => {
                run.games().all(visit);
            }
        }
    }

    /// Whether few games can meet it, so that blocks needn't be skipped.
    pub(crate) const fn is_listed(&self) -> bool {
        self.games.is_some()
    }

    pub(crate) const fn segment(&self) -> &'a Segment {
        self.segment
    }
}

/// The games of the players a filter names; `None` if it names none.
fn players(segment: &Segment, filter: &Filter) -> Result<Option<Vec<u32>>> {
    let seats = |name: &str, side: Side| -> Result<Vec<u32>> {
        let seats = segment.seats(name)?.into_iter();
        let mut games: Vec<u32> = seats
            .filter(|seat| side == Side::Either || seat.black == (side == Side::Black))
            .map(|seat| seat.game)
            .collect();
        games.dedup();
        Ok(games)
    };
    let other = |side| match side {
        Side::White => Side::Black,
        Side::Black => Side::White,
        Side::Either => Side::Either,
    };
    Ok(match (&filter.player, &filter.opponent) {
        (None, None) => None,
        (Some(player), None) => Some(seats(&player.name, player.side)?),
        (None, Some(name)) => Some(seats(name, Side::Either)?),
        (Some(player), Some(name)) => {
            let mut games = seats(&player.name, player.side)?;
            let against = seats(name, other(player.side))?;
            games.retain(|game| against.binary_search(game).is_ok());
            // Somebody who plays against themselves needs both seats.
            if player.name == *name {
                let both = segment.seats(name)?;
                let twice = |pair: &[crate::names::Seat]| pair[0].game == pair[1].game;
                let twice: Vec<u32> =
                    both.windows(2).filter(|pair| twice(pair)).map(|pair| pair[0].game).collect();
                games.retain(|game| twice.binary_search(game).is_ok());
            }
            Some(games)
        }
    })
}
