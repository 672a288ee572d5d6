//! Splits a PGN stream into games. Holds one game at a time.

use std::io::{self, Read};
use std::ops::Range;

use chess::Position;
use memchr::{memchr, memchr_iter, memchr2, memrchr2};

use super::build::Builder;
use super::error::{LONGEST, PgnError, ReadError, Remark};
use super::lexer::{Lexer, Token};
use super::replay::{Replayed, Visitor, replay};
use super::tag::{forum_tag_len, is_tag};
use crate::{Game, GameResult};

/// Written by some programs at the start of a file.
const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// Number of bytes to read at a time.
const CHUNK: usize = 128 << 10;

/// How far to look for the first line break.
const FIRST_LINE: usize = 4 << 10;

/// Reads games from a stream of any length.
///
/// ```
/// use game::pgn::{ReadError, Reader};
///
/// let text = "1. e4 e5 1-0\n\n[White \"Tal\"]\n\n1. e4 e4 *\n\n[White \"Tal\"]\n\n1. d4 *\n";
/// let mut games = Reader::new(text.as_bytes()).games();
/// assert_eq!(games.next().transpose()?.map(|game| game.line().len()), Some(2));
/// assert_eq!(games.next().transpose()?.map(|game| game.line().len()), Some(1));
/// assert_eq!(games.remarks()[0].to_string(), "game 2, line 5: 1... e4: not a legal move here");
/// assert_eq!(games.next().transpose()?.map(|game| game.line().len()), Some(1));
/// assert!(games.remarks().is_empty());
/// assert!(games.next().is_none());
/// # Ok::<(), ReadError>(())
/// ```
#[derive(Debug)]
pub struct Reader<R> {
    source: R,
    buffer: Vec<u8>,
    /// The part of the buffer that has been read from the source but not consumed.
    fresh: Range<usize>,
    at_end: bool,
    /// The line break, known once the stream has been opened: `\n`, or `\r` in files from old
    /// Macintoshes.
    line_break: Option<u8>,
    /// The line number at the start of `fresh`, from 1.
    line: u64,
    /// The length of the current frame that is still in `fresh`.
    frame: usize,
    games: u64,
    remarks: Vec<Remark>,
    standard: Position,
}

impl<R: Read> Reader<R> {
    /// Reads from a source. It reads large chunks, so the source needs no buffer.
    pub fn new(source: R) -> Self {
        Self {
            source,
            buffer: Vec::new(),
            fresh: 0..0,
            at_end: false,
            line_break: None,
            line: 1,
            frame: 0,
            games: 0,
            remarks: Vec::new(),
            standard: Position::default(),
        }
    }

    /// Number of games read so far, including rejected ones.
    pub const fn count(&self) -> u64 {
        self.games
    }

    /// Warnings about the last game; at most a hundred.
    pub fn remarks(&self) -> &[Remark] {
        &self.remarks
    }

    /// Reads the next game and calls a visitor; `false` at the end of the stream. A visitor may see
    /// the start of a game that turns out to be rejected.
    pub fn read<V: Visitor>(&mut self, visitor: &mut V) -> Result<bool, ReadError> {
        self.remarks.clear();
        loop {
            if self.frame == 0 {
                match self.next_frame()? {
                    Frame::Game => {}
                    Frame::End => return Ok(false),
                    Frame::TooLong(line) => {
                        self.games += 1;
                        let reason = PgnError::TooLong;
                        return Err(Remark { game: self.games, line, reason }.into());
                    }
                }
            }
            let text = &self.buffer[self.fresh.start..self.fresh.start + self.frame];
            let Some(skip) = find_game(text) else {
                self.consume(self.frame);
                continue;
            };
            self.games += 1;
            let Replayed { len, notes, lost } = replay(&text[skip..], &self.standard, visitor);
            let place = |at| self.line + self.line_breaks(&text[..skip + at]);
            let lost =
                lost.map(|(at, reason)| Remark { game: self.games, line: place(at), reason });
            if lost.is_none() && !notes.is_empty() {
                self.remarks = self.remarks_on(notes, skip);
            }
            self.consume(skip + len);
            return lost.map_or(Ok(true), |lost| Err(lost.into()));
        }
    }

    /// Remarks on the current game, which starts at an offset of the frame, with their line
    /// numbers.
    fn remarks_on(&self, notes: Vec<(usize, PgnError)>, start: usize) -> Vec<Remark> {
        let text = &self.buffer[self.fresh.start..];
        let (mut line, mut counted) = (self.line, 0);
        let mut remark = |(at, reason)| {
            let at = start + at;
            line += self.line_breaks(&text[counted..at]);
            counted = at;
            Remark { game: self.games, line, reason }
        };
        notes.into_iter().map(&mut remark).collect()
    }

    /// An iterator over the games.
    pub fn games(self) -> Games<R> {
        Games { reader: self, failed: false }
    }

    /// Skips a part of the frame.
    fn consume(&mut self, len: usize) {
        let used = self.fresh.start..self.fresh.start + len;
        self.line += self.line_breaks(&self.buffer[used]);
        self.fresh.start += len;
        self.frame -= len;
    }

    fn line_breaks(&self, text: &[u8]) -> u64 {
        memchr_iter(self.line_break.unwrap_or(b'\n'), text).count() as u64
    }

    /// Detects the line break.
    fn open(&mut self) -> io::Result<u8> {
        let found = loop {
            // The result must not depend on how much the source returned at once.
            let len = self.fresh.len().min(FIRST_LINE);
            let text = &self.buffer[self.fresh.start..self.fresh.start + len];
            // One byte more: a `\r` may be the first half of a line break.
            let found = memchr2(b'\n', b'\r', text).filter(|at| at + 1 < text.len());
            if found.is_some() || self.at_end || len == FIRST_LINE {
                break found;
            }
            self.fill()?;
        };
        let text = &self.buffer[self.fresh.clone()];
        let line_break = match found {
            Some(at) if text[at] == b'\r' && text[at + 1] != b'\n' => b'\r',
            _ => b'\n',
        };
        self.line_break = Some(line_break);
        Ok(line_break)
    }

    /// Finds the end of the next game: a line that starts another.
    fn next_frame(&mut self) -> io::Result<Frame> {
        let line_break = match self.line_break {
            Some(known) => known,
            None => self.open()?,
        };
        let first_line = self.line;
        let mut too_long = false;
        let mut seen = Seen::default();
        // Offsets from the start of `fresh`, which may move in the buffer.
        let mut at = 0;
        while let Some(len) = self.line_len(at, line_break)? {
            let start = self.fresh.start;
            let line = &self.buffer[start + at..start + at + len];
            let line = without_frills(line);
            if seen.another_game_starts(line, &self.buffer[start..start + at]) {
                break;
            }
            seen.note(line);
            at += len;
            if at > LONGEST {
                // Keep only the place where it ends.
                too_long = true;
                seen.forget(&self.buffer[start..start + at]);
                self.frame = at;
                self.consume(at);
                at = 0;
            }
        }
        self.frame = at;
        Ok(if too_long {
            self.consume(at);
            Frame::TooLong(first_line)
        } else if at == 0 {
            Frame::End
        } else {
            Frame::Game
        })
    }

    /// The length of the line at an offset, including its line break; `None` at the end. A line
    /// longer than the maximum game is cut.
    fn line_len(&mut self, at: usize, line_break: u8) -> io::Result<Option<usize>> {
        let mut searched = 0;
        loop {
            let line = &self.buffer[self.fresh.start + at..self.fresh.end];
            if let Some(len) = memchr(line_break, &line[searched..]) {
                return Ok(Some(searched + len + 1));
            }
            searched = line.len();
            if self.at_end || searched > LONGEST {
                return Ok((searched > 0).then_some(searched));
            }
            self.fill()?;
        }
    }

    /// Reads more from the source, making room first.
    fn fill(&mut self) -> io::Result<()> {
        if self.buffer.len() - self.fresh.end < CHUNK {
            self.buffer.copy_within(self.fresh.clone(), 0);
            self.fresh = 0..self.fresh.len();
            let wanted = self.fresh.end + 2 * CHUNK;
            if self.buffer.len() < wanted {
                self.buffer.resize(wanted, 0);
            }
        }
        let read = loop {
            match self.source.read(&mut self.buffer[self.fresh.end..]) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                other => break other?,
            }
        };
        self.fresh.end += read;
        self.at_end = read == 0;
        Ok(())
    }
}

enum Frame {
    Game,
    TooLong(u64),
    End,
}

/// State of the lines of a frame seen so far.
#[derive(Default)]
struct Seen {
    tags: bool,
    moves: bool,
    blank: bool,
    braces: Braces,
}

/// Tracks comments, only when a line looks like another game, and scanning no text twice: a comment
/// may be full of such lines.
#[derive(Default)]
struct Braces {
    searched: usize,
    open: bool,
}

impl Seen {
    fn note(&mut self, line: &[u8]) {
        let line = line.trim_ascii();
        self.blank = line.is_empty();
        if self.moves {
            return;
        }
        match line {
            [] | [b'%', ..] => {}
            [b'[', ..] => self.tags = true,
            // A comment before the tags belongs to their game.
            [b';', ..] if !self.tags => {}
            [b'{', words @ .., b'}'] if !self.tags && memchr(b'}', words).is_none() => {}
            _ => self.moves = true,
        }
    }

    /// Whether a line starts another game. A damaged game may have left a comment open, so a tag
    /// after a blank line always counts; a tag after text counts unless it is in a comment. Games
    /// without tags are separated by a result and a blank line.
    fn another_game_starts(&mut self, line: &[u8], before: &[u8]) -> bool {
        if is_tag(line) {
            if self.moves {
                self.blank || ends_with_result(before) || !self.braces.open(before)
            } else {
                // Tags without moves, then tags again.
                self.tags && self.blank && line.starts_with(b"[Event ")
            }
        } else {
            self.moves
                && self.blank
                && line.trim_ascii_start().first().is_some_and(u8::is_ascii_alphanumeric)
                && ends_with_result(before)
                && !self.braces.open(before)
        }
    }

    /// Gives up the text so far. Whatever it was, another `Event` starts another game.
    fn forget(&mut self, before: &[u8]) {
        self.braces.open(before);
        self.braces.searched = 0;
        self.tags = true;
    }
}

impl Braces {
    /// Whether a comment is open at the end of a text that has only grown since the last call.
    fn open(&mut self, text: &[u8]) -> bool {
        let new = &text[self.searched..];
        if let Some(at) = memrchr2(b'{', b'}', new) {
            self.open = new[at] == b'{';
        }
        self.searched = text.len();
        self.open
    }
}

/// A line without what may precede a game: a byte order mark, which each of several concatenated
/// files may have, and `[pgn]`, which forums write.
fn without_frills(line: &[u8]) -> &[u8] {
    let line = line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(line);
    match forum_tag_len(line) {
        Some(len) => line[len..].trim_ascii_start(),
        None => line,
    }
}

fn ends_with_result(text: &[u8]) -> bool {
    /// Maximum length of a result, with any dashes and spaces.
    const LONGEST_RESULT: usize = 16;
    let text = text.trim_ascii_end();
    if [&b"1-0"[..], b"0-1", b"1/2-1/2", b"*"].iter().any(|result| text.ends_with(result)) {
        return true;
    }
    let end = &text[text.len().saturating_sub(LONGEST_RESULT)..];
    (0..end.len()).any(|start| {
        let last = &end[start..];
        GameResult::from_text(last).or_else(|| GameResult::of_forfeit(last)).is_some()
    })
}

/// The start of a game in a text: its first tag or move, or the comments before it. Stray results
/// are skipped.
fn find_game(text: &[u8]) -> Option<usize> {
    let mut lexer = Lexer::new(text);
    let mut start = 0;
    loop {
        match lexer.next()? {
            Token::Result(_) | Token::Forfeit(_) => start = lexer.at(),
            Token::Comment(_) | Token::Nag(_) => {}
            _ => return Some(start),
        }
    }
}

/// The games of a stream; see [`Reader::games`].
#[derive(Debug)]
pub struct Games<R> {
    reader: Reader<R>,
    failed: bool,
}

impl<R: Read> Games<R> {
    /// Warnings about the last game; see [`Reader::remarks`].
    pub fn remarks(&self) -> &[Remark] {
        self.reader.remarks()
    }
}

impl<R: Read> Iterator for Games<R> {
    type Item = Result<Game, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed {
            return None;
        }
        let mut builder = Builder::default();
        match self.reader.read(&mut builder) {
            Ok(true) => Some(Ok(builder.game())),
            Ok(false) => None,
            Err(error) => {
                self.failed = matches!(error, ReadError::Io(_));
                Some(Err(error))
            }
        }
    }
}
