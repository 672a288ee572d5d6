//! The start position and result in the tags of a game.

use chess::{FenError, Position};

use super::error::{PgnError, shown};
use super::notes::Notes;
use crate::{GameResult, Variant};

/// The tags needed to replay a game.
#[derive(Default)]
pub(super) struct Header {
    fen: Option<(String, usize)>,
    variant: Option<(String, usize)>,
    result: Ending,
}

/// A result, and how it came about.
#[derive(Copy, Clone, Default)]
pub(super) struct Ending {
    pub(super) result: GameResult,
    /// Whether it is a win by forfeit.
    pub(super) forfeit: bool,
}

impl Header {
    /// Reads a tag at an offset.
    pub(super) fn read(&mut self, name: &str, value: &str, at: usize, notes: &mut Notes) {
        match name {
            // Some programs write the tag when there is nothing to say.
            "FEN" if matches!(value.trim(), "" | "?" | "startpos") => {}
            "FEN" => self.fen = Some((value.to_owned(), at)),
            "Variant" => self.variant = Some((value.to_owned(), at)),
            "Result" => match Ending::from_tag(value) {
                Some(ending) => self.result = ending,
                None => notes.add(at, || PgnError::ResultTag(shown(value.as_bytes()))),
            },
            _ => {}
        }
    }

    /// The start position, or what is wrong with it and where.
    pub(super) fn start(
        &self,
        standard: &Position,
        notes: &mut Notes,
    ) -> Result<Position, (usize, PgnError)> {
        if let Some((variant, at)) = &self.variant
            && Variant::from_tag(variant).is_none()
        {
            return Err((*at, PgnError::Variant(shown(variant.as_bytes()))));
        }
        match &self.fen {
            Some((fen, at)) => position(fen, *at, notes).map_err(|error| (*at, error.into())),
            None => Ok(standard.clone()),
        }
    }

    /// The result, from the tag and from the end of the moves. The latter counts, but `*` there may
    /// only mean that it is not given.
    pub(super) fn ending(&self, written: Option<Ending>, at: usize, notes: &mut Notes) -> Ending {
        let tag = self.result;
        let Some(written) = written.filter(|ending| ending.result != GameResult::Unknown) else {
            let forfeit = tag.forfeit || written.is_some_and(|ending| ending.forfeit);
            return Ending { forfeit, ..tag };
        };
        if tag.result == written.result {
            return Ending { forfeit: tag.forfeit || written.forfeit, ..written };
        }
        if tag.result != GameResult::Unknown {
            notes.add(at, || PgnError::Results { tag: tag.result, moves: written.result });
        }
        written
    }
}

impl Ending {
    fn from_tag(value: &str) -> Option<Self> {
        let text = value.trim().as_bytes();
        if matches!(text, b"" | b"?") {
            return Some(Self::default());
        }
        let played = GameResult::from_text(text).map(|result| Self { result, forfeit: false });
        let forfeit = || GameResult::of_lone_forfeit(text);
        played.or_else(|| forfeit().map(|result| Self { result, forfeit: true }))
    }
}

/// The position of a FEN. Inconsistent castling rights and en passant squares are dropped, with a
/// note.
fn position(fen: &str, at: usize, notes: &mut Notes) -> Result<Position, FenError> {
    let error = match fen.parse() {
        Ok(position) => return Ok(position),
        Err(error) => error,
    };
    let mut fields: Vec<&str> = fen.split_whitespace().collect();
    let [board, turn, castling, ..] = fields[..] else { return Err(error) };
    let kept = possible_rights(board, turn, castling);
    fields[2] = &kept;
    let passed = fields.get(3).map_or("-", |square| *square);
    let mut found = fields.join(" ").parse::<Position>();
    if found.is_err() && passed != "-" {
        fields[3] = "-";
        found = fields.join(" ").parse();
    }
    let Ok(found) = found else { return Err(error) };
    if kept != castling {
        let written = shown(castling.as_bytes());
        notes.add(at, || PgnError::CastlingRights { written, kept: kept.clone() });
    }
    if fields.get(3).is_some_and(|square| *square != passed) {
        notes.add(at, || PgnError::EnPassant(shown(passed.as_bytes())));
    }
    Ok(found)
}

/// The castling rights that fit the board, each together with those before it.
fn possible_rights(board: &str, turn: &str, castling: &str) -> String {
    let mut kept = String::new();
    // There are four; allow a few wrong ones more.
    for right in castling.chars().take(8) {
        let more = format!("{kept}{right}");
        if format!("{board} {turn} {more}").parse::<Position>().is_ok() {
            kept = more;
        }
    }
    if kept.is_empty() { "-".to_owned() } else { kept }
}
