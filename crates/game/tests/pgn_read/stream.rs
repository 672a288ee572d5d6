//! A stream gives the same games regardless of chunks and line breaks.

use std::io::{self, Read};

use game::pgn::{ReadError, Reader};

use crate::read;

#[test]
fn line_breaks_may_be_those_of_any_system() {
    let text = "[Event \"x\"]\n[White \"Tal\"]\n\n% 1. c4\n1. e4 {two\nlines} ; rest\ne5 1-0\n\n\
                [Event \"y\"]\n\n1. e5 *\n\n[Event \"z\"]\n\n1. d4 *\n";
    let expected = read(text.as_bytes());
    assert_eq!(expected.len(), 3);
    let Ok((_, remarks)) = &expected[1] else { panic!("its tags can be kept") };
    assert_eq!((remarks.len(), remarks[0].line), (1, 11));
    for line_break in ["\r\n", "\r"] {
        assert_eq!(read(text.replace('\n', line_break).as_bytes()), expected, "{line_break:?}");
    }
}

/// A source that returns a few bytes at a time, with interruptions.
struct Trickle<'a> {
    rest: &'a [u8],
    piece: usize,
    interrupted: bool,
}

impl Read for Trickle<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.interrupted = !self.interrupted;
        if self.interrupted {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let len = self.piece.min(buffer.len());
        self.rest.read(&mut buffer[..len])
    }
}

#[test]
fn a_late_first_line_break_is_seen_the_same_in_any_pieces() {
    for blanks in [4_094, 4_095, 4_096, 4_097, 5_000] {
        let text = format!("{}\r\r1. e5 *\r", " ".repeat(blanks));
        let trickle = Trickle { rest: text.as_bytes(), piece: 1, interrupted: false };
        assert_eq!(read(trickle), read(text.as_bytes()), "{blanks}");
    }
}

#[test]
fn it_does_not_matter_in_which_pieces_a_stream_comes() {
    let text = "\u{feff}[Event \"x\"]\n[Site \"y\"]\n\n1. e4 {a} e5 (1... c5) 1-0\n\n1. d4 1-0\n\n\
                [Event \"y\"]\n\n1. e5 *\n\n[Event \"z\"]\n\n1. e4 {\n[White \"?\"]\n} *\n";
    for line_break in ["\n", "\r\n", "\r"] {
        let text = text.replace('\n', line_break);
        let expected = read(text.as_bytes());
        assert_eq!(expected.len(), 4);
        for piece in [1, 2, 3, 7] {
            let source = Trickle { rest: text.as_bytes(), piece, interrupted: false };
            assert_eq!(read(source), expected, "{piece} bytes, {line_break:?}");
        }
    }
}

/// A source that ends with an error.
struct Broken<'a>(&'a [u8]);

impl Read for Broken<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.0.read(buffer)? {
            0 => Err(io::ErrorKind::ConnectionReset.into()),
            len => Ok(len),
        }
    }
}

#[test]
fn an_input_error_is_passed_on_and_ends_the_games() {
    let mut games =
        Reader::new(Broken(b"[Event \"x\"]\n\n1. e4 *\n\n[Event \"y\"]\n\n1. d")).games();
    assert!(games.next().is_some_and(|game| game.is_ok()));
    let Some(Err(ReadError::Io(error))) = games.next() else { panic!("the error is passed on") };
    assert_eq!(error.kind(), io::ErrorKind::ConnectionReset);
    assert!(games.next().is_none());
    assert!(games.next().is_none());
}
