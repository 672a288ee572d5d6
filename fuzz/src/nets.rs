//! Network files: whatever the bytes, a network that loads can be evaluated and written again.

use std::sync::LazyLock;

use chess::Position;
use nnue::Net;

/// Offset of the checksum of the bytes after the header.
const CHECKSUM: std::ops::Range<usize> = 60..64;
const HEADER: usize = 64;

/// Reads the bytes as they are, and written over a valid network whose checksum is corrected, so
/// that the code after the checksum is reached, too. The first byte selects the offset.
pub fn net(data: &[u8]) {
    read(data);
    let Some((&place, patch)) = data.split_first() else { return };
    let mut bytes = SOUND.clone();
    let room = bytes.len() - patch.len().min(bytes.len());
    let start = room * usize::from(place) / 255;
    for (byte, patch) in bytes[start..].iter_mut().zip(patch) {
        *byte = *patch;
    }
    let checksum = crc32(&bytes[HEADER..]).to_le_bytes();
    bytes[CHECKSUM].copy_from_slice(&checksum);
    read(&bytes);
}

static SOUND: LazyLock<Vec<u8>> = LazyLock::new(|| engine::embedded_net().to_bytes());

fn read(bytes: &[u8]) {
    match Net::from_bytes(bytes) {
        Ok(net) => {
            net.evaluate(&Position::default());
            assert_eq!(Net::from_bytes(&net.to_bytes()), Ok(net));
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// CRC-32 of IEEE 802.3, a byte at a time.
fn crc32(bytes: &[u8]) -> u32 {
    static TABLE: LazyLock<[u32; 256]> = LazyLock::new(|| {
        std::array::from_fn(|byte| {
            (0..8).fold(byte as u32, |crc, _| (crc >> 1) ^ (0xEDB8_8320 * (crc & 1)))
        })
    });
    !bytes.iter().fold(!0, |crc: u32, &byte| (crc >> 8) ^ TABLE[usize::from(crc as u8 ^ byte)])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Otherwise nothing after the checksum would ever be reached.
    #[test]
    fn the_checksum_is_the_one_of_the_format() {
        assert_eq!(crc32(b"123456789"), 0xCBF4_3926);
        assert_eq!(crc32(&SOUND[HEADER..]).to_le_bytes(), SOUND[CHECKSUM]);
    }
}
