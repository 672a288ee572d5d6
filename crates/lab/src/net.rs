//! Quantises a trainer's checkpoint, in floating point, into a network of small integers.

use chess::{FenError, Position};
use nnue::shape::{BUCKETS, HIDDEN, HIDDEN_ONE, INPUTS, OUTPUT_LIMIT, OUTPUT_ONE, OUTPUTS, SCALE};
use nnue::{Net, Output, Row};
use serde::Deserialize;

/// Why a checkpoint can't be quantised.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    /// Not a checkpoint.
    #[error("not a checkpoint of training/train.py: it doesn't start with RIGACKPT")]
    NotACheckpoint,
    /// The header is not valid JSON, or a field is missing.
    #[error("the header can't be read: {0}")]
    Header(#[from] serde_json::Error),
    /// Trained for another shape.
    #[error("the checkpoint has {what} {found}, this build needs {wanted}")]
    Shape {
        /// The constant that differs.
        what: &'static str,
        /// The checkpoint's value.
        found: String,
        /// This build's value.
        wanted: String,
    },
    /// The file ends within its header.
    #[error("the file is truncated: its header has {wanted} bytes, but only {found} are there")]
    HeaderLength {
        /// The actual number of bytes.
        found: usize,
        /// The stated number of bytes.
        wanted: usize,
    },
    /// Too few or too many weights.
    #[error(
        "the checkpoint has {found} bytes of weights where {wanted} are expected: {FLOATS} floats, \
         for {INPUTS} inputs, a hidden layer of {HIDDEN} and {OUTPUTS} output layers"
    )]
    Length {
        /// The actual number of bytes.
        found: usize,
        /// The expected number of bytes.
        wanted: usize,
    },
    /// The net and the trainer disagree about a position.
    #[error("the net evaluates {fen} as {found}, the trainer as {wanted}")]
    Probe {
        /// The position.
        fen: String,
        /// The net's evaluation.
        found: i32,
        /// The trainer's evaluation.
        wanted: f64,
    },
    /// A position of the trainer is invalid.
    #[error("invalid position {fen} from the trainer")]
    ProbeFen {
        /// The position.
        fen: String,
        /// The cause.
        #[source]
        cause: FenError,
    },
    /// Training has diverged.
    #[error("a weight is not a number")]
    NotANumber,
}

/// The shape, as in `training/shape.json`.
#[derive(Debug, Deserialize)]
struct Shape {
    king_buckets: Vec<Vec<u8>>,
    hidden: usize,
    outputs: usize,
    hidden_one: i32,
    output_one: i32,
    output_limit: i32,
    scale: i32,
    #[serde(default)]
    about: String,
    #[serde(default)]
    probes: Vec<Probe>,
}

/// The trainer's evaluation of a position, in centipawns for the side to move.
#[derive(Debug, Deserialize)]
struct Probe {
    fen: String,
    value: f64,
}

impl Probe {
    /// Fails if the net disagrees by more than rounding.
    fn check(self, net: &Net) -> Result<f64, CheckpointError> {
        let position: Position = match self.fen.parse() {
            Ok(position) => position,
            Err(cause) => return Err(CheckpointError::ProbeFen { fen: self.fen, cause }),
        };
        let found = net.evaluate(&position);
        let difference = (f64::from(found) - self.value).abs();
        if difference <= 10.0 + self.value.abs() / 20.0 {
            Ok(difference)
        } else {
            Err(CheckpointError::Probe { fen: self.fen, found, wanted: self.value })
        }
    }
}

impl Shape {
    /// Fails on the first constant that differs from this build's.
    fn check(&self) -> Result<(), CheckpointError> {
        let buckets = BUCKETS.map(Vec::from).to_vec();
        let pairs = [
            ("king buckets", format!("{:?}", self.king_buckets), format!("{buckets:?}")),
            ("a hidden layer of", self.hidden.to_string(), HIDDEN.to_string()),
            ("output layers", self.outputs.to_string(), OUTPUTS.to_string()),
            ("hidden one", self.hidden_one.to_string(), HIDDEN_ONE.to_string()),
            ("output one", self.output_one.to_string(), OUTPUT_ONE.to_string()),
            ("output limit", self.output_limit.to_string(), OUTPUT_LIMIT.to_string()),
            ("scale", self.scale.to_string(), SCALE.to_string()),
        ];
        match pairs.into_iter().find(|(_, found, wanted)| found != wanted) {
            Some((what, found, wanted)) => Err(CheckpointError::Shape { what, found, wanted }),
            None => Ok(()),
        }
    }
}

/// A net, and how many weights were clipped.
#[derive(Debug)]
pub struct Quantised {
    /// The net.
    pub net: Net,
    /// Weights that were clipped.
    pub clipped: usize,
    /// The largest difference between the net and the trainer, in centipawns, if the checkpoint has
    /// the trainer's evaluations.
    pub difference: Option<f64>,
}

/// Number of weights: inputs, bias, outputs, their biases.
const FLOATS: usize = HIDDEN * (INPUTS + 1) + OUTPUTS * (2 * HIDDEN + 1);

/// Quantises the bytes of a checkpoint.
pub fn quantise(bytes: &[u8]) -> Result<Quantised, CheckpointError> {
    let rest = bytes.strip_prefix(b"RIGACKPT").ok_or(CheckpointError::NotACheckpoint)?;
    let (length, rest) = rest.split_first_chunk().ok_or(CheckpointError::NotACheckpoint)?;
    let length = u32::from_le_bytes(*length) as usize;
    let (header, weights) = rest
        .split_at_checked(length)
        .ok_or(CheckpointError::HeaderLength { found: rest.len(), wanted: length })?;
    let shape: Shape = serde_json::from_slice(header)?;
    shape.check()?;
    if weights.len() != 4 * FLOATS {
        return Err(CheckpointError::Length { found: weights.len(), wanted: 4 * FLOATS });
    }
    let floats: Vec<f32> =
        weights.as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
    if floats.iter().any(|weight| !weight.is_finite()) {
        return Err(CheckpointError::NotANumber);
    }

    let mut clipped = 0;
    let mut round = |weight: f32, one: i32, limit: i32| {
        let rounded = (f64::from(weight) * f64::from(one)).round() as i32;
        clipped += usize::from(rounded.unsigned_abs() > limit.unsigned_abs());
        rounded.clamp(-limit, limit)
    };
    let (inputs, rest) = floats.split_at(HIDDEN * INPUTS);
    let (bias, rest) = rest.split_at(HIDDEN);
    let (outputs, biases) = rest.split_at(OUTPUTS * 2 * HIDDEN);
    let mut row = |weights: &[f32], one: i32, limit: i32| {
        let mut row = Row::ZERO;
        for (number, &weight) in row.0.iter_mut().zip(weights) {
            *number = round(weight, one, limit) as i16;
        }
        row
    };
    // An accumulator is the sum of up to 33 rows and must fit into 16 bits.
    let greatest = i32::from(i16::MAX) / 33;
    let inputs = inputs.chunks_exact(HIDDEN).map(|w| row(w, HIDDEN_ONE, greatest)).collect();
    let bias = row(bias, HIDDEN_ONE, greatest);
    let outputs = outputs
        .chunks_exact(2 * HIDDEN)
        .zip(biases)
        .map(|(weights, &bias)| {
            let (us, them) = weights.split_at(HIDDEN);
            Output {
                weights: [us, them].map(|half| row(half, OUTPUT_ONE, OUTPUT_LIMIT)),
                bias: (f64::from(bias) * f64::from(HIDDEN_ONE * HIDDEN_ONE * OUTPUT_ONE)).round()
                    as i32,
            }
        })
        .collect();
    let net = Net::new(shape.about, inputs, bias, outputs).expect("the lengths were checked");
    let mut difference = None;
    for probe in shape.probes {
        difference = Some(probe.check(&net)?.max(difference.unwrap_or(0.0)));
    }
    Ok(Quantised { net, clipped, difference })
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHAPE: &str = include_str!("../../../training/shape.json");

    fn checkpoint(shape: &str, weight: f32) -> Vec<u8> {
        let mut bytes = b"RIGACKPT".to_vec();
        bytes.extend((shape.len() as u32).to_le_bytes());
        bytes.extend(shape.as_bytes());
        bytes.extend((0..FLOATS).flat_map(|_| weight.to_le_bytes()));
        bytes
    }

    #[test]
    fn the_trainer_has_the_shape_of_this_build() {
        let shape: Shape = serde_json::from_str(SHAPE).expect("sound");
        shape.check().expect("the same constants");
    }

    #[test]
    fn weights_are_rounded_and_clipped() {
        let made = quantise(&checkpoint(SHAPE, 0.01)).expect("sound");
        assert_eq!(made.clipped, 0);
        let bytes = made.net.to_bytes();
        // 0.01 x 255 is 3 and 0.01 x 2048 is 20; the last bias is 0.01 x 255 x 255 x 2048.
        assert_eq!(&bytes[64..66], [3, 0]);
        assert_eq!(&bytes[bytes.len() - 6..], [20, 0, 0, 0x52, 0x14, 0]);
        for wild in [9.0, -1e30] {
            assert!(quantise(&checkpoint(SHAPE, wild)).expect("sound").clipped > 0);
        }
    }

    #[test]
    fn what_is_wrong_is_said() {
        let wider = SHAPE.replace("\"hidden\": ", "\"hidden\": 1");
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1";
        let probes = format!("{{\"probes\": [{{\"fen\": \"{start}\", \"value\": 50}}],");
        let probe = SHAPE.replacen('{', &probes, 1);
        for (bytes, part) in [
            (b"hello".to_vec(), "not a checkpoint"),
            (checkpoint("{", 0.0), "header"),
            (checkpoint(&wider, 0.0), "a hidden layer of 1"),
            (checkpoint(&probe, 0.0), "as 0, the trainer as 50"),
            (checkpoint(SHAPE, f32::NAN), "not a number"),
        ] {
            let error = quantise(&bytes).expect_err(part).to_string();
            assert!(error.contains(part), "{error}");
        }
    }

    #[test]
    fn a_wrong_length_is_told_with_the_one_expected() {
        let whole = checkpoint(SHAPE, 0.0);
        let header = 12 + SHAPE.len();
        let wanted = whole.len() - header;
        let weights = |found: usize| {
            format!(
                "the checkpoint has {found} bytes of weights where {wanted} are expected: {FLOATS} \
                 floats, for {INPUTS} inputs, a hidden layer of {HIDDEN} and {OUTPUTS} output layers"
            )
        };
        for (bytes, told) in [
            (whole[..header + 100].to_vec(), weights(100)),
            ([&whole[..], &[0; 4]].concat(), weights(wanted + 4)),
            (
                whole[..header - 1].to_vec(),
                format!(
                    "the file is truncated: its header has {} bytes, but only {} are there",
                    SHAPE.len(),
                    SHAPE.len() - 1
                ),
            ),
        ] {
            assert_eq!(quantise(&bytes).expect_err("another length").to_string(), told);
        }
    }
}
