//! A network: its weights, and the evaluation of a position.

use std::fmt;

use chess::{Color, Position};

use crate::features::View;
use crate::kernels::Kernel;
use crate::layers::{Layers, Weights};
use crate::shape::{HIDDEN, INPUTS, LAST_ONE, OUTPUTS, SCALE, UNIT_ONE, output_of};

/// One side's accumulator.
#[derive(Clone, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct Row(pub [i16; HIDDEN]);

impl Row {
    /// All zero.
    pub const ZERO: Self = Self([0; HIDDEN]);
}

/// The weights of one input. They have eight bits, because what an update costs is mostly to fetch
/// them.
#[derive(Clone, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct Input(pub [i8; HIDDEN]);

/// A network of the shape that this build uses.
#[derive(Clone, PartialEq, Eq)]
pub struct Net {
    /// The description in the file, such as its name and training data.
    pub(crate) about: String,
    /// The weights of each input.
    pub(crate) inputs: Box<[Input]>,
    /// The accumulator of an empty board.
    pub(crate) bias: Row,
    pub(crate) layers: Box<[Layers]>,
}

impl fmt::Debug for Net {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Net").field("about", &self.about).finish_non_exhaustive()
    }
}

impl Net {
    /// A network with given weights; fails with the first number that is beyond the limits of the
    /// shape.
    ///
    /// # Panics
    /// If there are more or fewer weights than the shape has.
    pub fn new(
        about: String,
        inputs: Box<[Input]>,
        bias: Row,
        layers: &[Weights],
    ) -> Result<Self, i32> {
        assert_eq!((inputs.len(), layers.len()), (INPUTS, OUTPUTS), "as many as the shape has");
        let layers = layers.iter().map(Layers::new).collect::<Result<_, _>>()?;
        Ok(Self { about, inputs, bias, layers })
    }

    /// The description in the file.
    pub fn about(&self) -> &str {
        &self.about
    }

    /// The output for two accumulators, the side to move's first, in centipawns for the side to
    /// move.
    #[inline]
    pub(crate) fn value(&self, kernel: Kernel, hidden: [&Row; 2], pieces: u32) -> i32 {
        let sum = kernel.output(hidden, &self.layers[output_of(pieces)]);
        (i64::from(sum) * i64::from(SCALE) / i64::from(UNIT_ONE * LAST_ONE)) as i32
    }

    /// The evaluation of a position from scratch, in centipawns for the side to move: the reference
    /// for [`Accumulators`](crate::Accumulators).
    pub fn evaluate(&self, position: &Position) -> i32 {
        let hidden = [position.turn(), !position.turn()].map(|color| self.hidden(color, position));
        let pieces = position.occupied().count();
        self.value(Kernel::PORTABLE, [&hidden[0], &hidden[1]], pieces)
    }

    /// The accumulator of a side from scratch.
    fn hidden(&self, color: Color, position: &Position) -> Row {
        let view = View::new(color, position.king(color));
        let mut sum = self.bias.clone();
        for square in position.occupied() {
            let piece = position.piece_on(square).expect("the square is taken");
            let weights = &self.inputs[view.input(piece, square)];
            for (number, weight) in sum.0.iter_mut().zip(weights.0) {
                *number = number.wrapping_add(weight.into());
            }
        }
        sum
    }
}
