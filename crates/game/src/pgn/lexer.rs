//! The text of one game, cut into tokens.

use std::borrow::Cow;

use chess::{FenError, SanError};
use memchr::{memchr, memchr2, memrchr};

use crate::{GameResult, Nag};

/// Variations inside variations are read to this depth.
pub(super) const MAX_DEPTH: usize = 256;

/// A game has at most so many moves, variations included. A text of a few megabytes would else
/// become a tree of a gigabyte.
pub(super) const MAX_MOVES: usize = 200_000;

/// What some programs write at the start of a file.
pub(super) const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// A game may have so many tags. Setting one looks at all others, which must not take for ever.
pub(super) const MAX_TAGS: usize = 1000;

/// What is wrong with a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PgnError {
    /// A tag is not `[Name "value"]`.
    #[error("this is not a tag of the form [Name \"value\"]")]
    Tag,
    /// A header without end.
    #[error("there are more than {MAX_TAGS} tags")]
    TooManyTags,
    /// The start position is not legal.
    #[error("the FEN tag is wrong: {0}")]
    Fen(#[from] FenError),
    /// The rules are not those of chess.
    #[error("the variant {0} is not supported")]
    Variant(String),
    /// A move can't be played.
    #[error("{number}{} {text}: {reason}", if *.black { "..." } else { "." })]
    Move {
        /// The number of the move.
        number: u16,
        /// Whether it is Black's.
        black: bool,
        /// What is written.
        text: String,
        /// What is wrong with it.
        reason: SanError,
    },
    /// A side passes, which chess doesn't allow.
    #[error("{0} is a null move, which is not a legal move")]
    NullMove(String),
    /// Something that is neither move nor comment.
    #[error("`{0}` is neither a move nor a comment")]
    Unexpected(String),
    /// A `{` without its `}`.
    #[error("a comment is not closed")]
    OpenComment,
    /// A `(` without its `)`.
    #[error("a variation is not closed")]
    OpenVariation,
    /// A `)` without its `(`.
    #[error("a variation is closed that was not opened")]
    StrayClose,
    /// A variation where no move has been played.
    #[error("a variation comes before any move")]
    NoMoveToVary,
    /// Too many variations inside each other.
    #[error("variations are nested more than {MAX_DEPTH} deep")]
    TooDeep,
    /// More moves than a game can have.
    #[error("the game has more than {MAX_MOVES} moves")]
    TooManyMoves,
    /// More text than a game can have.
    #[error("the game is longer than {} MB", super::reader::LONGEST >> 20)]
    TooLong,
}

/// A piece of the text of a game.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Token<'a> {
    Tag { name: &'a [u8], value: &'a [u8] },
    Move(&'a [u8]),
    Comment(&'a [u8]),
    Nag(Nag),
    Open,
    Close,
    Result(GameResult),
}

/// Bytes that end a move.
const BREAKS: [bool; 256] = {
    let mut table = [false; 256];
    let mut i = 0;
    while i < 256 {
        table[i] = i <= 32;
        i += 1;
    }
    let stops = b"{}()[];$!?*.<>\"";
    let mut i = 0;
    while i < stops.len() {
        table[stops[i] as usize] = true;
        i += 1;
    }
    table
};

/// Cuts the text of a game, from its first tag on.
#[derive(Clone)]
pub(super) struct Lexer<'a> {
    text: &'a [u8],
    at: usize,
    /// Whether tags may still come.
    in_tags: bool,
}

impl<'a> Lexer<'a> {
    pub(super) const fn new(text: &'a [u8]) -> Self {
        Self { text, at: 0, in_tags: true }
    }

    /// How far the text has been read.
    pub(super) const fn at(&self) -> usize {
        self.at
    }

    /// Passes over the rest of a damaged game, `depth` variations deep: to its result, or to the
    /// end of the text if there is none or more can't be read.
    pub(super) fn skip_game(&mut self, mut depth: usize) {
        while !self.in_tags {
            match self.next() {
                Ok(Some(Token::Result(_))) if depth == 0 => return,
                Ok(Some(Token::Open)) => depth += 1,
                Ok(Some(Token::Close)) => depth = depth.saturating_sub(1),
                Ok(Some(_)) => {}
                Ok(None) | Err(_) => break,
            }
        }
        self.at = self.text.len();
    }

    fn rest(&self) -> &'a [u8] {
        &self.text[self.at..]
    }

    /// The next token, or `None` at the end of the text.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "worth a fifth of the reading speed")]
    pub(super) fn next(&mut self) -> Result<Option<Token<'a>>, PgnError> {
        loop {
            self.skip_blanks();
            let Some(&first) = self.text.get(self.at) else { return Ok(None) };
            match first {
                b'a'..=b'z' | b'A'..=b'Z' => {
                    self.in_tags = false;
                    if let Some(token) = self.word()? {
                        return Ok(Some(token));
                    }
                }
                b'0'..=b'9' => {
                    self.in_tags = false;
                    if let Some(token) = self.number_or_word()? {
                        return Ok(Some(token));
                    }
                }
                b'{' => {
                    let len = memchr(b'}', self.rest()).ok_or(PgnError::OpenComment)?;
                    return Ok(Some(Token::Comment(self.cut(len, 1))));
                }
                b';' => {
                    let len = memchr2(b'\n', b'\r', self.rest()).unwrap_or(self.rest().len());
                    return Ok(Some(Token::Comment(self.cut(len, 0))));
                }
                // An escaped line: for programs only, to be passed over.
                b'%' if self.at_line_start() => self.skip_line(),
                b'[' if self.in_tags => return self.tag().map(Some),
                // Reserved for expansion by the standard.
                b'<' => {
                    let len = memchr(b'>', self.rest());
                    self.at += len.ok_or_else(|| self.unexpected())? + 1;
                }
                // A byte order mark: another file begins.
                0xEF if self.rest().starts_with(BYTE_ORDER_MARK) => {
                    self.at += BYTE_ORDER_MARK.len();
                }
                _ => {
                    self.in_tags = false;
                    if let Some(token) = self.sign()? {
                        return Ok(Some(token));
                    }
                }
            }
        }
    }

    /// Passes over white space and the numbers of moves, of which most of a game consists.
    #[inline]
    fn skip_blanks(&mut self) {
        while let Some(&c) = self.text.get(self.at) {
            if c <= b' ' || c == b'.' {
                self.at += 1;
            } else if c.is_ascii_digit() {
                let digits = self.rest().iter().take_while(|c| c.is_ascii_digit()).count();
                if self.rest().get(digits) != Some(&b'.') {
                    return;
                }
                self.in_tags = false;
                self.at += digits + 1;
            } else {
                return;
            }
        }
    }

    /// Takes what is between the byte here and one `len` bytes on.
    fn cut(&mut self, len: usize, closing: usize) -> &'a [u8] {
        let inner = &self.text[self.at + 1..self.at + len];
        self.at += len + closing;
        inner
    }

    fn at_line_start(&self) -> bool {
        self.at == 0 || matches!(self.text[self.at - 1], b'\n' | b'\r')
    }

    fn skip_line(&mut self) {
        self.at += memchr2(b'\n', b'\r', self.rest()).unwrap_or(self.rest().len());
    }

    /// `[Name "value"]`. A quote inside the value may be escaped; see [`tag_end`] for one that
    /// is not.
    fn tag(&mut self) -> Result<Token<'a>, PgnError> {
        let line_len = memchr2(b'\n', b'\r', self.rest()).unwrap_or(self.rest().len());
        let line = self.rest()[1..line_len].trim_ascii_start();
        let name_len = line.iter().position(|&c| c == b'"' || c <= b' ').ok_or(PgnError::Tag)?;
        let (name, value) = line.split_at(name_len);
        let value = value.trim_ascii_start().strip_prefix(b"\"").ok_or(PgnError::Tag)?;
        let end = tag_end(value).ok_or(PgnError::Tag)?;
        let (value, after) = value.split_at(end);
        if name.is_empty() {
            return Err(PgnError::Tag);
        }
        // Another tag may follow on the same line.
        let after = after[1..].trim_ascii_start();
        let after = after.strip_prefix(b"]").unwrap_or(after);
        self.at += line_len - after.len();
        Ok(Token::Tag { name, value })
    }

    #[inline]
    fn word_len(&self) -> usize {
        let rest = self.rest();
        rest.iter().position(|&c| BREAKS[usize::from(c)]).unwrap_or(rest.len())
    }

    /// A move, or a word that stands for nothing.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "worth a fifth of the reading speed")]
    fn word(&mut self) -> Result<Option<Token<'a>>, PgnError> {
        let mut len = self.word_len();
        // `e8(Q)`: the parentheses open no variation. `exd6e.p.`: the points end no word.
        if let [b'(', b'Q' | b'R' | b'B' | b'N', b')', ..] | [b'.', b'p', b'.', ..] =
            self.rest()[len..]
        {
            len += 3;
        }
        len -= glued_sign(&self.rest()[..len]);
        let word = &self.rest()[..len];
        self.at += len;
        match word {
            b"Z0" | b"null" | b"0000" => Err(PgnError::NullMove(shown(word))),
            b"N" => Ok(Nag::from_sign(word).map(Token::Nag)),
            // `e.p.` set apart from its move, and ChessBase's mark for a diagram.
            b"e.p." | b"e" | b"p" | b"ep" | b"D" => Ok(None),
            _ => Ok(Some(Token::Move(word))),
        }
    }

    /// A move number, a result, or castling written with noughts.
    #[inline]
    fn number_or_word(&mut self) -> Result<Option<Token<'a>>, PgnError> {
        let rest = self.rest();
        let digits = rest.iter().take_while(|c| c.is_ascii_digit()).count();
        if rest.get(digits).is_none_or(|&c| BREAKS[usize::from(c)] || c.is_ascii_alphabetic()) {
            // `12.`, `12...`, `12 `, or `12.e4` without a space. `00` may be castling,
            // `0000` is UCI's null move.
            if !matches!(&rest[..digits], b"00" | b"000" | b"0000") {
                self.at += digits;
                return Ok(None);
            }
        }
        let len = self.word_len();
        if let Some(result) = GameResult::from_text(&rest[..len]) {
            self.at += len;
            return Ok(Some(Token::Result(result)));
        }
        self.word()
    }

    /// Anything that begins with a sign; `None` if it says nothing.
    fn sign(&mut self) -> Result<Option<Token<'a>>, PgnError> {
        let rest = self.rest();
        match rest[0] {
            b'(' => return Ok(Some(self.token(1, Token::Open))),
            b')' => return Ok(Some(self.token(1, Token::Close))),
            b'*' => return Ok(Some(self.token(1, Token::Result(GameResult::Unknown)))),
            b'$' => {
                let digits = rest[1..].iter().take_while(|c| c.is_ascii_digit()).count();
                if digits == 0 {
                    return Err(self.unexpected());
                }
                let number = std::str::from_utf8(&rest[1..=digits]).unwrap_or_default();
                self.at += 1 + digits;
                // The standard ends at 255; what is beyond has no meaning.
                return Ok(number.parse().ok().map(|number| Token::Nag(Nag(number))));
            }
            _ => {}
        }
        // `!?` and `+-` are told apart where they touch, as in `Qh5!+-`.
        let kind = if b"!?".contains(&rest[0]) { &b"!?"[..] } else { b"+-=/~#" };
        let signs = rest.iter().take_while(|c| kind.contains(c)).count();
        let signs = &rest[..signs];
        if signs.starts_with(b"--") {
            return Err(PgnError::NullMove(shown(signs)));
        }
        match Nag::from_sign(signs) {
            Some(nag) => Ok(Some(self.token(signs.len(), Token::Nag(nag)))),
            // A check sign set apart from its move says nothing new.
            None if !signs.is_empty() && signs.iter().all(|c| b"+#".contains(c)) => {
                self.at += signs.len();
                Ok(None)
            }
            None if signs.iter().any(|c| b"!?".contains(c)) => {
                // `!!!` and the like: as much of it as has a meaning.
                let known = Nag::from_sign(&signs[..2]).unwrap_or(Nag(0));
                Ok(Some(self.token(signs.len(), Token::Nag(known))))
            }
            None => Err(self.unexpected()),
        }
    }

    /// Passes over so many bytes, which are a token.
    fn token(&mut self, len: usize, token: Token<'a>) -> Token<'a> {
        self.at += len;
        token
    }

    fn unexpected(&self) -> PgnError {
        let rest = self.rest();
        let len = rest.iter().skip(1).position(|&c| c <= b' ').map_or(rest.len(), |len| len + 1);
        PgnError::Unexpected(shown(&rest[..len]))
    }
}

/// The length of an evaluation written without a space after a move, as in `Qh5+-`.
#[inline]
fn glued_sign(word: &[u8]) -> usize {
    match word {
        [.., b'+' | b'-' | b'=' | b'/', b'+' | b'-' | b'='] | [.., b'='] => {
            let signs = word.iter().rev().take_while(|c| b"+-=/".contains(c)).count();
            let known = Nag::from_sign(&word[word.len() - signs..]).is_some();
            if known && signs < word.len() { signs } else { 0 }
        }
        _ => 0,
    }
}

/// Where the closing quote of a tag's value stands: the first that is followed by `]`, or else
/// the last of the line. If all are escaped, as in `"C:\"`, the last one of them.
fn tag_end(value: &[u8]) -> Option<usize> {
    let mut last = None;
    let mut i = 0;
    while let Some(&c) = value.get(i) {
        match c {
            b'\\' => i += 1,
            b'"' => {
                last = Some(i);
                if value[i + 1..].trim_ascii_start().first() == Some(&b']') {
                    return last;
                }
            }
            _ => {}
        }
        i += 1;
    }
    last.or_else(|| memrchr(b'"', value))
}

/// The start of a text as people can read it.
pub(super) fn shown(text: &[u8]) -> String {
    const LONGEST: usize = 40;
    let mut shown = String::from_utf8_lossy(&text[..text.len().min(LONGEST)]).into_owned();
    if text.len() > LONGEST {
        shown.push_str("...");
    }
    shown
}

/// Text of a file: UTF-8, or else Latin-1, which older files are in.
pub(super) fn decode(text: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(text) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => text.iter().map(|&byte| char::from(byte)).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str) -> Vec<String> {
        let mut lexer = Lexer::new(text.as_bytes());
        let mut found = Vec::new();
        loop {
            found.push(match lexer.next() {
                Ok(None) => return found,
                Err(error) => {
                    found.push(error.to_string());
                    return found;
                }
                Ok(Some(Token::Tag { name, value })) => {
                    format!("{}={}", shown(name), shown(value))
                }
                Ok(Some(Token::Move(text))) => shown(text),
                Ok(Some(Token::Comment(text))) => format!("{{{}}}", shown(text)),
                Ok(Some(Token::Nag(nag))) => nag.to_string(),
                Ok(Some(Token::Open)) => "(".to_owned(),
                Ok(Some(Token::Close)) => ")".to_owned(),
                Ok(Some(Token::Result(result))) => result.text().to_owned(),
            });
        }
    }

    #[test]
    fn moves_numbers_and_results() {
        assert_eq!(
            tokens("1.e4 e5 2. Nf3!? 2... d6 ?? 3 O-O 0-0-0 1/2-1/2"),
            ["e4", "e5", "Nf3", "$5", "d6", "$4", "O-O", "0-0-0", "1/2-1/2"]
        );
        assert_eq!(tokens("e8=Q+ $16 exd6 e.p. +- *"), ["e8=Q+", "$16", "exd6", "$18", "*"]);
    }

    #[test]
    fn tags_comments_and_variations() {
        assert_eq!(
            tokens(
                "[White \"Tal\"]\n[Event \"say \\\"hi\\\"\"]\n\n% note\n1. e4 {x (} (1. d4 ; y\n) 1-0"
            ),
            ["White=Tal", "Event=say \\\"hi\\\"", "e4", "{x (}", "(", "d4", "{ y}", ")", "1-0"]
        );
        assert_eq!(tokens("[A \"1\"][B \"2\"]"), ["A=1", "B=2"]);
        assert_eq!(tokens("[Site \"a \"quoted\" b\"]"), ["Site=a \"quoted\" b"]);
    }

    #[test]
    fn what_cannot_be_read_is_named() {
        assert_eq!(tokens("e4 {open"), ["e4", "a comment is not closed"]);
        assert_eq!(tokens("[White]"), ["this is not a tag of the form [Name \"value\"]"]);
        assert_eq!(tokens("e4 -- d4"), ["e4", "-- is a null move, which is not a legal move"]);
        assert_eq!(tokens("e4 & d4"), ["e4", "`&` is neither a move nor a comment"]);
    }
}
