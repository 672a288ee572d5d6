//! Hostile PGN: no text takes long to read.

use std::fmt::Write;
use std::io::{self, Read};
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use game::pgn::{PgnError, ReadError, Reader, Visitor};

/// Pieces of hostile texts.
const PIECES: &[&str] = &[
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    ";",
    "%",
    "<",
    ">",
    "$",
    "\"",
    "\\",
    "*",
    ".",
    "!",
    "-",
    "+",
    "\0",
    "\u{ff}",
    "\r",
    "\n",
    " ",
    "1",
    "e",
    "O",
    "1.",
    "1. ",
    "1\n",
    "()",
    "{}",
    "[]",
    "e4",
    "e4 ",
    "e4 (",
    "( e4",
    "e4 e5 ",
    "(e4)",
    "{ ",
    "{[",
    "{[%",
    "{[%clk ",
    "{a} ",
    "{a}\n",
    "{[%clk} ",
    ";\n",
    "%\n",
    "<>",
    "$1 ",
    "!? ",
    "+",
    "+ ",
    "* ",
    "*\n",
    "*\n\n",
    "1-0 ",
    "e5 * ",
    "e4 * ",
    "e4 *\n\n",
    "e4 * {a} ",
    "e4 *\n\n{",
    "[A \"b\"] ",
    "[A \"b\"]\n",
    "[A \"b\"]\n\n",
    "[A \"b\"]\n\ne4\n\n",
    "[A \"\\\"",
    "[\"",
    "[ \"\" ",
    "[FEN \"\"]\n\n",
    "[Event \"",
    "[Event \"x\"]\n",
    "[Event \"x\"]\n\n",
    "\r\n",
    "\r[A \"b\"]",
    "{\r[A \"b\"]",
    "½",
    "½ ",
    "½-",
    "1 - ",
    "1–0 ",
    "–",
    "– ",
    "\u{a0}",
    "⩲",
    "♘",
    "☺ ",
    ",",
    "@@@@ ",
    "< ",
    "[ ",
    "[a ",
    "[a\"",
    "[a] ",
    "e4 [ ",
    "e4 [a] ",
    "[pgn]",
    "[/pgn] ",
    "[pgn ",
    "+-- ",
    "e4 e4 ",
    "e4 (Z0) ",
    "e4 (d4 --) ",
    "e4 ((d4)) ",
    "e4) ",
];

#[test]
fn a_million_of_anything_is_read_in_a_second() {
    for (start, tail) in
        [("", ""), ("[Event \"x\"]\n\n1. e4 ", " *\n"), ("e4 {\n", "}"), ("\r", "")]
    {
        for piece in PIECES {
            read_quickly(&format!("{start}{}{tail}", piece.repeat(1_000_000 / piece.len())), piece);
        }
    }
}

#[test]
fn a_million_of_different_tags_and_variations_is_read_in_a_second() {
    let mut tags = String::new();
    for i in 0..100_000 {
        writeln!(tags, "[A{i} \"b\"]").expect("a string takes any text");
    }
    read_quickly(&tags, "tags");
    read_quickly(&tags.replace('\n', " "), "tags of a line");
    read_quickly(&format!("1. e4 {}", "(d4)".repeat(250_000)), "variations of a move");
    read_quickly(&format!("1. e4 {}", "({a} d4 {b}) {c}".repeat(60_000)), "comments");
    read_quickly(&format!("1. e4 {{\n{}", "[a \"\n".repeat(200_000)), "tags in a comment");
    read_quickly(&format!("1. e4 {{ 1-0\n{}}}", "\n1. e4 1-0\n".repeat(90_000)), "results");
    read_quickly(&"1. Nf3 Nf6 2. Ng1 Ng8 ".repeat(45_000), "a long line of play");
}

fn read_quickly(text: &str, what: &str) {
    let start = busy();
    let games: Vec<_> = Reader::new(text.as_bytes()).games().flatten().collect();
    let read = busy().saturating_sub(start);
    let written: usize = games.iter().map(|game| game.to_string().len()).sum();
    let all = busy().saturating_sub(start);
    let limit = Duration::from_secs(1);
    assert!(read < limit && all < 2 * limit, "{what}: {read:?}, with writing {written} {all:?}");
}

/// CPU time of this thread, so that a busy machine fails no test. Where it isn't available, wall
/// time.
fn busy() -> Duration {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    let start = *START;
    std::fs::read_to_string("/proc/thread-self/schedstat")
        .ok()
        .and_then(|text| text.split(' ').next()?.parse().ok())
        .map_or_else(|| start.elapsed(), Duration::from_nanos)
}

/// A text repeated up to a number of bytes, and then another.
struct Endless {
    text: &'static [u8],
    left: usize,
    last: &'static [u8],
}

impl Read for Endless {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.left == 0 {
            return self.last.read(buffer);
        }
        let mut written = 0;
        while written + self.text.len() <= buffer.len() && self.left > 0 {
            buffer[written..written + self.text.len()].copy_from_slice(self.text);
            written += self.text.len();
            self.left = self.left.saturating_sub(self.text.len());
        }
        Ok(written)
    }
}

struct Nobody;

impl Visitor for Nobody {}

#[test]
fn a_game_that_is_too_long_is_reported_and_the_next_one_read() {
    let last = b"\n\n[Event \"after\"]\n\n1. d4 *\n";
    for text in [
        &b"1. Nf3 Nf6 2. Ng1 Ng8\n"[..],
        b"1. Nf3 Nf6 2. Ng1 Ng8 ",
        b"{ a comment }\n",
        b"{ an open comment\n[White \"Tal\"]\n",
        b"[A \"b\"]\n",
        b"x",
        b"\n; x",
    ] {
        let start = Instant::now();
        let mut games = Reader::new(Endless { text, left: 20 << 20, last }).games();
        let Some(Err(ReadError::Lost(damaged))) = games.next() else { panic!("{text:?}") };
        assert_eq!((damaged.game, damaged.line), (1, 1));
        assert_eq!(damaged.reason, PgnError::TooLong);
        let game = games.next().expect("another game").expect("a whole game");
        assert_eq!(game.tags.get("Event"), Some("after"), "{:?}", text.escape_ascii());
        assert!(games.next().is_none());
        assert!(start.elapsed() < Duration::from_secs(2), "{:?}", start.elapsed());
    }
}

#[test]
fn many_games_without_headers_are_not_one_long_game() {
    let source = Endless { text: b"1. e4 e5 2. Nf3 1-0\n\n", left: 20 << 20, last: b"1. d4 *" };
    let mut reader = Reader::new(source);
    while reader.read(&mut Nobody).expect("no game is too long") {}
    assert_eq!(reader.count(), (20_u64 << 20).div_ceil(21) + 1);
}
