//! Ratings added up, for averages that can be added up again.

use std::ops::AddAssign;

/// The sum of some players' ratings, and how many there are. Unknown ratings are left out.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Ratings {
    /// The sum.
    pub sum: u64,
    /// The number of ratings.
    pub count: u64,
}

impl Ratings {
    /// The average, rounded; none without a rating.
    pub fn average(self) -> Option<u32> {
        let half = self.count / 2;
        let average = self.sum.saturating_add(half).checked_div(self.count)?;
        Some(u32::try_from(average).unwrap_or(u32::MAX))
    }
}

impl AddAssign for Ratings {
    fn add_assign(&mut self, other: Self) {
        self.sum = self.sum.saturating_add(other.sum);
        self.count = self.count.saturating_add(other.count);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_average_of_sums_counts_every_rating_alike() {
        let mut all = Ratings { sum: 2000, count: 1 };
        all += Ratings { sum: 3 * 2601, count: 3 };
        all += Ratings::default();
        assert_eq!(all.average(), Some(2451), "2450.75, not the average of averages");
        assert_eq!(Ratings::default().average(), None);
        assert_eq!(Ratings { sum: u64::MAX, count: 1 }.average(), Some(u32::MAX));
    }
}
