//! A network as a file. `docs/nnue.md` describes every byte.

use crate::crc::crc32;
use crate::layers::Weights;
use crate::net::{Input, Net, Row};
use crate::shape::{
    BUCKETS, FIRST, HIDDEN, HIDDEN_ONE, INPUTS, KING_BUCKETS, OUTPUTS, SCALE, SECOND,
};

/// The first bytes of every file.
const MAGIC: [u8; 8] = *b"RIGANNUE";
/// The version of the format.
const VERSION: u16 = 3;
/// Bytes before the description.
const HEADER: usize = 64;
/// Bytes of all weights.
const WEIGHTS: usize = HIDDEN * (INPUTS + 2) + OUTPUTS * LAYERS;
/// Bytes of one set of layers.
const LAYERS: usize = FIRST * (HIDDEN + 4) + SECOND * (4 * FIRST + 4 + 2) + 4;
/// The longest description.
const LONGEST_ABOUT: usize = 4096;

/// Why a file is not a network that this build can use.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NetError {
    /// Not a network.
    #[error("not a Riga network: it doesn't start with RIGANNUE")]
    NotANet,
    /// Another version of the format.
    #[error("the file has format version {0}, this build needs version {VERSION}")]
    Version(u16),
    /// Another shape.
    #[error("the network has {what} {found}, this build needs {wanted}")]
    Shape {
        /// The constant that differs.
        what: &'static str,
        /// The file's value.
        found: String,
        /// This build's value.
        wanted: String,
    },
    /// Too few or too many bytes.
    #[error("the file has {found} bytes instead of {wanted}")]
    Length {
        /// The actual size.
        found: usize,
        /// The expected size.
        wanted: usize,
    },
    /// The checksum is wrong.
    #[error("the file is damaged: its checksum is wrong")]
    Damaged,
    /// A weight is out of range.
    #[error("a weight of the layers after the first is {0}, beyond what their sums allow")]
    Weight(i32),
    /// The description is invalid.
    #[error("the description is not UTF-8, or longer than {LONGEST_ABOUT} bytes")]
    About,
}

/// The constants of the shape in the header, with their names.
const SHAPE: [(&str, u32); 8] = [
    ("king buckets", KING_BUCKETS as u32),
    ("hidden layer of", HIDDEN as u32),
    ("a first layer of", FIRST as u32),
    ("a second layer of", SECOND as u32),
    ("output layers", OUTPUTS as u32),
    ("hidden one", HIDDEN_ONE as u32),
    ("scale", SCALE as u32),
    // Products of pairs, then clipped and squared units.
    ("activation", 2),
];

/// Two bits are enough for a bucket today; four leave room.
fn bucket_map() -> [u8; 16] {
    let mut map = [0; 16];
    for (byte, pair) in map.iter_mut().zip(BUCKETS.as_flattened().chunks(2)) {
        *byte = pair[0] | pair[1] << 4;
    }
    map
}

impl Net {
    /// Parses a network from the bytes of a file.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, NetError> {
        let (header, rest) = bytes.split_at_checked(HEADER).ok_or(NetError::NotANet)?;
        let half = |at: usize| u16::from_le_bytes([header[at], header[at + 1]]);
        if header[..8] != MAGIC {
            return Err(NetError::NotANet);
        }
        if half(8) != VERSION {
            return Err(NetError::Version(half(8)));
        }
        let about = usize::from(half(10));
        for (number, (what, wanted)) in SHAPE.into_iter().enumerate() {
            let found = u32::from(half(12 + 2 * number));
            if found != wanted {
                let (found, wanted) = (found.to_string(), wanted.to_string());
                return Err(NetError::Shape { what, found, wanted });
            }
        }
        if header[32..48] != bucket_map() {
            let show = |map: &[u8]| format!("{map:02x?}");
            let (found, wanted) = (show(&header[32..48]), show(&bucket_map()));
            return Err(NetError::Shape { what: "the map of king buckets", found, wanted });
        }
        let wanted = HEADER + about + WEIGHTS;
        if bytes.len() != wanted {
            return Err(NetError::Length { found: bytes.len(), wanted });
        }
        if crc32(rest).to_le_bytes() != header[60..64] {
            return Err(NetError::Damaged);
        }
        let (about, weights) = rest.split_at(about);
        let about = std::str::from_utf8(about).ok().filter(|about| about.len() <= LONGEST_ABOUT);
        read_weights(about.ok_or(NetError::About)?.to_owned(), weights)
    }

    /// The checksum of its file, which identifies it.
    pub fn checksum(&self) -> u32 {
        crc32(&self.to_bytes()[HEADER..])
    }

    /// The network as the bytes of a file; a description that is too long is truncated.
    pub fn to_bytes(&self) -> Vec<u8> {
        let about = &self.about[..self.about.floor_char_boundary(LONGEST_ABOUT)];
        let mut bytes = Vec::with_capacity(HEADER + about.len() + WEIGHTS);
        bytes.extend(MAGIC);
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend((about.len() as u16).to_le_bytes());
        for (_, constant) in SHAPE {
            bytes.extend((constant as u16).to_le_bytes());
        }
        bytes.resize(32, 0);
        bytes.extend(bucket_map());
        bytes.resize(HEADER, 0);
        bytes.extend(about.as_bytes());
        for input in &self.inputs {
            bytes.extend(input.0.map(i8::cast_unsigned));
        }
        bytes.extend(self.bias.0.into_iter().flat_map(i16::to_le_bytes));
        for layers in &self.layers {
            let weights = layers.weights();
            bytes.extend(weights.first.into_iter().flat_map(i8::to_le_bytes));
            bytes.extend(weights.first_bias.into_iter().flat_map(i32::to_le_bytes));
            bytes.extend(weights.second.into_iter().flat_map(i16::to_le_bytes));
            bytes.extend(weights.second_bias.into_iter().flat_map(i32::to_le_bytes));
            bytes.extend(weights.last.into_iter().flat_map(i16::to_le_bytes));
            bytes.extend(weights.last_bias.to_le_bytes());
        }
        let crc = crc32(&bytes[HEADER..]);
        bytes[60..64].copy_from_slice(&crc.to_le_bytes());
        bytes
    }
}

/// Reads as many weights as a network has.
fn read_weights(about: String, weights: &[u8]) -> Result<Net, NetError> {
    let (inputs, rest) = weights.split_at(HIDDEN * INPUTS);
    let inputs =
        inputs.as_chunks().0.iter().map(|bytes| Input(bytes.map(u8::cast_signed))).collect();
    let (bias, layers) = rest.split_at(2 * HIDDEN);
    let bias = read_row(bias);
    let layers: Vec<Weights> = layers.chunks_exact(LAYERS).map(read_layers).collect();
    Net::new(about, inputs, bias, &layers).map_err(NetError::Weight)
}

fn read_row(bytes: &[u8]) -> Row {
    let mut row = Row::ZERO;
    for (weight, bytes) in row.0.iter_mut().zip(bytes.as_chunks().0) {
        *weight = i16::from_le_bytes(*bytes);
    }
    row
}

/// Reads one set of layers.
fn read_layers(bytes: &[u8]) -> Weights {
    let mut rest = bytes;
    let mut next = |count: usize| rest.split_off(..count).expect("as many bytes as layers have");
    let wide = |bytes: &[u8]| bytes.as_chunks().0.iter().map(|b| i32::from_le_bytes(*b)).collect();
    let short = |bytes: &[u8]| bytes.as_chunks().0.iter().map(|b| i16::from_le_bytes(*b)).collect();
    Weights {
        first: next(FIRST * HIDDEN).iter().map(|byte| byte.cast_signed()).collect(),
        first_bias: wide(next(4 * FIRST)),
        second: short(next(2 * SECOND * 2 * FIRST)),
        second_bias: wide(next(4 * SECOND)),
        last: short(next(2 * SECOND)),
        last_bias: i32::from_le_bytes(*next(4).first_chunk().expect("four bytes")),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::shape::{BIAS_LIMIT, LIMIT};
    use crate::testing::random_net;

    #[test]
    fn a_net_survives_the_way_to_disk_and_back() {
        let net = random_net(1);
        assert_eq!(Net::from_bytes(&net.to_bytes()), Ok(net));
    }

    #[test]
    fn a_damaged_net_is_refused() {
        let good = random_net(2).to_bytes();
        let with = |at: usize, byte: u8| {
            let mut bad = good.clone();
            bad[at] ^= byte;
            Net::from_bytes(&bad)
        };
        assert_eq!(Net::from_bytes(&good[..30]), Err(NetError::NotANet));
        assert_eq!(with(0, 1), Err(NetError::NotANet));
        assert_eq!(with(8, 1), Err(NetError::Version(2)));
        assert_eq!(with(good.len() - 1, 1), Err(NetError::Damaged));
        assert_eq!(with(good.len() / 2, 128), Err(NetError::Damaged));
        let (found, wanted) = (good.len() - 1, good.len());
        assert_eq!(Net::from_bytes(&good[..found]), Err(NetError::Length { found, wanted }));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]

        /// A changed bit is detected, or it is in unused bytes.
        #[test]
        fn a_changed_bit_changes_no_net(at in any::<prop::sample::Index>(), bit in 0..8_u8, header: bool) {
            let net = random_net(4);
            let mut bytes = net.to_bytes();
            let at = at.index(if header { HEADER } else { bytes.len() });
            bytes[at] ^= 1_u8 << bit;
            if let Ok(read) = Net::from_bytes(&bytes) {
                prop_assert_eq!(read, net);
            }
        }

        /// Whatever follows a valid header, and whatever its length.
        #[test]
        fn noise_is_refused(noise in prop::collection::vec(any::<u8>(), 0..200), keep in 0..=HEADER) {
            let mut bytes = random_net(4).to_bytes();
            bytes.truncate(keep);
            bytes.extend(noise);
            prop_assert!(Net::from_bytes(&bytes).is_err());
        }
    }

    #[test]
    fn the_greatest_weights_are_computed_without_a_panic_and_greater_ones_refused() {
        let wild = Row([i16::MAX; HIDDEN]);
        let with = |weight: i16, bias: i32| {
            let weights = Weights {
                first: vec![i8::MIN; FIRST * HIDDEN],
                first_bias: vec![bias; FIRST],
                second: vec![weight; SECOND * 2 * FIRST],
                second_bias: vec![bias; SECOND],
                last: vec![weight; SECOND],
                last_bias: bias,
            };
            let inputs = vec![Input([i8::MAX; HIDDEN]); INPUTS];
            Net::new(String::new(), inputs.into(), wild.clone(), &vec![weights; OUTPUTS])
        };
        let net = with(LIMIT as i16, BIAS_LIMIT).expect("within the limits");
        let read = Net::from_bytes(&net.to_bytes()).expect("sound bytes");
        read.evaluate(&chess::Position::default());
        assert_eq!(with(LIMIT as i16 + 1, 0), Err(LIMIT + 1));
        assert_eq!(with(0, i32::MIN), Err(i32::MIN));
    }

    #[test]
    fn another_shape_is_named() {
        let mut bytes = random_net(3).to_bytes();
        bytes[14] ^= 1;
        let error = Net::from_bytes(&bytes).expect_err("another hidden layer");
        let wanted =
            format!("the network has hidden layer of {}, this build needs {HIDDEN}", HIDDEN ^ 1);
        assert_eq!(error.to_string(), wanted);
        let mut bytes = random_net(3).to_bytes();
        bytes[40] ^= 1;
        assert!(Net::from_bytes(&bytes).expect_err("another map").to_string().contains("map"));
    }
}
