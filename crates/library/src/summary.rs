//! Counts of whole blocks of games, so that a range of a million is counted in microseconds.

use std::ops::Range;

use crate::columns::Columns;
use crate::facts::{Date, Facts};

/// Games in a block.
pub(crate) const BLOCK: usize = 256;

/// What a set of games amounts to.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Count {
    pub(crate) results: [u64; 4],
    /// The sum of all known ratings of both players, and their number.
    pub(crate) ratings: u64,
    pub(crate) rated: u64,
    pub(crate) last: Date,
}

impl Count {
    pub(crate) fn games(&self) -> u64 {
        self.results.iter().sum()
    }

    #[inline]
    pub(crate) fn add(&mut self, facts: Facts, ratings: [u16; 2]) {
        self.results[facts.result_bits() as usize] += 1;
        self.ratings += u64::from(ratings[0]) + u64::from(ratings[1]);
        self.rated += u64::from(ratings[0] > 0) + u64::from(ratings[1] > 0);
        self.last = self.last.max(facts.date());
    }

    pub(crate) fn merge(&mut self, other: &Self) {
        for (sum, more) in self.results.iter_mut().zip(other.results) {
            *sum += more;
        }
        self.ratings += other.ratings;
        self.rated += other.rated;
        self.last = self.last.max(other.last);
    }
}

/// The rating a game is ordered and filtered by: twice the average of the known ones; zero for none.
#[inline]
pub(crate) fn strength([white, black]: [u16; 2]) -> u32 {
    let (white, black) = (u32::from(white), u32::from(black));
    // An unknown one is replaced by the other, without a branch.
    let one = u32::from(white == 0).wrapping_neg() & black;
    let other = u32::from(black == 0).wrapping_neg() & white;
    white + black + one + other
}

/// The games of a block.
#[derive(Copy, Clone, Debug, Default)]
struct Block {
    /// Counts of all blocks before this one.
    before: [u32; 4],
    ratings: u64,
    rated: u64,
    last: Date,
    strongest: u32,
}

/// Counts of all blocks of a segment; deleted games don't count.
#[derive(Clone, Debug)]
pub(crate) struct Summary(Vec<Block>);

impl Summary {
    pub(crate) fn new(columns: &Columns) -> Self {
        let mut blocks = Vec::with_capacity(columns.facts.len() / BLOCK + 2);
        let mut sum = Count::default();
        let rows = columns.facts.chunks(BLOCK).zip(columns.ratings.chunks(BLOCK));
        let before = |sum: &Count| Block {
            before: sum.results.map(|count| count as u32),
            ratings: sum.ratings,
            rated: sum.rated,
            ..Block::default()
        };
        for (facts, ratings) in rows {
            let mut block = before(&sum);
            for (&facts, &ratings) in facts.iter().zip(ratings) {
                if !facts.is_deleted() {
                    sum.add(facts, ratings);
                    block.last = block.last.max(facts.date());
                    block.strongest = block.strongest.max(strength(ratings));
                }
            }
            blocks.push(block);
        }
        blocks.push(before(&sum));
        Self(blocks)
    }

    /// Counts a range of games.
    pub(crate) fn count(&self, columns: &Columns, games: Range<u32>, count: &mut Count) {
        let (start, end) = (games.start as usize, games.end as usize);
        let (first, last) = (start.div_ceil(BLOCK), end / BLOCK);
        if first >= last {
            return scan(columns, start..end, count);
        }
        scan(columns, start..first * BLOCK, count);
        scan(columns, last * BLOCK..end, count);
        let (low, high) = (&self.0[first], &self.0[last]);
        for (at, sum) in count.results.iter_mut().enumerate() {
            *sum += u64::from(high.before[at] - low.before[at]);
        }
        count.ratings += high.ratings - low.ratings;
        count.rated += high.rated - low.rated;
        let newest = self.0[first..last].iter().map(|block| block.last).max();
        count.last = count.last.max(newest.unwrap_or_default());
    }

    /// The latest date in the block of a game.
    pub(crate) fn newest(&self, game: usize) -> Date {
        self.0[game / BLOCK].last
    }

    /// The highest strength in the block of a game.
    pub(crate) fn strongest(&self, game: usize) -> u32 {
        self.0[game / BLOCK].strongest
    }
}

fn scan(columns: &Columns, games: Range<usize>, count: &mut Count) {
    let rows = columns.facts[games.clone()].iter().zip(&columns.ratings[games]);
    for (&facts, &ratings) in rows {
        if !facts.is_deleted() {
            count.add(facts, ratings);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::GameResult;

    #[test]
    fn every_range_is_counted_as_by_hand() {
        let mut columns = Columns::default();
        for game in 0..2000_u16 {
            let result = [GameResult::Draw, GameResult::WhiteWins][usize::from(game % 3 == 0)];
            let date = Date::new(1900 + game * 7 % 100, 1, 1).expect("a date");
            columns.push(Facts::new(result, None, date), [game % 5 * 500, 2000 + game], 0);
        }
        for game in (0..2000).step_by(17) {
            columns.facts[game].0 |= Facts::DELETED;
        }
        let summary = Summary::new(&columns);
        for start in (0..2000).step_by(61) {
            for end in (start..=2000).step_by(37) {
                let (mut quick, mut slow) = (Count::default(), Count::default());
                summary.count(&columns, start..end, &mut quick);
                scan(&columns, start as usize..end as usize, &mut slow);
                assert_eq!(quick, slow, "{start}..{end}");
            }
        }
    }
}
