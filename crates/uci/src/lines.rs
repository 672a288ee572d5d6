//! Reads lines from a stream that may contain anything: invalid UTF-8, endless lines.

use std::io::{self, BufRead, Read};

/// Enough for a game of 100,000 moves. Without a limit, a stream without line breaks would fill the
/// memory.
const LONGEST: u64 = 1 << 20;

/// The result of reading a line.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Reading {
    /// A line, with invalid UTF-8 replaced.
    Line(String),
    /// A line that was too long and has been skipped.
    TooLong,
    /// The end of the stream.
    End,
}

/// Reads a line.
pub(crate) fn read_line(input: &mut impl BufRead) -> io::Result<Reading> {
    let mut bytes = Vec::new();
    if input.take(LONGEST).read_until(b'\n', &mut bytes)? == 0 {
        return Ok(Reading::End);
    }
    if bytes.len() as u64 == LONGEST && !bytes.ends_with(b"\n") {
        input.skip_until(b'\n')?;
        return Ok(Reading::TooLong);
    }
    Ok(Reading::Line(String::from_utf8_lossy(&bytes).into_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_one_by_one_and_the_last_needs_no_break() {
        let mut input: &[u8] = b"uci\r\n\xff\xfe\nquit";
        for line in ["uci\r\n", "\u{fffd}\u{fffd}\n", "quit"] {
            assert_eq!(read_line(&mut input).ok(), Some(Reading::Line(line.to_owned())));
        }
        assert_eq!(read_line(&mut input).ok(), Some(Reading::End));
    }

    #[test]
    fn a_line_that_is_too_long_is_skipped() {
        let mut text = vec![b'x'; LONGEST as usize * 2];
        text.extend(b"\nisready\n");
        let mut input = text.as_slice();
        assert_eq!(read_line(&mut input).ok(), Some(Reading::TooLong));
        assert_eq!(read_line(&mut input).ok(), Some(Reading::Line("isready\n".to_owned())));
    }
}
