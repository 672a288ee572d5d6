//! Quantises a trainer's checkpoint, in floating point, into a network of small integers.

use chess::{FenError, Position};
use nnue::shape::{
    BIAS_LIMIT, BUCKETS, FIRST, HIDDEN, HIDDEN_ONE, INPUTS, LAST_ONE, LIMIT, OUTPUTS, PRODUCT_ONE,
    PRODUCT_SHIFT, SCALE, SECOND, SECOND_BITS, UNIT_ONE,
};
use nnue::{Input, Net, Row, Weights};
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
         for {INPUTS} inputs, a hidden layer of {HIDDEN} and {OUTPUTS} times {FIRST} and {SECOND} \
         units"
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
    first: usize,
    second: usize,
    outputs: usize,
    hidden_one: i32,
    product_shift: u32,
    first_one: i32,
    second_one: i32,
    last_one: i32,
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

/// How far the net may be from the trainer's evaluation, beyond a fiftieth of it, in centipawns. Of
/// the 64 positions of a checkpoint, one is usually 4 to 6 off, and was 10 with two good networks.
const ROUNDING: f64 = 20.0;

impl Probe {
    /// Fails if the net disagrees by more than rounding.
    fn check(self, net: &Net) -> Result<f64, CheckpointError> {
        let position: Position = match self.fen.parse() {
            Ok(position) => position,
            Err(cause) => return Err(CheckpointError::ProbeFen { fen: self.fen, cause }),
        };
        let found = net.evaluate(&position);
        let difference = (f64::from(found) - self.value).abs();
        if difference <= ROUNDING + self.value.abs() / 50.0 {
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
            ("a first layer of", self.first.to_string(), FIRST.to_string()),
            ("a second layer of", self.second.to_string(), SECOND.to_string()),
            ("output layers", self.outputs.to_string(), OUTPUTS.to_string()),
            ("hidden one", self.hidden_one.to_string(), HIDDEN_ONE.to_string()),
            ("product shift", self.product_shift.to_string(), PRODUCT_SHIFT.to_string()),
            ("first one", self.first_one.to_string(), UNIT_ONE.to_string()),
            ("second one", self.second_one.to_string(), (1 << SECOND_BITS).to_string()),
            ("last one", self.last_one.to_string(), LAST_ONE.to_string()),
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

/// Number of weights: inputs, their bias, and those of the layers with theirs.
const FLOATS: usize = HIDDEN * (INPUTS + 1)
    + OUTPUTS * (FIRST * (HIDDEN + 1) + SECOND * (2 * FIRST + 1) + SECOND + 1);

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

    let mut round = Rounding { clipped: 0 };
    let mut rest = &floats[..];
    let mut take = |count: usize| rest.split_off(..count).expect("the length was checked");
    let mut number = |w: f32, limit: i32| round.number(w, HIDDEN_ONE.into(), limit);
    let weights = take(HIDDEN * INPUTS).as_chunks().0.iter();
    let inputs =
        weights.map(|row| Input(row.map(|w: f32| number(w, i8::MAX.into()) as i8))).collect();
    // An accumulator is the sum of its bias and up to 32 inputs, and must fit into 16 bits.
    let greatest = i32::from(i16::MAX) - 32 * i32::from(i8::MAX);
    let bias = take(HIDDEN).first_chunk().expect("as many as a row has");
    let bias = Row(bias.map(|w: f32| number(w, greatest) as i16));
    let layers = round.layers(take);
    let net = Net::new(shape.about, inputs, bias, &layers).expect("weights are clipped");
    let mut difference = None;
    for probe in shape.probes {
        difference = Some(probe.check(&net)?.max(difference.unwrap_or(0.0)));
    }
    Ok(Quantised { net, clipped: round.clipped, difference })
}

/// Rounds weights to integers and counts those that are too great.
struct Rounding {
    clipped: usize,
}

impl Rounding {
    /// A weight as an integer, given the value of 1.0 and the greatest integer.
    fn number(&mut self, weight: f32, one: f64, limit: i32) -> i32 {
        let rounded = (f64::from(weight) * one).round() as i32;
        self.clipped += usize::from(rounded.unsigned_abs() > limit.unsigned_abs());
        rounded.clamp(-limit, limit)
    }

    /// The sets of layers. `take` gives the next weights of the checkpoint, which has all sets of a
    /// layer in one place.
    fn layers<'a>(&mut self, mut take: impl FnMut(usize) -> &'a [f32]) -> Vec<Weights> {
        let unit = f64::from(UNIT_ONE);
        let [second, last] = [1 << SECOND_BITS, LAST_ONE].map(f64::from);
        let mut sets = vec![Weights::default(); OUTPUTS];
        let mut each = |count: usize, one: f64, limit: i32| -> Vec<Vec<i32>> {
            let sets = take(OUTPUTS * count).chunks_exact(count);
            sets.map(|set| set.iter().map(|&w| self.number(w, one, limit)).collect()).collect()
        };
        let firsts = each(FIRST * HIDDEN, unit / PRODUCT_ONE, i8::MAX.into());
        let first_biases = each(FIRST, unit, BIAS_LIMIT);
        let seconds = each(SECOND * 2 * FIRST, second, LIMIT);
        let second_biases = each(SECOND, unit * second, BIAS_LIMIT);
        let lasts = each(SECOND, last, LIMIT);
        let last_biases = each(1, unit * last, BIAS_LIMIT);
        for (number, set) in sets.iter_mut().enumerate() {
            let short = |weights: &[i32]| weights.iter().map(|&weight| weight as i16).collect();
            set.first = firsts[number].iter().map(|&weight| weight as i8).collect();
            set.first_bias.clone_from(&first_biases[number]);
            set.second = short(&seconds[number]);
            set.second_bias.clone_from(&second_biases[number]);
            set.last = short(&lasts[number]);
            set.last_bias = last_biases[number][0];
        }
        sets
    }
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
        // 0.01 x 255 is 3 and 0.01 x 1024 is 10; the last bias is 0.01 x 8192 x 1024.
        assert_eq!(&bytes[64..66], [3, 3]);
        assert_eq!(&bytes[bytes.len() - 6..], [10, 0, 0xae, 0x47, 1, 0]);
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
            (checkpoint(&wider, 0.0), "a hidden layer of 11024"),
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
                 floats, for {INPUTS} inputs, a hidden layer of {HIDDEN} and {OUTPUTS} times {FIRST} \
                 and {SECOND} units"
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
