//! Playing strength.

use std::fmt;
use std::ops::RangeInclusive;

/// The playing strength of an analyst.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum Strength {
    /// Full strength.
    #[default]
    Full,
    /// Limited to this rating.
    Elo(Elo),
}

/// A rating that can be played at, in [`Elo::RANGE`].
///
/// ```
/// use engine::Elo;
///
/// assert_eq!(Elo::new(1_500).map(Elo::get), Some(1_500));
/// assert_eq!(Elo::new(100), None);
/// ```
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Elo(u32);

impl Elo {
    /// All supported ratings.
    pub const RANGE: RangeInclusive<u32> = 600..=3_200;

    /// A rating, if it is in range.
    pub const fn new(rating: u32) -> Option<Self> {
        let in_range = *Self::RANGE.start() <= rating && rating <= *Self::RANGE.end();
        if in_range { Some(Self(rating)) } else { None }
    }

    /// The number.
    pub const fn get(self) -> u32 {
        self.0
    }
}

impl Default for Elo {
    /// A club player.
    fn default() -> Self {
        Self(1_500)
    }
}

impl fmt::Display for Elo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_ratings_in_range_exist() {
        let (least, most) = (*Elo::RANGE.start(), *Elo::RANGE.end());
        assert_eq!([least, most].map(|rating| Elo::new(rating).is_some()), [true; 2]);
        assert_eq!([least - 1, most + 1, u32::MAX].map(Elo::new), [None; 3]);
        assert_eq!(Elo::new(Elo::default().get()), Some(Elo::default()));
    }
}
