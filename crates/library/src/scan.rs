//! Counting the games of a long run that meet a filter. A run may have millions of games, so each condition is a pass
//! over a few thousand of them, without branches: the compiler does several games at a time.

use crate::facts::{Date, Facts};
use crate::summary::{Count, strength};

/// Games in a pass: so few that they stay in the fastest memory.
const CHUNK: usize = 2048;

/// Runs with fewer games are counted one game after the other.
const SHORT: usize = 64;

/// Conditions on a game's facts and ratings.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Scan {
    /// Bits of the results and of the speeds that count.
    pub(crate) results: u32,
    pub(crate) speeds: u32,
    /// The first and the last date.
    pub(crate) dates: Option<(Date, Date)>,
    /// The least and the highest strength.
    pub(crate) strengths: Option<(u32, u32)>,
}

/// All ones if it is true: such numbers are combined like truth values.
#[inline]
const fn mask(truth: bool) -> u32 {
    (truth as u32).wrapping_neg()
}

/// Whether a number lies between two; all are below 2^31, where signed numbers are compared faster.
#[inline]
const fn between(low: i32, number: u32, high: i32) -> u32 {
    mask(low <= number as i32) & mask(number as i32 <= high)
}

fn signed(number: u32) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}

impl Scan {
    /// Whether a game is not deleted and meets the conditions.
    #[inline]
    pub(crate) fn is_met_by(&self, facts: Facts, ratings: [u16; 2]) -> bool {
        !facts.is_deleted()
            && self.results >> facts.result_bits() & 1 == 1
            && self.speeds >> facts.speed_bits() & 1 == 1
            && self.dates.is_none_or(|(from, to)| (from..=to).contains(&facts.date()))
            && self
                .strengths
                .is_none_or(|(least, most)| (least..=most).contains(&strength(ratings)))
    }

    /// Counts the games that are not deleted and meet the conditions.
    pub(crate) fn count(&self, facts: &[Facts], ratings: &[[u16; 2]], count: &mut Count) {
        if facts.len() < SHORT {
            for (&facts, &ratings) in facts.iter().zip(ratings) {
                if self.is_met_by(facts, ratings) {
                    count.add(facts, ratings);
                }
            }
            return;
        }
        let mut fits = [0; CHUNK];
        for (facts, ratings) in facts.chunks(CHUNK).zip(ratings.chunks(CHUNK)) {
            let fits = &mut fits[..facts.len()];
            for (fits, facts) in fits.iter_mut().zip(facts) {
                *fits = mask(!facts.is_deleted());
            }
            if let Some((from, to)) = self.dates {
                let (from, to) = (signed(from.0), signed(to.0));
                for (fits, facts) in fits.iter_mut().zip(facts) {
                    *fits &= between(from, facts.date().0, to);
                }
            }
            if let Some((least, most)) = self.strengths {
                let (least, most) = (signed(least), signed(most));
                for (fits, &ratings) in fits.iter_mut().zip(ratings) {
                    *fits &= between(least, strength(ratings), most);
                }
            }
            // A pass for each value that doesn't count: few filters name more than one or two.
            for result in (0..4).filter(|result| self.results >> result & 1 == 0) {
                for (fits, facts) in fits.iter_mut().zip(facts) {
                    *fits &= mask(facts.result_bits() != result);
                }
            }
            for speed in (0..8).filter(|speed| self.speeds >> speed & 1 == 0) {
                for (fits, facts) in fits.iter_mut().zip(facts) {
                    *fits &= mask(facts.speed_bits() != speed);
                }
            }
            add(facts, ratings, fits, count);
        }
    }
}

/// Adds the games of a pass that are left.
fn add(facts: &[Facts], ratings: &[[u16; 2]], fits: &[u32], count: &mut Count) {
    let mut results = [0_u32; 4];
    let (mut sum, mut rated, mut newest) = (0_u32, 0_u32, 0_i32);
    for ((facts, &[white, black]), &fits) in facts.iter().zip(ratings).zip(fits) {
        for (result, number) in results.iter_mut().enumerate() {
            *number += mask(facts.result_bits() == result as u32) & fits & 1;
        }
        sum += (u32::from(white) + u32::from(black)) & fits;
        rated += (u32::from(white > 0) + u32::from(black > 0)) & fits;
        newest = newest.max((facts.date().0 & fits) as i32);
    }
    for (all, number) in count.results.iter_mut().zip(results) {
        *all += u64::from(number);
    }
    count.ratings += u64::from(sum);
    count.rated += u64::from(rated);
    count.last = count.last.max(Date(newest as u32));
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn rating() -> impl Strategy<Value = u16> {
        prop_oneof![Just(0), 1000_u16..1100, any::<u16>()]
    }

    fn game() -> impl Strategy<Value = (Facts, [u16; 2])> {
        // Any result, speed and date, and every eighth deleted.
        let facts = (0_u32..1 << 26, 0_u32..8).prop_map(|(facts, chance)| {
            Facts(if chance == 0 { facts | Facts::DELETED } else { facts })
        });
        (facts, [rating(), rating()])
    }

    fn range(most: u32) -> impl Strategy<Value = Option<(u32, u32)>> {
        prop::option::of((0..most, prop_oneof![0..most, Just(u32::MAX)]))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn the_same_games_count_as_one_by_one(
            games in prop::collection::vec(game(), 0..3 * CHUNK / 2),
            results in 0_u32..16,
            speeds in 0_u32..256,
            dates in range(1 << 21),
            strengths in range(3000),
        ) {
            let (facts, ratings): (Vec<Facts>, Vec<[u16; 2]>) = games.iter().copied().unzip();
            let dates = dates.map(|(from, to)| (Date(from), Date(to)));
            let scan = Scan { results, speeds, dates, strengths };
            let mut found = Count::default();
            scan.count(&facts, &ratings, &mut found);
            let mut wanted = Count::default();
            for (facts, ratings) in games {
                if scan.is_met_by(facts, ratings) {
                    wanted.add(facts, ratings);
                }
            }
            prop_assert_eq!(found, wanted);
        }
    }
}
