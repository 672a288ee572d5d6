//! Measures how fast a library answers.

use std::time::{Duration, Instant};

use chess::Position;
use game::{GameResult, Speed};

use crate::error::Result;
use crate::filter::{Filter, Player, Side};
use crate::games::{GameId, Order, Page};
use crate::library::Library;
use crate::moves;
use crate::ranking::{Indices, move_at};

/// How long answers take.
#[derive(Copy, Clone, Debug, Default)]
pub struct Times {
    /// Half of the answers are faster.
    pub median: Duration,
    /// One in a hundred takes longer.
    pub p99: Duration,
    /// The slowest.
    pub longest: Duration,
}

/// The times of each kind of question.
#[derive(Copy, Clone, Debug, Default)]
pub struct Latencies {
    /// Tallies of a position.
    pub explorer: Times,
    /// Tallies of a position with a filter.
    pub filtered: Times,
    /// The first page of games that reached a position.
    pub games: Times,
}

/// How often a question is asked.
const PASSES: usize = 4;

impl Times {
    fn of(mut times: Vec<Duration>) -> Self {
        times.sort_unstable();
        let at = |part: f64| times.get(((times.len() as f64) * part) as usize).or(times.last());
        Self {
            median: at(0.5).copied().unwrap_or_default(),
            p99: at(0.99).copied().unwrap_or_default(),
            longest: times.last().copied().unwrap_or_default(),
        }
    }
}

impl Library {
    /// Positions of the library's own games, from a seed: half from the first twenty plies, half from anywhere.
    pub fn some_positions(&self, seed: u64, count: usize) -> Result<Vec<Position>> {
        let segments = self.segments();
        let games: u64 = segments.iter().map(|segment| u64::from(segment.games())).sum();
        let mut positions = Vec::with_capacity(count);
        let mut state = seed;
        let mut below = |end: u64| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            ((u128::from(state >> 11) * u128::from(end)) >> 53) as u64
        };
        while positions.len() < count && games > 0 {
            let mut game = below(games);
            for segment in segments.iter() {
                if game >= u64::from(segment.games()) {
                    game -= u64::from(segment.games());
                    continue;
                }
                let game = game as u32;
                let bytes = moves::read(&segment.files.moves, game)?;
                let reach = if positions.len() % 2 == 0 { 20 } else { bytes.len() as u64 };
                let mut position = segment.files.meta.start(game).clone();
                for index in Indices(&bytes).take(below(reach + 1) as usize) {
                    let m = move_at(&position, index);
                    let m = m.ok_or_else(|| segment.files.moves.damaged("a move is illegal"))?;
                    position.play_unchecked(m);
                }
                positions.push(position);
                break;
            }
        }
        Ok(positions)
    }

    /// Asks about this many positions. Each question is asked four times, and the fastest answer counts:
    /// what other processes do to the clock is not what a question costs.
    pub fn latencies(&self, seed: u64, count: usize) -> Result<Latencies> {
        let positions = self.some_positions(seed, count)?;
        let any = Filter::default();
        let filters = self.some_filters()?;
        let page = Page { skip: 0, count: 20 };
        let time = |ask: &dyn Fn(usize, &Position) -> Result<()>| -> Result<Times> {
            let mut times = vec![Duration::MAX; positions.len()];
            for _ in 0..PASSES {
                for (number, position) in positions.iter().enumerate() {
                    let start = Instant::now();
                    ask(number, position)?;
                    times[number] = times[number].min(start.elapsed());
                }
            }
            Ok(Times::of(times))
        };
        Ok(Latencies {
            explorer: time(&|_, position| self.tallies(position, &any).map(drop))?,
            filtered: time(&|number, position| {
                self.tallies(position, &filters[number % filters.len()]).map(drop)
            })?,
            games: time(&|number, position| {
                let order = [Order::Newest, Order::Strongest][number % 2];
                self.games(Some(position), &any, order, page).map(drop)
            })?,
        })
    }

    /// Filters of every kind, with players of the library.
    fn some_filters(&self) -> Result<Vec<Filter>> {
        let any = Filter::default;
        let mut filters = vec![
            Filter { min_rating: Some(1800), ..any() },
            Filter { min_rating: Some(1500), max_rating: Some(1700), ..any() },
            Filter { from: "2019.06".parse().ok(), ..any() },
            Filter { results: vec![GameResult::Draw], ..any() },
            Filter { speeds: vec![Speed::Blitz, Speed::Rapid], ..any() },
            Filter {
                min_rating: Some(1600),
                to: "2020".parse().ok(),
                results: vec![GameResult::WhiteWins],
                ..any()
            },
        ];
        if let Some(segment) = self.segments().first() {
            let listed =
                self.listed(GameId { segment: segment.number, game: segment.games() / 2 })?;
            let player = Player { name: listed.white, side: Side::Either };
            filters.push(Filter { player: Some(player), ..any() });
        }
        Ok(filters)
    }
}
