//! Exact statistics of a position: what was played, how often, and with which result.

use chess::{Move, Position};
use game::{GameResult, Ratings};

use crate::error::Result;
use crate::facts::{Date, RESULTS};
use crate::filter::{Filter, Sieve};
use crate::ranking::{FAR, NONE, move_at};
use crate::segment::Segment;
use crate::summary::Count;

/// How some games ended.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Score {
    /// All games, with those of unknown result.
    pub games: u64,
    /// White won.
    pub white_wins: u64,
    /// Draws.
    pub draws: u64,
    /// Black won.
    pub black_wins: u64,
    /// The known ratings of both players.
    pub ratings: Ratings,
    /// When it was last played; [`Date::UNKNOWN`] if no game has a date.
    pub last: Date,
}

impl From<&Count> for Score {
    fn from(count: &Count) -> Self {
        let of = |wanted: GameResult| {
            let at = RESULTS.iter().position(|&result| result == wanted);
            at.map_or(0, |at| count.results[at])
        };
        Self {
            games: count.games(),
            white_wins: of(GameResult::WhiteWins),
            draws: of(GameResult::Draw),
            black_wins: of(GameResult::BlackWins),
            ratings: Ratings { sum: count.ratings, count: count.rated },
            last: count.last,
        }
    }
}

/// A move that was played in a position.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Tally {
    /// The move.
    pub m: Move,
    /// The games with it.
    pub score: Score,
}

/// All moves that were played in a position. A game counts once, at its first visit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tallies {
    /// All games that reached the position, also those that ended there.
    pub total: Score,
    /// The moves, the most frequent first.
    pub moves: Vec<Tally>,
}

/// Counts by move.
#[derive(Debug, Default)]
pub(crate) struct Counts {
    total: Count,
    moves: Vec<(Move, Count)>,
}

impl Counts {
    fn add(&mut self, m: Move, count: &Count) {
        match self.moves.iter_mut().find(|(known, _)| *known == m) {
            Some((_, sum)) => sum.merge(count),
            None => self.moves.push((m, *count)),
        }
    }

    /// Adds the games of a segment.
    pub(crate) fn add_segment(
        &mut self,
        segment: &Segment,
        position: &Position,
        filter: &Filter,
    ) -> Result<()> {
        let runs = segment.runs(position)?;
        if runs.is_empty() {
            return Ok(());
        }
        let sieve = Sieve::new(segment, filter)?;
        let mut by_move: Vec<Option<Count>> = vec![None; 256];
        let mut far = Vec::new();
        for run in &runs {
            if run.played == FAR {
                sieve.each(run, |game| {
                    far.push(game);
                    true
                });
            } else {
                let count = by_move[usize::from(run.played)].get_or_insert_default();
                sieve.count(run, count);
            }
        }
        for game in far {
            let (facts, ratings) = (&segment.columns.facts, &segment.columns.ratings);
            let mut count = Count::default();
            count.add(facts[game as usize], ratings[game as usize]);
            self.total.merge(&count);
            if let Some((_, m)) = segment.visit(game, position)?.and_then(|visit| visit.played) {
                self.add(m, &count);
            }
        }
        for (played, count) in by_move.iter().enumerate() {
            let Some(count) = count.filter(|count| count.games() > 0) else { continue };
            self.total.merge(&count);
            if played != usize::from(NONE) {
                let m = move_at(position, played as u16);
                let m = m.ok_or_else(|| segment.files.shared.damaged("a move is illegal"))?;
                self.add(m, &count);
            }
        }
        Ok(())
    }

    pub(crate) fn tallies(&self) -> Tallies {
        let tally = |(m, count): &(Move, Count)| Tally { m: *m, score: count.into() };
        let mut moves: Vec<Tally> = self.moves.iter().map(tally).collect();
        moves.sort_by_key(|tally| (std::cmp::Reverse(tally.score.games), tally.m));
        Tallies { total: (&self.total).into(), moves }
    }
}
