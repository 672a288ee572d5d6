//! Tokens become legal moves: each is played on the board and told to a visitor.

use std::borrow::Cow;

use chess::{Color, Move, Position, San};

use super::lexer::{Lexer, MAX_DEPTH, MAX_MOVES, MAX_TAGS, PgnError, Token, decode, shown};
use crate::{GameResult, Nag};

/// Whoever wants to know what happens in a game. Every move told is legal.
pub trait Visitor {
    /// A tag of the header, unescaped.
    fn tag(&mut self, name: &str, value: &str) {
        let _ = (name, value);
    }

    /// The tags have been told; the game starts here.
    fn start(&mut self, position: &Position) {
        let _ = position;
    }

    /// A move, and the position it is played in.
    fn play(&mut self, position: &Position, m: Move) {
        let _ = (position, m);
    }

    /// A comment about the last move, or before the first.
    fn comment(&mut self, comment: Comment<'_>) {
        let _ = comment;
    }

    /// A glyph for the last move.
    fn nag(&mut self, nag: Nag) {
        let _ = nag;
    }

    /// A variation begins: what follows replaces the last move.
    fn open(&mut self) {}

    /// The variation ends.
    fn close(&mut self) {}

    /// The game ends.
    fn end(&mut self, result: GameResult) {
        let _ = result;
    }
}

/// A comment as it stands in the file.
#[derive(Copy, Clone, Debug)]
pub struct Comment<'a>(&'a [u8]);

impl<'a> Comment<'a> {
    /// Its text, which is decoded only if somebody asks.
    pub fn text(self) -> Cow<'a, str> {
        decode(self.0)
    }
}

/// A game that can't be replayed.
pub(super) struct Fault {
    /// Where in the text the damage shows.
    pub(super) at: usize,
    /// How much of the text the game takes, as far as one can tell.
    pub(super) len: usize,
    pub(super) reason: PgnError,
}

/// Replays one game from the standard position or the one its tags give. Returns how much of the
/// text it took; text after a result is another game.
pub(super) fn replay<V: Visitor>(
    text: &[u8],
    standard: &Position,
    visitor: &mut V,
) -> Result<usize, Fault> {
    let mut lexer = Lexer::new(text);
    let mut tags = StartTags::default();
    let mut outer = Vec::new();
    match moves(&mut lexer, standard, &mut tags, &mut outer, visitor) {
        Ok(result) => {
            // What is said after the result still belongs to the game.
            let mut ahead = lexer.clone();
            while let Ok(Some(Token::Comment(text))) = ahead.next() {
                visitor.comment(Comment(text));
                lexer = ahead.clone();
            }
            visitor.end(result);
            Ok(lexer.at())
        }
        Err(reason) => {
            let at = match (&reason, outer.last()) {
                (PgnError::Fen(_), _) => tags.fen_at,
                (PgnError::Variant(_), _) => tags.variant_at,
                (PgnError::OpenVariation, Some(Outer { opened, .. })) => *opened,
                _ => lexer.at(),
            };
            lexer.skip_game(outer.len());
            Err(Fault { at, len: lexer.at(), reason })
        }
    }
}

/// Where a line of play stands: the position now, and the one before the last move, to which a
/// variation returns. The two take turns, so that a move costs one copy.
struct Board {
    positions: [Position; 2],
    now: usize,
    moved: bool,
}

/// A line of play that waits for a variation to end.
struct Outer {
    board: Board,
    /// Where in the text the variation begins.
    opened: usize,
}

fn moves<V: Visitor>(
    lexer: &mut Lexer<'_>,
    standard: &Position,
    tags: &mut StartTags,
    outer: &mut Vec<Outer>,
    visitor: &mut V,
) -> Result<GameResult, PgnError> {
    let mut comments = Vec::new();
    let mut count = 0;
    let mut token;
    loop {
        token = lexer.next()?;
        match token {
            Some(Token::Tag { name, value }) => {
                count += 1;
                if count > MAX_TAGS {
                    return Err(PgnError::TooManyTags);
                }
                let (name, value) = (decode(name), unescape(value));
                tags.note(&name, &value, lexer.at());
                visitor.tag(&name, &value);
            }
            Some(Token::Comment(text)) => comments.push(text),
            _ => break,
        }
    }
    let mut board = Board::new(tags.start(standard)?);
    visitor.start(board.now());
    for text in comments {
        visitor.comment(Comment(text));
    }

    let mut played = 0;
    while let Some(some) = token {
        match some {
            Token::Move(text) => {
                board.play(text, visitor)?;
                played += 1;
                if played > MAX_MOVES {
                    return Err(PgnError::TooManyMoves);
                }
            }
            Token::Comment(text) => visitor.comment(Comment(text)),
            Token::Nag(nag) => visitor.nag(nag),
            Token::Open => {
                let variation = Board::new(board.before().ok_or(PgnError::NoMoveToVary)?.clone());
                if outer.len() == MAX_DEPTH {
                    return Err(PgnError::TooDeep);
                }
                let board = std::mem::replace(&mut board, variation);
                outer.push(Outer { board, opened: lexer.at() });
                visitor.open();
            }
            Token::Close => {
                board = outer.pop().ok_or(PgnError::StrayClose)?.board;
                visitor.close();
            }
            // `*` may only mean that the moves don't tell.
            Token::Result(GameResult::Unknown) if outer.is_empty() => return Ok(tags.result),
            Token::Result(result) if outer.is_empty() => return Ok(result),
            // Some programs end a variation with a result.
            Token::Result(_) => {}
            Token::Tag { .. } => return Err(PgnError::Tag),
        }
        token = lexer.next()?;
    }
    if outer.is_empty() { Ok(tags.result) } else { Err(PgnError::OpenVariation) }
}

impl Board {
    fn new(start: Position) -> Self {
        Self { positions: [start.clone(), start], now: 0, moved: false }
    }

    fn now(&self) -> &Position {
        &self.positions[self.now]
    }

    fn before(&self) -> Option<&Position> {
        self.moved.then(|| &self.positions[1 - self.now])
    }

    #[inline]
    fn play<V: Visitor>(&mut self, text: &[u8], visitor: &mut V) -> Result<(), PgnError> {
        let [first, second] = &mut self.positions;
        let (now, next) = if self.now == 0 { (first, second) } else { (second, first) };
        let m = San::from_ascii(text).and_then(|san| san.to_move(now)).map_err(|reason| {
            PgnError::Move {
                number: now.fullmoves(),
                black: now.turn() == Color::Black,
                text: shown(text),
                reason,
            }
        })?;
        visitor.play(now, m);
        next.clone_from(now);
        next.play_unchecked(m);
        self.now = 1 - self.now;
        self.moved = true;
        Ok(())
    }
}

/// The tags that say where the game starts, and how it ended if the moves don't.
#[derive(Default)]
struct StartTags {
    fen: Option<String>,
    fen_at: usize,
    variant: Option<String>,
    variant_at: usize,
    result: GameResult,
}

impl StartTags {
    /// Notes a tag and where it stands.
    fn note(&mut self, name: &str, value: &str, at: usize) {
        match name {
            "FEN" => (self.fen, self.fen_at) = (Some(value.to_owned()), at),
            "Variant" => (self.variant, self.variant_at) = (Some(value.to_owned()), at),
            "Result" => {
                self.result = GameResult::from_text(value.as_bytes()).unwrap_or_default();
            }
            _ => {}
        }
    }

    fn start(&self, standard: &Position) -> Result<Position, PgnError> {
        if let Some(variant) = self.variant.as_deref().filter(|variant| !is_chess(variant)) {
            return Err(PgnError::Variant(shown(variant.as_bytes())));
        }
        match &self.fen {
            Some(fen) => Ok(fen.parse()?),
            None => Ok(standard.clone()),
        }
    }
}

/// Whether a variant's name means standard chess or Chess960 in one of its many spellings.
fn is_chess(variant: &str) -> bool {
    let plain: String = variant
        .chars()
        .filter(char::is_ascii_alphanumeric)
        .collect::<String>()
        .to_ascii_lowercase();
    matches!(
        plain.as_str(),
        "" | "standard"
            | "normal"
            | "chess"
            | "fromposition"
            | "chess960"
            | "960"
            | "frc"
            | "fischerandom"
            | "fischerrandom"
            | "fischerrandomchess"
    )
}

/// Takes the backslashes out of a tag's value.
fn unescape(value: &[u8]) -> Cow<'_, str> {
    let text = decode(value);
    if !text.contains('\\') {
        return text;
    }
    let mut plain = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match (c, chars.peek()) {
            ('\\', Some(&next @ ('"' | '\\'))) => {
                plain.push(next);
                chars.next();
            }
            _ => plain.push(c),
        }
    }
    Cow::Owned(plain)
}
