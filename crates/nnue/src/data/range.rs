//! A range coder: decisions of known probability to bytes and back.
//!
//! Written here, in one file, because no crate fits: `constriction` uses models that are fixed
//! before a message, leaves adaptive binary ones to its user, and brings floating-point
//! distributions and 11,000 lines for what takes 150. The arithmetic is that of LZMA: 32 bits of
//! range; bytes that a carry may still change are held back. Probabilities have 16 bits.

/// The probability that a decision is 1. Adapts to every decision: the mean of a fast and a slow
/// estimate.
#[derive(Copy, Clone, Debug)]
pub struct Bit {
    fast: u16,
    slow: u16,
}

/// How far the estimates move towards each decision, as a shift.
const FAST: u32 = 5;
const SLOW: u32 = 8;

impl Bit {
    /// Nothing is known yet.
    pub const EVEN: Self = Self { fast: 1 << 15, slow: 1 << 15 };

    /// Starts from a probability in 256ths, plus half of one.
    pub const fn expecting(prior: u8) -> Self {
        let p = (prior as u16) << 8 | 0x80;
        Self { fast: p, slow: p }
    }

    /// The probability of a 1 in 65,536ths. A shift of 5 stops short of both ends, so it is from 15
    /// to 65,520.
    #[inline]
    const fn probability(self) -> u32 {
        (self.fast as u32 + self.slow as u32) >> 1
    }

    #[inline]
    const fn learn(&mut self, bit: bool) {
        if bit {
            self.fast += (u16::MAX - self.fast) >> FAST;
            self.slow += (u16::MAX - self.slow) >> SLOW;
        } else {
            self.fast -= self.fast >> FAST;
            self.slow -= self.slow >> SLOW;
        }
    }
}

/// The common interface of encoder and decoder: an encoder writes the values it is given, a decoder
/// ignores them and returns those it reads. One function then describes both directions.
pub trait Coder {
    /// A decision with a model.
    fn bit(&mut self, model: &mut Bit, bit: bool) -> bool;

    /// A number below `total`, all equally likely. `total` is at most 65,536.
    fn uniform(&mut self, value: u32, total: u32) -> u32;

    /// A number of this many bits, highest first, with a model for each prefix.
    #[inline]
    fn tree(&mut self, models: &mut [Bit], bits: u32, value: u32) -> u32 {
        let mut node = 1;
        for place in (0..bits).rev() {
            let bit = self.bit(&mut models[node as usize], value >> place & 1 != 0);
            node = node << 1 | u32::from(bit);
        }
        node - (1 << bits)
    }
}

/// The range is kept at or above this.
const LEAST: u32 = 1 << 24;

/// Writes decisions.
#[derive(Debug)]
pub struct RangeEncoder {
    low: u64,
    range: u32,
    /// The last byte, which a carry may still increment, if there is one.
    held: Option<u8>,
    /// Number of 255 bytes after it, through which a carry would propagate.
    run: usize,
    out: Vec<u8>,
}

impl Default for RangeEncoder {
    fn default() -> Self {
        Self { low: 0, range: u32::MAX, held: None, run: 0, out: Vec::new() }
    }
}

impl RangeEncoder {
    /// Number of bytes so far, give or take five.
    pub const fn len(&self) -> usize {
        self.out.len() + self.run
    }

    /// Encodes `share` of `total` parts, after the `below` first ones. `total` is below 2^24.
    #[inline]
    pub fn take(&mut self, below: u32, share: u32, total: u32) {
        let part = self.range / total;
        self.low += u64::from(below * part);
        self.range = share * part;
        self.normalise();
    }

    /// All bytes.
    pub fn finish(mut self) -> Vec<u8> {
        for _ in 0..5 {
            self.shift();
        }
        self.out
    }

    #[inline]
    fn normalise(&mut self) {
        while self.range < LEAST {
            self.range <<= 8;
            self.shift();
        }
    }

    /// Shifts out the highest byte of the 32-bit state.
    fn shift(&mut self) {
        let carry = (self.low >> 32) as u8;
        let byte = (self.low >> 24) as u8;
        if byte == u8::MAX && carry == 0 {
            self.run += 1;
        } else {
            // There is no carry out of the first byte: the whole message is below one.
            self.out.extend(self.held.map(|held| held.wrapping_add(carry)));
            self.out.extend(std::iter::repeat_n(u8::MAX.wrapping_add(carry), self.run));
            self.run = 0;
            self.held = Some(byte);
        }
        self.low = (self.low & 0x00FF_FFFF) << 8;
    }
}

impl Coder for RangeEncoder {
    #[inline]
    fn bit(&mut self, model: &mut Bit, bit: bool) -> bool {
        let bound = (self.range >> 16) * model.probability();
        if bit {
            self.range = bound;
        } else {
            self.low += u64::from(bound);
            self.range -= bound;
        }
        model.learn(bit);
        self.normalise();
        bit
    }

    #[inline]
    fn uniform(&mut self, value: u32, total: u32) -> u32 {
        self.take(value, 1, total);
        value
    }
}

/// Reads decisions from any bytes: check [`RangeDecoder::is_sound`].
#[derive(Debug)]
pub struct RangeDecoder {
    bytes: Vec<u8>,
    at: usize,
    code: u32,
    range: u32,
    sound: bool,
}

impl RangeDecoder {
    /// Starts reading.
    pub fn new(bytes: Vec<u8>) -> Self {
        let mut decoder = Self { bytes, at: 0, code: 0, range: u32::MAX, sound: true };
        for _ in 0..4 {
            decoder.shift();
        }
        decoder
    }

    /// Whether an encoder can have written what was read so far.
    pub const fn is_sound(&self) -> bool {
        self.sound && self.at <= self.bytes.len()
    }

    /// Number of bytes read.
    pub fn used(&self) -> usize {
        self.at.min(self.bytes.len())
    }

    /// Whether exactly all bytes were read.
    pub const fn is_at_end(&self) -> bool {
        self.sound && self.at == self.bytes.len()
    }

    /// The point among `total` parts at which the message is, and the size of a part for
    /// [`Self::skip`].
    #[inline]
    pub fn point(&mut self, total: u32) -> (u32, u32) {
        let part = self.range / total;
        let point = self.code / part;
        if point < total {
            (point, part)
        } else {
            self.sound = false;
            (total - 1, part)
        }
    }

    /// Consumes the share of [`RangeEncoder::take`] that contains the point.
    #[inline]
    pub fn skip(&mut self, below: u32, share: u32, part: u32) {
        self.code -= below * part;
        self.range = share * part;
        self.normalise();
    }

    #[inline]
    fn normalise(&mut self) {
        while self.range < LEAST {
            self.range <<= 8;
            self.shift();
        }
    }

    #[inline]
    fn shift(&mut self) {
        let byte = self.bytes.get(self.at).copied().unwrap_or(0);
        self.code = self.code << 8 | u32::from(byte);
        self.at += 1;
    }
}

impl Coder for RangeDecoder {
    #[inline]
    fn bit(&mut self, model: &mut Bit, _: bool) -> bool {
        let bound = (self.range >> 16) * model.probability();
        let bit = self.code < bound;
        if bit {
            self.range = bound;
        } else {
            self.code -= bound;
            self.range -= bound;
        }
        model.learn(bit);
        self.normalise();
        bit
    }

    #[inline]
    fn uniform(&mut self, _: u32, total: u32) -> u32 {
        let (point, part) = self.point(total);
        self.skip(point, 1, part);
        point
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[derive(Clone, Debug)]
    enum Step {
        Bit(u8, bool),
        Uniform(u32, u32),
        Tree(u32),
    }

    fn step() -> impl Strategy<Value = Step> {
        prop_oneof![
            (0..3u8, any::<bool>()).prop_map(|(model, bit)| Step::Bit(model, bit)),
            // A model that is nearly certain, so that carries and long runs occur.
            Just(Step::Bit(3, true)),
            (1..65_537u32, any::<u32>()).prop_map(|(total, n)| Step::Uniform(n % total, total)),
            (0..256u32).prop_map(Step::Tree),
        ]
    }

    fn run(coder: &mut impl Coder, steps: &[Step]) -> Vec<u32> {
        let mut models = [Bit::EVEN; 4];
        let mut tree = [Bit::expecting(200); 256];
        let steps = steps.iter().map(|step| match *step {
            Step::Bit(model, bit) => u32::from(coder.bit(&mut models[usize::from(model)], bit)),
            Step::Uniform(value, total) => coder.uniform(value, total),
            Step::Tree(value) => coder.tree(&mut tree, 8, value),
        });
        steps.collect()
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(steps in prop::collection::vec(step(), 0..2000)) {
            let mut encoder = RangeEncoder::default();
            let written = run(&mut encoder, &steps);
            let bytes = encoder.finish();
            let mut decoder = RangeDecoder::new(bytes.clone());
            prop_assert_eq!(run(&mut decoder, &steps), written);
            prop_assert!(decoder.is_at_end());
            let mut short = RangeDecoder::new(bytes[..bytes.len() - 1].to_vec());
            run(&mut short, &steps);
            prop_assert!(!short.is_sound());
        }

        #[test]
        fn any_bytes_can_be_read(
            bytes in prop::collection::vec(any::<u8>(), 0..200),
            steps in prop::collection::vec(step(), 0..2000),
        ) {
            run(&mut RangeDecoder::new(bytes), &steps);
        }
    }
}
