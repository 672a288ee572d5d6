//! Tags, comments, clocks and variations of a game as bytes: what is neither a move of the game nor in a
//! column.

use crate::bytes::{Cursor, put_text, put_varint, unzigzag, zigzag};
use crate::error::Damage;

/// Names of frequent tags. Their places are part of the format: append only.
const TAGS: [&str; 32] = [
    "Event",
    "Site",
    "Date",
    "Round",
    "White",
    "Black",
    "WhiteElo",
    "BlackElo",
    "ECO",
    "TimeControl",
    "UTCDate",
    "UTCTime",
    "WhiteRatingDiff",
    "BlackRatingDiff",
    "Opening",
    "Variation",
    "Termination",
    "WhiteTitle",
    "BlackTitle",
    "EventDate",
    "PlyCount",
    "Annotator",
    "Source",
    "WhiteFideId",
    "BlackFideId",
    "WhiteTeam",
    "BlackTeam",
    "Variant",
    "SubVariation",
    "Mode",
    "GameId",
    "Board",
];

/// A tag whose name is written out.
const NAMED: u8 = 0;
/// The end of the tags.
const END: u8 = 0x7F;
/// The value of the tag is in a column.
const IN_COLUMN: u8 = 0x80;

/// A tag as stored.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Tag<'a> {
    /// The value is here.
    Here(&'a str, &'a str),
    /// The value is in the column of this tag.
    InColumn(&'a str),
}

pub(crate) fn put_tag(out: &mut Vec<u8>, name: &str, value: &str) {
    if let Some(at) = TAGS.iter().position(|known| *known == name) {
        out.push(at as u8 + 1);
    } else {
        out.push(NAMED);
        put_text(out, name.as_bytes());
    }
    put_text(out, value.as_bytes());
}

/// Adds a tag whose value is in a column.
pub(crate) fn put_column_tag(out: &mut Vec<u8>, name: &str) {
    let at = TAGS.iter().position(|known| *known == name).expect("columns have known tags");
    out.push((at as u8 + 1) | IN_COLUMN);
}

pub(crate) fn end_tags(out: &mut Vec<u8>) {
    out.push(END);
}

/// The next tag, or `None` at their end.
pub(crate) fn next_tag<'a>(cursor: &mut Cursor<'a>) -> Result<Option<Tag<'a>>, Damage> {
    let known = |code: u8| {
        let name = usize::from(code).checked_sub(1).and_then(|at| TAGS.get(at));
        name.copied().ok_or(Damage("a tag has no name"))
    };
    Ok(Some(match cursor.byte()? {
        END => return Ok(None),
        NAMED => Tag::Here(cursor.utf8()?, cursor.utf8()?),
        code if code & IN_COLUMN != 0 => Tag::InColumn(known(code & !IN_COLUMN)?),
        code => Tag::Here(known(code)?, cursor.utf8()?),
    }))
}

/// Something between the moves.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Note<'a> {
    /// Some moves of the game follow.
    Moves(usize),
    Comment(&'a str),
    /// Text of a line that can't be played.
    Unplayed(&'a str),
    Nag(u8),
    /// A variation starts.
    Open,
    Close,
    /// A null move in a variation.
    Pass,
    /// A move in a variation, by its index.
    Move(u16),
    /// A move of the game, and by how many seconds the mover's clock differs from its last reading.
    Clock(i64),
    Forfeit,
}

pub(crate) fn put_note(out: &mut Vec<u8>, note: Note<'_>) {
    match note {
        Note::Moves(count) => {
            out.push(0);
            put_varint(out, count as u64);
        }
        Note::Comment(text) => {
            out.push(1);
            put_text(out, text.as_bytes());
        }
        Note::Unplayed(text) => {
            out.push(2);
            put_text(out, text.as_bytes());
        }
        Note::Nag(nag) => out.extend([3, nag]),
        Note::Open => out.push(4),
        Note::Close => out.push(5),
        Note::Pass => out.push(6),
        Note::Move(index) => {
            out.push(7);
            put_varint(out, u64::from(index));
        }
        Note::Clock(change) => {
            out.push(8);
            put_varint(out, zigzag(change));
        }
        Note::Forfeit => out.push(9),
    }
}

/// The next note, or `None` at the end.
pub(crate) fn next_note<'a>(cursor: &mut Cursor<'a>) -> Result<Option<Note<'a>>, Damage> {
    if cursor.is_empty() {
        return Ok(None);
    }
    Ok(Some(match cursor.byte()? {
        0 => Note::Moves(cursor.at_most(1 << 20)?),
        1 => Note::Comment(cursor.utf8()?),
        2 => Note::Unplayed(cursor.utf8()?),
        3 => Note::Nag(cursor.byte()?),
        4 => Note::Open,
        5 => Note::Close,
        6 => Note::Pass,
        7 => Note::Move(cursor.at_most(chess::MAX_MOVES)? as u16),
        8 => Note::Clock(unzigzag(cursor.varint()?)),
        9 => Note::Forfeit,
        _ => return Err(Damage("a note of unknown kind")),
    }))
}

/// The seconds of a comment that is nothing but `[%clk 0:05:00]`.
pub(crate) fn clock_seconds(comment: &str) -> Option<i64> {
    let text = comment.trim_matches(' ').strip_prefix("[%clk ")?.strip_suffix(']')?;
    let (hours, rest) = text.split_once(':')?;
    let [m1, m2, b':', s1, s2] = *rest.as_bytes() else { return None };
    let digit = |c: u8| c.is_ascii_digit().then(|| i64::from(c - b'0'));
    let (minutes, seconds) = (digit(m1)? * 10 + digit(m2)?, digit(s1)? * 10 + digit(s2)?);
    let plain = hours.len() <= 3 && (hours == "0" || !hours.starts_with('0'));
    let hours = hours.bytes().try_fold(0, |sum, c| Some(sum * 10 + digit(c)?))?;
    (plain && !text.starts_with(':') && minutes < 60 && seconds < 60)
        .then_some(hours * 3600 + minutes * 60 + seconds)
}

/// The comment of which [`clock_seconds`] are these.
pub(crate) fn clock_comment(seconds: i64) -> String {
    let seconds = seconds.clamp(0, 999 * 3600);
    format!("[%clk {}:{:02}:{:02}]", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_and_notes_come_back() {
        let mut bytes = Vec::new();
        put_tag(&mut bytes, "Site", "Riga");
        put_tag(&mut bytes, "Weather", "rain");
        put_column_tag(&mut bytes, "White");
        end_tags(&mut bytes);
        let notes = [
            Note::Moves(300),
            Note::Comment("good"),
            Note::Unplayed("Kxx9"),
            Note::Nag(255),
            Note::Open,
            Note::Move(400),
            Note::Pass,
            Note::Close,
            Note::Clock(-7),
            Note::Forfeit,
        ];
        for note in notes {
            put_note(&mut bytes, note);
        }
        let mut cursor = Cursor(&bytes);
        assert_eq!(next_tag(&mut cursor), Ok(Some(Tag::Here("Site", "Riga"))));
        assert_eq!(next_tag(&mut cursor), Ok(Some(Tag::Here("Weather", "rain"))));
        assert_eq!(next_tag(&mut cursor), Ok(Some(Tag::InColumn("White"))));
        assert_eq!(next_tag(&mut cursor), Ok(None));
        for note in notes {
            assert_eq!(next_note(&mut cursor), Ok(Some(note)));
        }
        assert_eq!(next_note(&mut cursor), Ok(None));
    }

    #[test]
    fn only_plain_clocks_are_numbers() {
        for (text, seconds) in [("[%clk 0:05:00]", 300), (" [%clk 12:00:59] ", 43_259)] {
            assert_eq!(clock_seconds(text), Some(seconds));
            assert_eq!(clock_comment(seconds), text.trim());
        }
        for text in [
            "",
            "[%clk 0:05:00.5]",
            "[%clk 5:00]",
            "[%clk 00:05:00]",
            "[%clk 0:60:00]",
            "[%clk :05:00]",
            "[%clk 0:05:00] good",
            "[%clk -1:05:00]",
            "[%clk 1000:00:00]",
        ] {
            assert_eq!(clock_seconds(text), None, "{text}");
        }
    }
}
