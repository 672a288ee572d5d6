//! Tells the stored games to a visitor, as the reader of PGN would.

use chess::{Move, Position};
use game::Nag;
use game::pgn::{Builder, Comment, Visitor};

use crate::bytes::Cursor;
use crate::eco::Eco;
use crate::error::{At, Damage, Result};
use crate::extras::Extras;
use crate::moves::MovesReader;
use crate::notes::{Note, Tag, clock_comment, next_note, next_tag};
use crate::ranking::{Indices, move_at};
use crate::segment::Segment;

/// A visitor that may want to know the index of each move, to save finding it out again.
pub(crate) trait Listener: Visitor {
    /// The next move's index among the legal moves.
    fn index(&mut self, index: u16) {
        let _ = index;
    }
}

impl Listener for Builder {}

/// Reads games; fastest one after the other.
#[derive(Debug)]
pub(crate) struct Teller<'a> {
    segment: &'a Segment,
    moves: MovesReader<'a>,
    next: u32,
    extras: Option<Extras>,
}

impl<'a> Teller<'a> {
    pub(crate) fn new(segment: &'a Segment, first: u32) -> Result<Self> {
        let moves = MovesReader::new(&segment.files.moves, first)?;
        Ok(Self { segment, moves, next: first, extras: None })
    }

    /// Tells a game.
    pub(crate) fn tell(&mut self, game: u32, visitor: &mut impl Listener) -> Result<()> {
        let files = &self.segment.files;
        if game != self.next {
            self.moves = MovesReader::new(&files.moves, game)?;
        }
        self.next = game + 1;
        let page = match self.extras.take() {
            Some(page) if page.has(game) => page,
            _ => Extras::read(&files.extras, game)?,
        };
        let page = self.extras.insert(page);
        let mut extras = Cursor(page.game(&files.extras, game)?);
        tell_tags(self.segment, game, &mut extras, visitor)?;
        let start = files.meta.start(game);
        visitor.start(start);
        let play = Play {
            board: Board { now: start.clone(), before: None },
            outer: Vec::new(),
            rest: Indices(self.moves.next()?),
            plies: 0,
            clocks: [0; 2],
        };
        play.tell(&mut extras, visitor).at(files.extras.path())?;
        visitor.end(self.segment.columns.facts[game as usize].result());
        Ok(())
    }
}

/// Tells the tags; those that are in columns come from there.
fn tell_tags(
    segment: &Segment,
    game: u32,
    extras: &mut Cursor<'_>,
    visitor: &mut impl Listener,
) -> Result<()> {
    let files = &segment.files;
    let at = game as usize;
    let columns = &segment.columns;
    let details = segment.details(game)?;
    while let Some(tag) = next_tag(extras).at(files.extras.path())? {
        match tag {
            Tag::Here(name, value) => visitor.tag(name, value),
            Tag::InColumn(name) => match name {
                "White" => visitor.tag(name, files.names.get(details.white)),
                "Black" => visitor.tag(name, files.names.get(details.black)),
                "WhiteElo" => visitor.tag(name, &columns.ratings[at][0].to_string()),
                "BlackElo" => visitor.tag(name, &columns.ratings[at][1].to_string()),
                "ECO" => visitor.tag(name, &Eco(details.eco).to_string()),
                "Date" | "UTCDate" => visitor.tag(name, &columns.facts[at].date().to_string()),
                "TimeControl" => {
                    let control = files.meta.controls.get(columns.controls[at] as usize);
                    let control = control.ok_or(Damage("a time control is unknown"));
                    visitor.tag(name, control.at(files.facts.path())?);
                }
                _ => return Err(files.extras.damaged("a tag has no column")),
            },
        }
    }
    Ok(())
}

/// A position, and the one before the last move.
struct Board {
    now: Position,
    before: Option<Position>,
}

impl Board {
    fn play(&mut self, m: Move) {
        match &mut self.before {
            Some(before) => before.clone_from(&self.now),
            None => self.before = Some(self.now.clone()),
        }
        self.now.play_unchecked(m);
    }
}

/// A game being told.
struct Play<'a> {
    board: Board,
    /// The lines that wait for a variation to end.
    outer: Vec<Board>,
    /// The moves of the game still to be told.
    rest: Indices<'a>,
    plies: usize,
    clocks: [i64; 2],
}

const ORDER: Damage = Damage("moves and notes don't fit together");

impl Play<'_> {
    fn tell(mut self, notes: &mut Cursor<'_>, visitor: &mut impl Listener) -> Result<(), Damage> {
        while let Some(note) = next_note(notes)? {
            match note {
                Note::Moves(count) => {
                    for _ in 0..count {
                        self.go_on(visitor)?;
                    }
                }
                Note::Clock(change) => {
                    self.go_on(visitor)?;
                    let clock = &mut self.clocks[self.plies % 2];
                    *clock = clock.wrapping_add(change);
                    visitor.comment(Comment::new(&clock_comment(*clock)));
                }
                Note::Comment(text) => visitor.comment(Comment::new(text)),
                Note::Unplayed(text) => visitor.unplayed(Comment::new(text)),
                Note::Nag(nag) => visitor.nag(Nag(nag)),
                Note::Open => {
                    let before = self.board.before.clone().ok_or(ORDER)?;
                    let variation = Board { now: before, before: None };
                    self.outer.push(std::mem::replace(&mut self.board, variation));
                    visitor.open();
                }
                Note::Close => {
                    self.board = self.outer.pop().ok_or(ORDER)?;
                    visitor.close();
                }
                Note::Move(_) | Note::Pass if self.outer.is_empty() => return Err(ORDER),
                Note::Move(index) => self.play(index, visitor)?,
                Note::Pass => {
                    let next = self.board.now.after_null_move().ok_or(ORDER)?;
                    self.board.before = Some(std::mem::replace(&mut self.board.now, next));
                    visitor.pass();
                }
                Note::Forfeit => visitor.forfeit(),
            }
        }
        if !self.outer.is_empty() {
            return Err(ORDER);
        }
        while !self.rest.0.is_empty() {
            self.go_on(visitor)?;
        }
        Ok(())
    }

    /// The next move of the game.
    fn go_on(&mut self, visitor: &mut impl Listener) -> Result<(), Damage> {
        if !self.outer.is_empty() {
            return Err(ORDER);
        }
        let index = self.rest.next().ok_or(ORDER)?;
        self.plies += 1;
        self.play(index, visitor)
    }

    fn play(&mut self, index: u16, visitor: &mut impl Listener) -> Result<(), Damage> {
        let m = move_at(&self.board.now, index).ok_or(Damage("a move is illegal"))?;
        visitor.index(index);
        visitor.play(&self.board.now, m);
        self.board.play(m);
        Ok(())
    }
}
