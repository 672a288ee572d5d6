//! Numbers in bytes: variable length, fixed width in bits, and a cursor that never reads too far.

use crate::error::Damage;

/// Appends a number, seven bits a byte, low bits first.
pub(crate) fn put_varint(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Appends a text with its length.
pub(crate) fn put_text(out: &mut Vec<u8>, text: &[u8]) {
    put_varint(out, text.len() as u64);
    out.extend_from_slice(text);
}

/// Maps signed numbers to unsigned ones, small to small.
pub(crate) const fn zigzag(number: i64) -> u64 {
    (number << 1 ^ number >> 63) as u64
}

/// The inverse of [`zigzag`].
pub(crate) const fn unzigzag(number: u64) -> i64 {
    (number >> 1) as i64 ^ -((number & 1) as i64)
}

/// Reads from bytes; what isn't there is [`Damage`].
#[derive(Copy, Clone, Debug)]
pub(crate) struct Cursor<'a>(pub(crate) &'a [u8]);

const CUT: Damage = Damage("a page ends too early");

impl<'a> Cursor<'a> {
    pub(crate) const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn byte(&mut self) -> Result<u8, Damage> {
        let (&first, rest) = self.0.split_first().ok_or(CUT)?;
        self.0 = rest;
        Ok(first)
    }

    pub(crate) fn take(&mut self, len: usize) -> Result<&'a [u8], Damage> {
        let (taken, rest) = self.0.split_at_checked(len).ok_or(CUT)?;
        self.0 = rest;
        Ok(taken)
    }

    /// A little-endian number of a few bytes.
    pub(crate) fn fixed(&mut self, len: usize) -> Result<u64, Damage> {
        let bytes = self.take(len)?;
        Ok(bytes.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte)))
    }

    pub(crate) fn varint(&mut self) -> Result<u64, Damage> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7F) << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err(Damage("a number is too long"))
    }

    /// A number that must not exceed a limit.
    pub(crate) fn at_most(&mut self, limit: usize) -> Result<usize, Damage> {
        match self.varint()? {
            number if number <= limit as u64 => Ok(number as usize),
            _ => Err(Damage("a number is out of range")),
        }
    }

    /// A text written by [`put_text`].
    pub(crate) fn text(&mut self) -> Result<&'a [u8], Damage> {
        let len = self.at_most(self.0.len())?;
        self.take(len)
    }

    /// A text written by [`put_text`], in UTF-8.
    pub(crate) fn utf8(&mut self) -> Result<&'a str, Damage> {
        std::str::from_utf8(self.text()?).map_err(|_| Damage("a text is not UTF-8"))
    }
}

/// Packs numbers of the same width, at most 56 bits.
#[derive(Debug, Default)]
pub(crate) struct BitWriter {
    pub(crate) bytes: Vec<u8>,
    pending: u64,
    bits: u32,
}

impl BitWriter {
    pub(crate) fn push(&mut self, number: u64, width: u32) {
        self.pending |= number << self.bits;
        self.bits += width;
        while self.bits >= 8 {
            self.bytes.push(self.pending as u8);
            self.pending >>= 8;
            self.bits -= 8;
        }
    }

    /// Fills the last byte.
    pub(crate) fn finish(&mut self) {
        if self.bits > 0 {
            self.bytes.push(self.pending as u8);
        }
        (self.pending, self.bits) = (0, 0);
    }
}

/// The number at an index of what a [`BitWriter`] wrote with one width.
pub(crate) fn packed(bytes: &[u8], index: usize, width: u32) -> Option<u64> {
    let bit = index * width as usize;
    let end = (bit + width as usize).div_ceil(8);
    let part = bytes.get(bit / 8..end)?;
    let number = part.iter().rev().fold(0_u64, |number, &byte| number << 8 | u64::from(byte));
    Some(number >> (bit % 8) & ((1 << width) - 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn numbers_come_back(numbers: Vec<u64>, signed: i64, width in 1_u32..=56) {
            let mut bytes = Vec::new();
            for &number in &numbers {
                put_varint(&mut bytes, number);
            }
            let mut cursor = Cursor(&bytes);
            for &number in &numbers {
                prop_assert_eq!(cursor.varint(), Ok(number));
            }
            prop_assert!(cursor.is_empty());
            prop_assert_eq!(unzigzag(zigzag(signed)), signed);
            let mut bits = BitWriter::default();
            let mask = (1 << width) - 1;
            for &number in &numbers {
                bits.push(number & mask, width);
            }
            bits.finish();
            for (i, &number) in numbers.iter().enumerate() {
                prop_assert_eq!(packed(&bits.bytes, i, width), Some(number & mask));
            }
        }
    }

    #[test]
    fn what_is_cut_off_is_damage() {
        assert_eq!(Cursor(&[0x80]).varint(), Err(CUT));
        assert_eq!(Cursor(&[0xFF; 12]).varint(), Err(Damage("a number is too long")));
        assert_eq!(Cursor(&[5, b'a']).text(), Err(Damage("a number is out of range")));
        assert_eq!(Cursor(&[1, 0xFF]).utf8(), Err(Damage("a text is not UTF-8")));
        assert_eq!(packed(&[0; 3], 1, 20), None);
    }
}
