//! The layers after the accumulators, laid out as the kernels read them.

use crate::shape::{BIAS_LIMIT, FIRST, HIDDEN, LIMIT, SECOND};

/// Products that a kernel multiplies at a time.
pub(crate) const CHUNK: usize = 4;

/// The weights of all units of the first layer for one chunk of products.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub(crate) struct ChunkWeights(pub(crate) [[i8; CHUNK]; FIRST]);

/// The weights of all units of the second layer for one unit of the first: clipped, and squared.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub(crate) struct UnitWeights(pub(crate) [[i16; 2]; SECOND]);

/// A number for each unit of a layer.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub(crate) struct Units<const N: usize>(pub(crate) [i32; N]);

impl<const N: usize> Units<N> {
    fn new(numbers: &[i32]) -> Self {
        Self(numbers.try_into().expect("a number for each unit"))
    }
}

/// One set of layers: from the products of both accumulators to the value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layers {
    pub(crate) first: Box<[ChunkWeights]>,
    pub(crate) first_bias: Units<FIRST>,
    pub(crate) second: [UnitWeights; FIRST],
    pub(crate) second_bias: Units<SECOND>,
    pub(crate) last: Units<SECOND>,
    pub(crate) last_bias: i32,
}

/// The weights of a set of layers in the order of files: a unit after the other, and for each its
/// inputs. Those of the second layer are the clipped units, then the squared ones.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Weights {
    /// [`FIRST`] times [`HIDDEN`].
    pub first: Vec<i8>,
    /// [`FIRST`].
    pub first_bias: Vec<i32>,
    /// [`SECOND`] times twice [`FIRST`].
    pub second: Vec<i16>,
    /// [`SECOND`].
    pub second_bias: Vec<i32>,
    /// [`SECOND`].
    pub last: Vec<i16>,
    /// Of the value.
    pub last_bias: i32,
}

impl Layers {
    /// Arranges weights; fails with the first number that is too great.
    ///
    /// # Panics
    /// If there are more or fewer weights than the shape has.
    pub(crate) fn new(weights: &Weights) -> Result<Self, i32> {
        let counts = [
            (weights.first.len(), FIRST * HIDDEN),
            (weights.first_bias.len(), FIRST),
            (weights.second.len(), SECOND * 2 * FIRST),
            (weights.second_bias.len(), SECOND),
            (weights.last.len(), SECOND),
        ];
        assert!(counts.iter().all(|(found, wanted)| found == wanted), "{counts:?}");
        let small = weights.second.iter().chain(&weights.last).copied().map(i32::from);
        let biases = weights.first_bias.iter().chain(&weights.second_bias).copied();
        let limited = small
            .map(|weight| (weight, LIMIT))
            .chain(biases.chain([weights.last_bias]).map(|bias| (bias, BIAS_LIMIT)));
        for (number, limit) in limited {
            if number.unsigned_abs() > limit.unsigned_abs() {
                return Err(number);
            }
        }
        let mut first = vec![ChunkWeights([[0; CHUNK]; FIRST]); HIDDEN / CHUNK];
        for (unit, row) in weights.first.chunks_exact(HIDDEN).enumerate() {
            for (chunk, weights) in first.iter_mut().zip(row.as_chunks().0) {
                chunk.0[unit] = *weights;
            }
        }
        let mut second = [UnitWeights([[0; 2]; SECOND]); FIRST];
        for (unit, row) in weights.second.chunks_exact(2 * FIRST).enumerate() {
            let (clipped, squared) = row.split_at(FIRST);
            for (input, (&clipped, &squared)) in second.iter_mut().zip(clipped.iter().zip(squared))
            {
                input.0[unit] = [clipped, squared];
            }
        }
        Ok(Self {
            first: first.into(),
            first_bias: Units::new(&weights.first_bias),
            second,
            second_bias: Units::new(&weights.second_bias),
            last: Units(std::array::from_fn(|unit| weights.last[unit].into())),
            last_bias: weights.last_bias,
        })
    }

    /// The weights in the order of files.
    pub(crate) fn weights(&self) -> Weights {
        let first = (0..FIRST).flat_map(|unit| self.first.iter().flat_map(move |c| c.0[unit]));
        let second = (0..SECOND).flat_map(|unit| {
            (0..2).flat_map(move |which| self.second.iter().map(move |input| input.0[unit][which]))
        });
        Weights {
            first: first.collect(),
            first_bias: self.first_bias.0.to_vec(),
            second: second.collect(),
            second_bias: self.second_bias.0.to_vec(),
            last: self.last.0.iter().map(|&weight| weight as i16).collect(),
            last_bias: self.last_bias,
        }
    }
}
