//! A network: its weights, and the evaluation of a position.

use std::fmt;

use chess::{Color, Position};

use crate::features::View;
use crate::kernels::Kernel;
use crate::shape::{
    HIDDEN, HIDDEN_ONE, INPUTS, OUTPUT_LIMIT, OUTPUT_ONE, OUTPUTS, SCALE, SQUARE_SHIFT, output_of,
};

/// One side's accumulator, or the weights of one input.
#[derive(Clone, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct Row(pub [i16; HIDDEN]);

impl Row {
    /// All zero.
    pub const ZERO: Self = Self([0; HIDDEN]);
}

/// An output layer: weights for the accumulators of the side to move and of the opponent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    /// Weights, the side to move's first, within [`OUTPUT_LIMIT`](crate::shape::OUTPUT_LIMIT).
    pub weights: [Row; 2],
    /// Added to the sum; 1.0 is the square of [`HIDDEN_ONE`] times [`OUTPUT_ONE`].
    pub bias: i32,
}

/// A network of the shape that this build uses.
#[derive(Clone, PartialEq, Eq)]
pub struct Net {
    /// The description in the file, such as its name and training data.
    pub(crate) about: String,
    /// The weights of each input.
    pub(crate) inputs: Box<[Row]>,
    /// The accumulator of an empty board.
    pub(crate) bias: Row,
    pub(crate) outputs: Box<[Output]>,
}

impl fmt::Debug for Net {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Net").field("about", &self.about).finish_non_exhaustive()
    }
}

impl Net {
    /// A network with given weights; `None` if their number doesn't match the shape, or an output
    /// weight is beyond [`OUTPUT_LIMIT`].
    pub fn new(
        about: String,
        inputs: Box<[Row]>,
        bias: Row,
        outputs: Box<[Output]>,
    ) -> Option<Self> {
        let fits = inputs.len() == INPUTS && outputs.len() == OUTPUTS;
        let small = |row: &Row| row.0.iter().all(|&w| i32::from(w).abs() <= OUTPUT_LIMIT);
        let small = outputs.iter().flat_map(|output| &output.weights).all(small);
        (fits && small).then_some(Self { about, inputs, bias, outputs })
    }

    /// The description in the file.
    pub fn about(&self) -> &str {
        &self.about
    }

    /// The output for two accumulators, the side to move's first, in centipawns for the side to
    /// move.
    #[inline]
    pub(crate) fn value(&self, kernel: Kernel, hidden: [&Row; 2], pieces: u32) -> i32 {
        let output = &self.outputs[output_of(pieces)];
        let sum = kernel.weigh(hidden[0], &output.weights[0])
            + kernel.weigh(hidden[1], &output.weights[1]);
        let sum = (sum << SQUARE_SHIFT) + i64::from(output.bias);
        (sum * i64::from(SCALE) / i64::from(HIDDEN_ONE * HIDDEN_ONE * OUTPUT_ONE)) as i32
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
                *number = number.wrapping_add(weight);
            }
        }
        sum
    }
}
