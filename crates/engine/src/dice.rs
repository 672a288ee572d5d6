//! Deterministic random numbers.

/// Pseudo-random numbers that depend only on a seed (the `SplitMix64` sequence). For games that
/// vary, use a seed that varies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dice(u64);

impl Dice {
    /// Dice with a seed.
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Separate dice for each number, so that the order in which they are used doesn't matter.
    pub const fn stream(seed: u64, number: u64) -> Self {
        let mixed = Self(seed).roll();
        Self(Self(mixed ^ number).roll())
    }

    /// The next number.
    pub const fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// The next number, scaled to `0..limit`; zero if the limit is. The bias is less than `limit`
    /// in 2^64.
    pub const fn below(&mut self, limit: u64) -> u64 {
        ((self.roll() as u128 * limit as u128) >> 64) as u64
    }

    /// A random element; `None` if there are none.
    pub fn pick<'a, T>(&mut self, things: &'a [T]) -> Option<&'a T> {
        things.get(self.below(things.len() as u64) as usize)
    }

    /// Shuffles a slice.
    pub fn shuffle<T>(&mut self, things: &mut [T]) {
        for last in (1..things.len()).rev() {
            things.swap(last, self.below(last as u64 + 1) as usize);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sequence_is_the_published_one() {
        let mut dice = Dice::new(1_234_567);
        let rolls: Vec<u64> = (0..3).map(|_| dice.roll()).collect();
        assert_eq!(
            rolls,
            [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]
        );
    }

    #[test]
    fn numbers_stay_below_their_limit() {
        let mut dice = Dice::new(1);
        let mut seen = [0; 6];
        for _ in 0..6000 {
            seen[dice.below(6) as usize] += 1;
        }
        assert!(seen.iter().all(|&count| (800..1200).contains(&count)), "{seen:?}");
        assert_eq!(dice.below(0), 0);
        assert_eq!(dice.pick::<u8>(&[]), None);
    }

    #[test]
    fn neighboring_streams_differ() {
        let first: Vec<u64> = (0..100).map(|n| Dice::stream(1, n).roll()).collect();
        let mut unique = first.clone();
        unique.sort_unstable();
        unique.dedup();
        assert_eq!(unique.len(), 100);
        assert_eq!(first[7], Dice::stream(1, 7).roll());
        assert_ne!(first[7], Dice::stream(2, 7).roll());
    }

    #[test]
    fn shuffling_keeps_everything() {
        let mut things: Vec<u32> = (0..50).collect();
        Dice::new(3).shuffle(&mut things);
        assert_ne!(things, (0..50).collect::<Vec<_>>());
        things.sort_unstable();
        assert_eq!(things, (0..50).collect::<Vec<_>>());
    }
}
