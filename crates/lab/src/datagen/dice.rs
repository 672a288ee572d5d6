//! Random numbers that a seed repeats.

/// A stream of random numbers, `SplitMix64`. The same seed gives the same stream everywhere.
#[derive(Clone, Debug)]
pub struct Dice(u64);

impl Dice {
    /// The stream of a seed.
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A stream of its own for each number, so that the order in which games are played does
    /// not matter.
    pub const fn stream(seed: u64, number: u64) -> Self {
        let mut dice = Self(seed);
        let mixed = dice.roll();
        let mut dice = Self(mixed ^ number);
        Self(dice.roll())
    }

    /// Any number.
    pub const fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ z >> 31
    }

    /// A number below `sides`, which must not be zero.
    pub const fn below(&mut self, sides: usize) -> usize {
        // The high half of the product is even enough for any number of sides we have.
        ((self.roll() as u128 * sides as u128) >> 64) as usize
    }

    /// Puts things into random order.
    pub fn shuffle<T>(&mut self, things: &mut [T]) {
        for i in (1..things.len()).rev() {
            things.swap(i, self.below(i + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_side_comes_up_about_as_often() {
        let mut dice = Dice::new(7);
        let mut counts = [0; 6];
        for _ in 0..6000 {
            counts[dice.below(6)] += 1;
        }
        assert!(counts.iter().all(|count| (850..1150).contains(count)), "{counts:?}");
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
}
