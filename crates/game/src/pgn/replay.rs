//! Replays tokens on a board and passes the legal moves to a visitor.

use std::borrow::Cow;

use chess::{Move, Position, San, SanError};

use super::error::{MAX_DEPTH, MAX_MOVES, MAX_TAGS, PgnError, shown};
use super::header::{Ending, Header};
use super::lexer::{Lexer, Token};
use super::notes::Notes;
use super::signs::{decode, plain};
use super::tag::unescape;
use crate::{GameResult, Nag, Tags};

/// Receives the contents of a game. Every move is legal.
pub trait Visitor {
    /// A tag of the header, unescaped.
    fn tag(&mut self, name: &str, value: &str) {
        let _ = (name, value);
    }

    /// The tags are complete; the game starts here.
    fn start(&mut self, position: &Position) {
        let _ = position;
    }

    /// A move, and the position it is played in.
    fn play(&mut self, position: &Position, m: Move) {
        let _ = (position, m);
    }

    /// A null move; only in variations. The next move is played in the position after it.
    fn pass(&mut self) {}

    /// A comment on the last move, or before the first.
    fn comment(&mut self, comment: Comment<'_>) {
        let _ = comment;
    }

    /// The rest of a line from an illegal move on, or a variation that belongs to no move: the text
    /// as written, attached to the last move or before the first.
    fn unplayed(&mut self, text: Comment<'_>) {
        let _ = text;
    }

    /// A glyph for the last move.
    fn nag(&mut self, nag: Nag) {
        let _ = nag;
    }

    /// A variation starts: the next move replaces the last one.
    fn open(&mut self) {}

    /// The variation ends.
    fn close(&mut self) {}

    /// The result is a forfeit.
    fn forfeit(&mut self) {}

    /// The game ends.
    fn end(&mut self, result: GameResult) {
        let _ = result;
    }
}

/// A comment as written in the file.
#[derive(Copy, Clone, Debug)]
pub struct Comment<'a>(&'a [u8]);

impl<'a> Comment<'a> {
    /// A comment with this text.
    pub const fn new(text: &'a str) -> Self {
        Self(text.as_bytes())
    }

    /// Its text, decoded on demand.
    pub fn text(self) -> Cow<'a, str> {
        decode(self.0)
    }
}

/// The result of a replay.
pub(super) struct Replayed {
    /// The length of the game's text. After its result, another game follows.
    pub(super) len: usize,
    /// Errors with their offsets in the text.
    pub(super) notes: Vec<(usize, PgnError)>,
    /// Why nothing of it can be kept, if so.
    pub(super) lost: Option<(usize, PgnError)>,
}

/// Replays one game from the standard position or the one in its tags.
pub(super) fn replay<V: Visitor>(text: &[u8], standard: &Position, visitor: &mut V) -> Replayed {
    let mut replay = Replay {
        lexer: Lexer::new(text),
        visitor,
        outer: Vec::new(),
        tags: 0,
        free_tags: 0,
        too_many_tags: false,
        played: 0,
        notes: Notes::default(),
    };
    let lost = replay.game(standard).err();
    Replayed { len: replay.lexer.at(), notes: replay.notes.into_sorted(), lost }
}

struct Replay<'a, V> {
    lexer: Lexer<'a>,
    visitor: &'a mut V,
    /// The lines of play that wait for a variation to end.
    outer: Vec<Outer>,
    tags: usize,
    /// The number of tags other than the fixed ones.
    free_tags: usize,
    too_many_tags: bool,
    played: usize,
    notes: Notes,
}

/// A line of play that waits for a variation to end.
struct Outer {
    board: Board,
    /// The offset of the variation's start.
    opened: usize,
}

impl<'a, V: Visitor> Replay<'a, V> {
    /// Replays the game, or returns why nothing of it can be kept.
    fn game(&mut self, standard: &Position) -> Result<(), (usize, PgnError)> {
        let (header, comments) = self.header();
        let start = header.start(standard, &mut self.notes).inspect_err(|_| self.skip_game())?;
        self.visitor.start(&start);
        for text in comments {
            self.visitor.comment(Comment(text));
        }
        let written = self.moves(Board::new(start));
        let ending = header.ending(written, self.lexer.at(), &mut self.notes);
        self.last_comments();
        // Text that is no game at all, such as a preface to a file of games.
        if self.tags == 0
            && self.played == 0
            && let Some(first) = self.notes.take_first()
        {
            return Err(first);
        }
        if ending.forfeit {
            self.visitor.forfeit();
        }
        self.visitor.end(ending.result);
        Ok(())
    }

    fn note(&mut self, reason: impl FnOnce() -> PgnError) {
        self.notes.add(self.lexer.at(), reason);
    }

    /// Visits the tags; returns the relevant ones, and the comments between them.
    fn header(&mut self) -> (Header, Vec<&'a [u8]>) {
        let mut header = Header::default();
        let mut comments = Vec::new();
        loop {
            let before = self.lexer.clone();
            match self.lexer.next() {
                Some(Token::Tag { name, value }) => self.tag(name, value, &mut header),
                Some(Token::OpenTag { name, value }) => {
                    self.note(|| PgnError::OpenTag(shown(name)));
                    self.tag(name, value, &mut header);
                }
                Some(Token::BadTag) => self.note(|| PgnError::Tag),
                Some(Token::Comment(text)) => comments.push(text),
                _ => {
                    self.lexer = before;
                    return (header, comments);
                }
            }
        }
    }

    fn tag(&mut self, name: &[u8], value: &[u8], header: &mut Header) {
        let (name, value) = (decode(name), unescape(value));
        self.tags += 1;
        self.free_tags += usize::from(!Tags::is_fixed(&name));
        // Fixed tags don't count, so that a game with the maximum of others can be read back as
        // written.
        if self.free_tags > MAX_TAGS || self.tags > 2 * MAX_TAGS {
            if !std::mem::replace(&mut self.too_many_tags, true) {
                self.note(|| PgnError::TooManyTags);
            }
            return;
        }
        header.read(&name, &value, self.lexer.at(), &mut self.notes);
        self.visitor.tag(&name, &value);
    }

    /// Skips the moves of a rejected game, and its result.
    fn skip_game(&mut self) {
        self.lexer.skip_line_of_play(true);
        self.lexer.next();
    }

    /// Comments after the result still belong to the game.
    fn last_comments(&mut self) {
        loop {
            let before = self.lexer.clone();
            match self.lexer.next() {
                Some(Token::Comment(text)) => self.visitor.comment(Comment(text)),
                Some(Token::OpenComment(text)) => self.open_comment(text),
                _ => return self.lexer = before,
            }
        }
    }

    fn open_comment(&mut self, text: &[u8]) {
        self.notes.add(self.lexer.at() - text.len(), || PgnError::OpenComment);
        self.visitor.comment(Comment(text));
    }

    /// Plays the moves with all variations, and returns the result after them.
    fn moves(&mut self, mut board: Board) -> Option<Ending> {
        // The last result inside a variation, and the number of moves before it.
        let mut inner = None;
        loop {
            let before = self.lexer.at();
            let Some(token) = self.lexer.next() else { break };
            match token {
                Token::Move(_) if self.played == MAX_MOVES => {
                    self.give_up(before, PgnError::TooManyMoves);
                }
                Token::Move(text) => match board.play(text, self.visitor) {
                    Ok(()) => self.played += 1,
                    Err(reason) => self.give_up(before, board.refusal(text, reason)),
                },
                Token::NullMove(text) => {
                    if !self.pass(&mut board) {
                        self.give_up(before, PgnError::NullMove(shown(text)));
                    }
                }
                Token::Comment(text) => self.visitor.comment(Comment(text)),
                Token::OpenComment(text) => self.open_comment(text),
                Token::Nag(nag) => self.visitor.nag(nag),
                Token::Open => match board.before() {
                    None => self.leave_out(before, PgnError::NoMoveToVary),
                    Some(_) if self.outer.len() == MAX_DEPTH => {
                        self.leave_out(before, PgnError::TooDeep);
                    }
                    Some(start) => {
                        let variation = Board::new(start.clone());
                        let board = std::mem::replace(&mut board, variation);
                        self.outer.push(Outer { board, opened: self.lexer.at() });
                        self.visitor.open();
                    }
                },
                Token::Close => match self.outer.pop() {
                    Some(outer) => {
                        board = outer.board;
                        self.visitor.close();
                    }
                    None => self.note(|| PgnError::StrayClose),
                },
                Token::Result(result) => {
                    let ending = Ending { result, forfeit: false };
                    if self.outer.is_empty() {
                        return Some(ending);
                    }
                    // Some programs end a variation with a result.
                    inner = Some((ending, self.played));
                }
                Token::Forfeit(result) if self.outer.is_empty() => {
                    return Some(Ending { result, forfeit: true });
                }
                Token::Forfeit(_) => {}
                Token::Unexpected(text) => self.note(|| PgnError::Unexpected(shown(text))),
                Token::Tag { .. } | Token::OpenTag { .. } | Token::BadTag => {
                    self.note(|| PgnError::Tag);
                }
            }
        }
        let opened = self.outer.last()?.opened;
        self.notes.add(opened, || PgnError::OpenVariation);
        for _ in self.outer.drain(..) {
            self.visitor.close();
        }
        // The result at the end of the text is that of the game, even if a variation was left open.
        inner.filter(|(_, played)| *played == self.played).map(|(ending, _)| ending)
    }

    /// Makes a null move if it is in a variation and the side to move isn't in check. Returns
    /// whether it did.
    #[cold]
    fn pass(&mut self, board: &mut Board) -> bool {
        if self.outer.is_empty() || self.played == MAX_MOVES || !board.pass() {
            return false;
        }
        self.played += 1;
        self.visitor.pass();
        true
    }

    /// A move is illegal: the rest of its line, from the offset before it, is only text.
    #[cold]
    fn give_up(&mut self, before: usize, reason: PgnError) {
        self.note(|| reason);
        self.lexer.skip_line_of_play(self.outer.is_empty());
        self.visitor.unplayed(Comment(self.lexer.since(before)));
    }

    /// A variation can't be played at all: it is only text.
    #[cold]
    fn leave_out(&mut self, before: usize, reason: PgnError) {
        self.note(|| reason);
        self.lexer.skip_line_of_play(false);
        self.lexer.next();
        self.visitor.unplayed(Comment(self.lexer.since(before)));
    }
}

/// The current position of a line of play, and the one before the last move, to which a variation
/// returns. The two are swapped, so that a move costs one copy.
struct Board {
    positions: [Position; 2],
    now: usize,
    moved: bool,
}

impl Board {
    fn new(start: Position) -> Self {
        Self { positions: [start.clone(), start], now: 0, moved: false }
    }

    fn before(&self) -> Option<&Position> {
        self.moved.then(|| &self.positions[1 - self.now])
    }

    #[inline]
    fn play<V: Visitor>(&mut self, text: &[u8], visitor: &mut V) -> Result<(), SanError> {
        let [first, second] = &mut self.positions;
        let (now, next) = if self.now == 0 { (first, second) } else { (second, first) };
        let san = San::from_ascii(text).or_else(|error| read_odd_san(text, error))?;
        let m = san.to_move(now)?;
        visitor.play(now, m);
        next.clone_from(now);
        next.play_unchecked(m);
        self.now = 1 - self.now;
        self.moved = true;
        Ok(())
    }

    #[cold]
    fn pass(&mut self) -> bool {
        let Some(next) = self.positions[self.now].after_null_move() else { return false };
        self.now = 1 - self.now;
        self.positions[self.now] = next;
        self.moved = true;
        true
    }

    /// The error for an illegal move.
    #[cold]
    fn refusal(&self, text: &[u8], reason: SanError) -> PgnError {
        let number = self.positions[self.now].move_number();
        PgnError::Move { number, text: shown(text), reason }
    }
}

/// Parses a move with figurines and any kind of dash.
#[cold]
fn read_odd_san(text: &[u8], error: SanError) -> Result<San, SanError> {
    if text.is_ascii() { Err(error) } else { San::from_ascii(plain(text).as_bytes()) }
}
