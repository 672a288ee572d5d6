//! Splits the text of one game into tokens. It never fails: unreadable text is a token too.

use memchr::{memchr, memchr2};

use super::signs::{is_blank, is_dash, is_part_of_word, next_char, plain};
use super::tag::{cut_tag, forum_tag_len};
use crate::{GameResult, Nag};

/// A piece of the text of a game.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Token<'a> {
    Tag {
        name: &'a [u8],
        value: &'a [u8],
    },
    /// A tag whose value has no closing quote.
    OpenTag {
        name: &'a [u8],
        value: &'a [u8],
    },
    /// Text in brackets that is not a tag.
    BadTag,
    /// A word that may be a move.
    Move(&'a [u8]),
    NullMove(&'a [u8]),
    Comment(&'a [u8]),
    /// A comment without its closing brace.
    OpenComment(&'a [u8]),
    Nag(Nag),
    Open,
    Close,
    Result(GameResult),
    /// The result of a forfeited game.
    Forfeit(GameResult),
    /// A meaningless symbol.
    Unexpected(&'a [u8]),
}

/// Bytes that end a move. Non-ASCII bytes depend on the character they encode.
const BREAKS: [bool; 256] = {
    let mut table = [false; 256];
    let mut i = 0;
    while i < 256 {
        table[i] = i <= 32 || i >= 128;
        i += 1;
    }
    let stops = b"{}()[];$!?*.,<>\"";
    let mut i = 0;
    while i < stops.len() {
        table[stops[i] as usize] = true;
        i += 1;
    }
    table
};

/// Maximum length of text in brackets between the moves.
const LONGEST_BRACKETS: usize = 200;

/// Splits the text of a game, starting at its first tag.
#[derive(Clone)]
pub(super) struct Lexer<'a> {
    text: &'a [u8],
    at: usize,
    /// The end of the last tag's line, which many tags may share.
    line_end: usize,
    /// Whether tags may still come.
    in_tags: bool,
    /// Whether a move has been seen.
    moved: bool,
    /// Whether it is known that no `>` follows.
    no_angle_follows: bool,
}

impl<'a> Lexer<'a> {
    pub(super) const fn new(text: &'a [u8]) -> Self {
        Self { text, at: 0, line_end: 0, in_tags: true, moved: false, no_angle_follows: false }
    }

    /// The current offset.
    pub(super) const fn at(&self) -> usize {
        self.at
    }

    /// The text from an offset to the current one.
    pub(super) fn since(&self, start: usize) -> &'a [u8] {
        self.text[start..self.at].trim_ascii()
    }

    /// Skips the rest of a line of play with all its variations: a variation up to its `)`, the
    /// main line up to a result.
    pub(super) fn skip_line_of_play(&mut self, main: bool) {
        let mut depth = 0_usize;
        loop {
            let before = self.clone();
            match self.next() {
                None => return,
                Some(Token::Open) => depth += 1,
                Some(Token::Close) if depth > 0 || main => depth = depth.saturating_sub(1),
                Some(Token::Close) => return *self = before,
                Some(Token::Result(_) | Token::Forfeit(_)) if depth == 0 && main => {
                    return *self = before;
                }
                Some(_) => {}
            }
        }
    }

    #[inline]
    fn rest(&self) -> &'a [u8] {
        &self.text[self.at..]
    }

    /// The next token, or `None` at the end of the text.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "worth a fifth of the reading speed")]
    pub(super) fn next(&mut self) -> Option<Token<'a>> {
        loop {
            self.skip_blanks();
            let token = match *self.text.get(self.at)? {
                b'a'..=b'z' | b'A'..=b'Z' => {
                    self.in_tags = false;
                    self.word()
                }
                b'0'..=b'9' => {
                    self.in_tags = false;
                    self.number_or_word()
                }
                b'{' => Some(match memchr(b'}', self.rest()) {
                    Some(len) => Token::Comment(&self.take(len + 1)[1..len]),
                    None => Token::OpenComment(&self.take(self.rest().len())[1..]),
                }),
                b';' => {
                    let len = memchr2(b'\n', b'\r', self.rest()).unwrap_or(self.rest().len());
                    Some(Token::Comment(&self.take(len)[1..]))
                }
                // An escaped line, meant for programs only: skip it.
                b'%' if self.at_line_start() => {
                    self.at += memchr2(b'\n', b'\r', self.rest()).unwrap_or(self.rest().len());
                    None
                }
                b'[' => self.brackets(),
                b'<' => self.reserved(),
                128.. => self.beyond_ascii(),
                _ => {
                    self.in_tags = false;
                    self.sign()
                }
            };
            if token.is_some() {
                return token;
            }
        }
    }

    /// Skips whitespace and move numbers, which make up most of a game.
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

    /// Consumes and returns a number of bytes.
    #[inline]
    fn take(&mut self, len: usize) -> &'a [u8] {
        let taken = &self.rest()[..len];
        self.at += len;
        taken
    }

    fn at_line_start(&self) -> bool {
        self.at == 0 || matches!(self.text[self.at - 1], b'\n' | b'\r')
    }

    /// A tag, or text in brackets that doesn't belong between the moves.
    fn brackets(&mut self) -> Option<Token<'a>> {
        let rest = self.rest();
        if let Some(len) = forum_tag_len(rest) {
            self.at += len;
            return None;
        }
        if self.in_tags {
            if self.at >= self.line_end {
                let len = memchr2(b'\n', b'\r', rest).unwrap_or(rest.len());
                self.line_end = self.at + len;
            }
            let (token, len) = cut_tag(&self.text[self.at..self.line_end]);
            self.at += len;
            return Some(token);
        }
        let near = &rest[..rest.len().min(LONGEST_BRACKETS)];
        let end = near.iter().position(|c| matches!(c, b']' | b'\n' | b'\r'));
        let closed = end.filter(|&end| near[end] == b']');
        let text = self.take(closed.map_or(1, |end| end + 1));
        Some(match text {
            // A command such as `[%clk 0:05:00]` without the comment around it.
            [b'[', b'%', ..] => Token::Comment(text),
            _ => Token::Unexpected(text),
        })
    }

    /// `<...>`, which the standard reserves for later: skipped.
    fn reserved(&mut self) -> Option<Token<'a>> {
        let end = if self.no_angle_follows { None } else { memchr(b'>', self.rest()) };
        self.no_angle_follows = end.is_none();
        match end {
            Some(end) => {
                self.at += end + 1;
                None
            }
            None => Some(Token::Unexpected(self.take(1))),
        }
    }

    #[inline]
    fn word_len(&self) -> usize {
        let rest = self.rest();
        let len = rest.iter().position(|&c| BREAKS[usize::from(c)]).unwrap_or(rest.len());
        if rest.get(len).is_some_and(|c| !c.is_ascii()) { odd_word_len(rest, len) } else { len }
    }

    /// A move, or a word without meaning.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "worth a fifth of the reading speed")]
    fn word(&mut self) -> Option<Token<'a>> {
        let mut len = self.word_len();
        // `e8(Q)`: the parentheses start no variation. `exd6e.p.`: the dots end no word.
        if let [b'(', b'Q' | b'R' | b'B' | b'N', b')', ..] | [b'.', b'p', b'.', ..] =
            self.rest()[len..]
        {
            len += 3;
        }
        len -= glued_sign(&self.rest()[..len]);
        let word = self.take(len);
        match word {
            b"N" => return Nag::from_sign(word).map(Token::Nag),
            // `e.p.` separated from its move, and ChessBase's mark for a diagram.
            b"e.p." | b"e" | b"p" | b"ep" | b"D" => return None,
            _ => {}
        }
        self.moved = true;
        Some(match word {
            b"Z0" | b"0000" | b"null" | b"Null" | b"NULL" | b"pass" | b"Pass" | b"PASS" => {
                Token::NullMove(word)
            }
            _ => Token::Move(word),
        })
    }

    /// A move number, a result, or castling written with zeros.
    #[inline]
    fn number_or_word(&mut self) -> Option<Token<'a>> {
        let rest = self.rest();
        if let Some((result, len)) = GameResult::at_start(rest) {
            self.at += len;
            return Some(Token::Result(result));
        }
        let len = self.word_len();
        let digits = rest.iter().take_while(|c| c.is_ascii_digit()).count();
        // `12 `, or `12e4` without a space. `00` may be castling, `0000` is UCI's null move.
        if (digits == len || rest[digits].is_ascii_alphabetic())
            && !matches!(&rest[..digits], b"00" | b"000" | b"0000")
        {
            self.at += digits;
            return None;
        }
        // `1-0F`: a win for White by forfeit.
        if let [score @ .., b'F' | b'f'] = &rest[..len]
            && let Some(result) = GameResult::from_text(score)
        {
            self.at += len;
            return Some(Token::Forfeit(result));
        }
        self.word()
    }

    /// Anything that starts with a symbol; `None` if it has no meaning.
    fn sign(&mut self) -> Option<Token<'a>> {
        let rest = self.rest();
        let token = match rest[0] {
            b'(' => Token::Open,
            b')' => Token::Close,
            b'*' => Token::Result(GameResult::Unknown),
            b'$' => return Some(self.numbered_glyph()),
            b'!' | b'?' => {
                // `!!!` and the like: the longest meaningful prefix.
                let len = rest.iter().take_while(|c| b"!?".contains(c)).count();
                let marks = self.take(len);
                return Nag::from_sign(&marks[..len.min(2)]).map(Token::Nag);
            }
            b'+' | b'-' | b'=' | b'/' | b'~' | b'#' | b':' => return self.judgement(),
            _ => return Some(self.unexpected()),
        };
        self.at += 1;
        Some(token)
    }

    /// `$16`. The standard ends at 255; larger numbers have no meaning and are reported.
    fn numbered_glyph(&mut self) -> Token<'a> {
        let digits = self.rest()[1..].iter().take_while(|c| c.is_ascii_digit()).count();
        if digits == 0 {
            self.at += 1;
            let len = 1 + self.word_len();
            self.at -= 1;
            return Token::Unexpected(self.take(len));
        }
        let text = self.take(1 + digits);
        let number = std::str::from_utf8(&text[1..]).ok().and_then(|number| number.parse().ok());
        number.map_or(Token::Unexpected(text), |number| Token::Nag(Nag(number)))
    }

    /// An evaluation such as `+-`, a null move, or a result by forfeit.
    fn judgement(&mut self) -> Option<Token<'a>> {
        let signs = self.take(signs_len(self.rest()));
        let plain = plain(signs);
        let forfeit = if self.moved { GameResult::of_forfeit } else { GameResult::of_lone_forfeit };
        if let Some(result) = forfeit(signs) {
            return Some(Token::Forfeit(result));
        }
        // Word processors turn `--` into a long dash.
        if plain.starts_with("--") || signs == "\u{2014}".as_bytes() {
            self.moved = true;
            return Some(Token::NullMove(signs));
        }
        if plain == "=" && self.rest().starts_with("∞".as_bytes()) {
            self.at += "∞".len();
            return Nag::from_sign("=∞".as_bytes()).map(Token::Nag);
        }
        match Nag::from_sign(plain.as_bytes()) {
            Some(nag) => Some(Token::Nag(nag)),
            // A check sign separated from its move adds nothing.
            None if plain.bytes().all(|c| b"+#".contains(&c)) => None,
            None => Some(Token::Unexpected(signs)),
        }
    }

    /// Anything else: a word that may be meant as a move, or just symbols.
    fn unexpected(&mut self) -> Token<'a> {
        let first_breaks = BREAKS[usize::from(self.rest()[0])];
        let text = self.take(if first_breaks { 1 } else { self.word_len() });
        if text == b"@@@@" {
            Token::NullMove(text)
        } else if text.iter().any(u8::is_ascii_alphanumeric) {
            Token::Move(text)
        } else {
            Token::Unexpected(text)
        }
    }

    /// Anything that starts with a non-ASCII character; `None` if it has no meaning.
    #[cold]
    fn beyond_ascii(&mut self) -> Option<Token<'a>> {
        let (c, len) = next_char(self.rest())?;
        if is_blank(c) {
            self.at += len;
            return None;
        }
        self.in_tags = false;
        if is_dash(c) {
            return self.judgement();
        }
        if let Some((result, len)) = GameResult::at_start(self.rest()) {
            self.at += len;
            return Some(Token::Result(result));
        }
        if is_part_of_word(c) {
            return self.word();
        }
        let sign = self.take(len);
        let nag = Nag::from_sign(c.encode_utf8(&mut [0; 4]).as_bytes());
        Some(nag.map_or(Token::Unexpected(sign), Token::Nag))
    }
}

/// The length of a word with non-ASCII characters after the first `len` bytes.
#[cold]
fn odd_word_len(text: &[u8], mut len: usize) -> usize {
    while let Some((c, more)) = next_char(&text[len..]) {
        let goes_on =
            if c.is_ascii() { !BREAKS[usize::from(text[len])] } else { is_part_of_word(c) };
        if !goes_on {
            break;
        }
        len += more;
    }
    len
}

/// The length of an evaluation, with any kind of dash.
fn signs_len(text: &[u8]) -> usize {
    let mut len = 0;
    while let Some((c, more)) = next_char(&text[len..]) {
        if !is_dash(c) && !"+=/~#:".contains(c) {
            break;
        }
        len += more;
    }
    len
}

/// The length of an evaluation written without a space after a move, as in `Qh5+-`.
#[inline]
fn glued_sign(word: &[u8]) -> usize {
    match word {
        [.., 128..=255] | [.., 128..=255, b'+' | b'='] => glued_odd_sign(word),
        [.., b'+' | b'-' | b'=' | b'/', b'+' | b'-' | b'='] | [.., b'='] => {
            let signs = word.iter().rev().take_while(|c| b"+-=/".contains(c)).count();
            let known = Nag::from_sign(&word[word.len() - signs..]).is_some();
            if known && signs < word.len() { signs } else { 0 }
        }
        _ => 0,
    }
}

/// The same for an evaluation with a dash of another kind.
#[cold]
fn glued_odd_sign(word: &[u8]) -> usize {
    // The longest evaluation has three characters. Don't start inside a character.
    let tail = word.len().saturating_sub(16);
    let tail = tail + word[tail..].iter().take_while(|&&c| c & 0xC0 == 0x80).count();
    let (mut at, mut start) = (tail, tail);
    while let Some((c, len)) = next_char(&word[at..]) {
        at += len;
        if !is_dash(c) && !"+=/".contains(c) {
            start = at;
        }
    }
    let known = Nag::from_sign(plain(&word[start..]).as_bytes()).is_some();
    if known && start > 0 { word.len() - start } else { 0 }
}

#[cfg(test)]
mod tests;
