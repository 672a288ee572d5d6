//! CRC-32, as computed by zlib, PNG and Python's `zlib.crc32`.

/// The effect of each byte on the checksum, eight bytes deep: `TABLES[k][b]` is byte `b` followed
/// by `k` zero bytes. Eight independent lookups are faster than eight dependent ones.
static TABLES: [[u32; 256]; 8] = {
    let mut tables = [[0; 256]; 8];
    let mut byte = 0;
    while byte < 256 {
        let mut crc = byte as u32;
        let mut bit = 0;
        while bit < 8 {
            crc = if crc & 1 == 1 { crc >> 1 ^ 0xEDB8_8320 } else { crc >> 1 };
            bit += 1;
        }
        tables[0][byte] = crc;
        byte += 1;
    }
    let mut depth = 1;
    while depth < 8 {
        let mut byte = 0;
        while byte < 256 {
            let before = tables[depth - 1][byte];
            tables[depth][byte] = before >> 8 ^ tables[0][(before & 0xFF) as usize];
            byte += 1;
        }
        depth += 1;
    }
    tables
};

/// The checksum of some bytes.
pub fn crc32(bytes: &[u8]) -> u32 {
    let mut crc = !0u32;
    let (eights, rest) = bytes.as_chunks::<8>();
    for eight in eights {
        let word = u64::from_le_bytes(*eight) ^ u64::from(crc);
        crc = (0..8).fold(0, |sum, i| {
            let byte = (word >> (8 * i)) as usize & 0xFF;
            sum ^ TABLES[7 - i][byte]
        });
    }
    for &byte in rest {
        crc = crc >> 8 ^ TABLES[0][(crc as u8 ^ byte) as usize];
    }
    !crc
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_is_the_common_one() {
        // The standard check value, and texts of known checksum.
        assert_eq!(crc32(b"123456789"), 0xCBF4_3926);
        assert_eq!(crc32(b""), 0);
        assert_eq!(crc32(b"The quick brown fox jumps over the lazy dog"), 0x414F_A339);
    }
}
