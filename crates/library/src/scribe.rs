//! Listens to the reader of PGN and writes down each game as the library keeps it.

use std::collections::HashMap;

use chess::{Move, Position};
use game::pgn::{Comment, Visitor};
use game::{GameResult, Nag, Speed, TimeControl};

use crate::batch::{Batch, Posting, Row};
use crate::eco::Eco;
use crate::facts::{Date, Facts};
use crate::material::Material;
use crate::notes::{Note, clock_seconds, end_tags, put_column_tag, put_note, put_tag};
use crate::ranking::{NONE, index_of, put_index, short};
use crate::teller::Listener;

/// Writes games into a batch.
#[derive(Debug, Default)]
pub(crate) struct Scribe {
    pub(crate) batch: Batch,
    draft: Draft,
    /// Where the postings of the game start.
    first_posting: usize,
    speeds: HashMap<String, Option<Speed>>,
    /// The index of the next move, if it is known.
    known: Option<u16>,
    /// The usual start position.
    standard: Position,
}

/// The game being read.
#[derive(Debug, Default)]
struct Draft {
    white: Option<String>,
    black: Option<String>,
    ratings: [u16; 2],
    date: Option<Date>,
    eco: Eco,
    control: Option<String>,
    tags: Vec<u8>,
    notes: Vec<u8>,
    start: String,
    moves: Vec<u8>,
    /// The keys of all positions so far.
    keys: Vec<u64>,
    /// The position before the last move, and that move.
    last: Position,
    played: Option<Move>,
    /// Moves of the game since the last note.
    unnoted: usize,
    depth: usize,
    clocks: [i64; 2],
}

impl Draft {
    /// Makes room for another game; the position is set at its start.
    fn clear(&mut self) {
        (self.white, self.black, self.control) = (None, None, None);
        (self.ratings, self.date, self.eco) = ([0; 2], None, Eco::NONE);
        for bytes in [&mut self.tags, &mut self.notes, &mut self.moves] {
            bytes.clear();
        }
        self.start.clear();
        self.keys.clear();
        self.played = None;
        (self.unnoted, self.depth, self.clocks) = (0, 0, [0; 2]);
    }

    /// Takes the value of a tag into its column, if it has one and can be written from it again.
    fn take_column(&mut self, name: &str, value: &str) -> bool {
        let same = |column: &mut Option<String>| {
            column.is_none() && value.len() < 256 && {
                *column = Some(value.to_owned());
                true
            }
        };
        match name {
            "White" => same(&mut self.white),
            "Black" => same(&mut self.black),
            "TimeControl" => value.len() < 64 && same(&mut self.control),
            "WhiteElo" => rate(&mut self.ratings[0], value),
            "BlackElo" => rate(&mut self.ratings[1], value),
            "ECO" => {
                let eco = Eco::from_tag(value);
                let fits = self.eco == Eco::NONE && eco != Eco::NONE;
                if fits {
                    self.eco = eco;
                }
                fits
            }
            "Date" => {
                let date = value.parse::<Date>().ok().filter(|date| date.is_written(value));
                let fits = self.date.is_none() && date.is_some();
                if fits {
                    self.date = date;
                }
                fits
            }
            "UTCDate" => self.date.is_some_and(|date| date.is_written(value)),
            _ => false,
        }
    }

    fn note(&mut self, note: Note<'_>) {
        let count = std::mem::take(&mut self.unnoted);
        if count > 0 {
            put_note(&mut self.notes, Note::Moves(count));
        }
        put_note(&mut self.notes, note);
    }

    /// Writes a clock after a move of the game as a number; `false` if it isn't one.
    fn note_clock(&mut self, text: &str) -> bool {
        if self.depth > 0 || self.unnoted == 0 {
            return false;
        }
        let Some(seconds) = clock_seconds(text) else { return false };
        let clock = &mut self.clocks[self.keys.len() % 2];
        let change = seconds - std::mem::replace(clock, seconds);
        self.unnoted -= 1;
        self.note(Note::Clock(change));
        true
    }

    /// Whether the position is new in this game. No position before the last capture or pawn move
    /// can come back.
    fn visit(&mut self, position: &Position) -> bool {
        let key = position.key();
        let count = self.keys.len();
        let reach = usize::from(position.halfmoves()).min(count);
        let known = self.keys[count - reach..].contains(&key);
        self.keys.push(key);
        !known
    }
}

fn rate(column: &mut u16, value: &str) -> bool {
    let plain =
        !value.starts_with('0') && value.len() <= 4 && value.bytes().all(|c| c.is_ascii_digit());
    let rating = value.parse().ok().filter(|_| plain && *column == 0);
    *column = rating.unwrap_or(*column);
    rating.is_some()
}

impl Scribe {
    /// Must be called before each game: a rejected one may have left something.
    pub(crate) fn begin(&mut self) {
        self.draft.clear();
        self.batch.postings.truncate(self.first_posting);
    }

    /// Takes the games out.
    pub(crate) fn take(&mut self) -> Batch {
        self.begin();
        self.first_posting = 0;
        std::mem::take(&mut self.batch)
    }

    fn visit(&mut self, position: &Position, played: u8) {
        if self.draft.visit(position) {
            let row = self.batch.rows.len() as u32;
            self.batch.postings.push(Posting { key: position.key(), row, played });
        }
    }

    fn speed(&mut self) -> Option<Speed> {
        let control = self.draft.control.as_deref()?;
        if let Some(&known) = self.speeds.get(control) {
            return known;
        }
        let speed = control.parse().ok().map(|control: TimeControl| control.speed());
        self.speeds.insert(control.to_owned(), speed);
        speed
    }
}

impl Listener for Scribe {
    fn index(&mut self, index: u16) {
        self.known = Some(index);
    }
}

impl Visitor for Scribe {
    fn tag(&mut self, name: &str, value: &str) {
        // These follow from the game.
        if matches!(name, "Result" | "FEN" | "SetUp") {
            return;
        }
        if self.draft.take_column(name, value) {
            put_column_tag(&mut self.draft.tags, name);
        } else {
            put_tag(&mut self.draft.tags, name, value);
        }
    }

    fn start(&mut self, position: &Position) {
        self.draft.last.clone_from(position);
        if *position != self.standard {
            self.draft.start = position.to_string();
        }
    }

    fn play(&mut self, position: &Position, m: Move) {
        let index = self.known.take().unwrap_or_else(|| index_of(position, m));
        if self.draft.depth > 0 {
            return self.draft.note(Note::Move(index));
        }
        put_index(&mut self.draft.moves, index);
        self.visit(position, short(index));
        self.draft.last.clone_from(position);
        self.draft.played = Some(m);
        self.draft.unnoted += 1;
    }

    fn pass(&mut self) {
        self.draft.note(Note::Pass);
    }

    fn comment(&mut self, comment: Comment<'_>) {
        let text = comment.text();
        if !self.draft.note_clock(&text) {
            self.draft.note(Note::Comment(&text));
        }
    }

    fn unplayed(&mut self, text: Comment<'_>) {
        self.draft.note(Note::Unplayed(&text.text()));
    }

    fn nag(&mut self, nag: Nag) {
        self.draft.note(Note::Nag(nag.0));
    }

    fn open(&mut self) {
        self.draft.note(Note::Open);
        self.draft.depth += 1;
    }

    fn close(&mut self) {
        self.draft.depth -= 1;
        self.draft.note(Note::Close);
    }

    fn forfeit(&mut self) {
        self.draft.note(Note::Forfeit);
    }

    fn end(&mut self, result: GameResult) {
        let mut end = self.draft.last.clone();
        if let Some(m) = self.draft.played {
            end.play_unchecked(m);
        }
        self.visit(&end, NONE);
        end_tags(&mut self.draft.tags);
        let speed = self.speed();
        let Self { batch, draft, .. } = self;
        let white = draft.white.as_deref().unwrap_or("");
        let black = draft.black.as_deref().unwrap_or("");
        let facts = Facts::new(result, speed, draft.date.unwrap_or_default());
        draft.tags.extend_from_slice(&draft.notes);
        let row = Row {
            moves: batch.add(&draft.moves),
            extras: batch.add(&draft.tags),
            start: batch.add(draft.start.as_bytes()),
            white: batch.add(white.as_bytes()),
            black: batch.add(black.as_bytes()),
            control: batch.add(draft.control.as_deref().unwrap_or("").as_bytes()),
            facts,
            ratings: draft.ratings,
            eco: draft.eco.0,
            material: Material::of(&end).0,
            twin: twin(white, black, facts),
        };
        batch.plies += draft.keys.len() as u64 - 1;
        batch.rows.push(row);
        self.first_posting = self.batch.postings.len();
    }
}

/// A hash (FNV-1a) of what tells games with equal moves apart.
fn twin(white: &str, black: &str, facts: Facts) -> u64 {
    let facts = facts.0.to_le_bytes();
    let bytes = white.bytes().chain([0]).chain(black.bytes()).chain([0]).chain(facts);
    bytes.fold(0xCBF2_9CE4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01B3)
    })
}
