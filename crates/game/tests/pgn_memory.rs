//! Streams larger than memory are read one game at a time. Alone in its process, whose memory it
//! measures.
#![cfg(target_os = "linux")]

use std::io::{self, Read};

use game::pgn::{ReadError, Reader};

const MEGABYTE: usize = 1 << 20;

/// A text repeated up to a number of bytes.
struct Endless {
    text: &'static [u8],
    left: usize,
}

impl Read for Endless {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut written = 0;
        while written + self.text.len() <= buffer.len() && self.left > 0 {
            buffer[written..written + self.text.len()].copy_from_slice(self.text);
            written += self.text.len();
            self.left = self.left.saturating_sub(self.text.len());
        }
        Ok(written)
    }
}

/// Reads a number of bytes of a repeated text; returns the kept and the rejected games, and the
/// growth of this process's peak memory.
fn read(text: &'static [u8], len: usize) -> (usize, usize, usize) {
    let before = peak_memory();
    let (mut kept, mut lost) = (0, 0);
    for game in Reader::new(Endless { text, left: len }).games() {
        match game {
            Ok(_) => kept += 1,
            Err(ReadError::Lost(_)) => lost += 1,
            Err(ReadError::Io(error)) => panic!("no input error is expected: {error}"),
        }
    }
    (kept, lost, peak_memory() - before)
}

/// The peak memory of this process in bytes.
fn peak_memory() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").expect("Linux tells");
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).expect("Linux tells");
    let kilobytes = line.split_whitespace().nth(1).and_then(|number| number.parse().ok());
    kilobytes.map_or(0, |kilobytes: usize| kilobytes << 10)
}

#[test]
fn memory_does_not_grow_with_the_stream() {
    let text = b"[Event \"x\"]\n[White \"Tal\"]\n\n1. e4 {[%clk 0:05:00]} e5 (1... c5) 1-0\n\n";
    let (kept, lost, grown) = read(text, 50 * MEGABYTE);
    assert_eq!((kept, lost), ((50 * MEGABYTE).div_ceil(text.len()), 0));
    assert!(grown < 4 * MEGABYTE, "{grown} bytes for games");

    let text = b"[Event \"x\"]\n[White \"Tal]\n\n1. e4 & e5 2. Ke3 (2. d4) {no} d6 1-0\n\n";
    let (kept, lost, grown) = read(text, 10 * MEGABYTE);
    assert_eq!((kept, lost), ((10 * MEGABYTE).div_ceil(text.len()), 0));
    assert!(grown < 4 * MEGABYTE, "{grown} bytes for games with remarks");

    let text = b"[Variant \"Suicide\"]\n\n1. e4 e5 2. Ke3 1-0\n\n";
    let (kept, lost, grown) = read(text, 10 * MEGABYTE);
    assert_eq!((kept, lost), (0, (10 * MEGABYTE).div_ceil(text.len())));
    assert!(grown < 4 * MEGABYTE, "{grown} bytes for lost games");

    // An endless game is held until it is found too long, not longer.
    for text in [&b"1. Nf3 Nf6 2. Ng1 Ng8\n"[..], b"{ not even a line"] {
        let (kept, lost, grown) = read(text, 100 * MEGABYTE);
        assert_eq!((kept, lost), (0, 1));
        assert!(grown < 40 * MEGABYTE, "{grown} bytes for a game without end");
    }
}
