//! Non-ASCII characters between moves, as written by word processors, web pages and books.

use std::borrow::Cow;

/// The first character of a text, and its length in bytes: UTF-8, or else Latin-1.
pub(crate) fn next_char(text: &[u8]) -> Option<(char, usize)> {
    let first = *text.first()?;
    if first.is_ascii() {
        return Some((char::from(first), 1));
    }
    let len = match first {
        0xC2..=0xDF => 2,
        0xE0..=0xEF => 3,
        0xF0..=0xF4 => 4,
        _ => 1,
    };
    let utf8 = text.get(..len).and_then(|bytes| std::str::from_utf8(bytes).ok());
    Some(utf8.and_then(|text| text.chars().next()).map_or((char::from(first), 1), |c| (c, len)))
}

/// Whether it is a dash of any kind. Some are Windows-1252, read as Latin-1.
pub(crate) const fn is_dash(c: char) -> bool {
    matches!(
        c,
        '-' | '\u{ad}' | '\u{96}' | '\u{97}' | '\u{2010}'
            ..='\u{2015}' | '\u{2212}' | '\u{fe58}' | '\u{fe63}' | '\u{ff0d}'
    )
}

/// Whether it is a space or invisible.
pub(super) fn is_blank(c: char) -> bool {
    let invisible = matches!(c, '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}');
    invisible || c <= ' ' || c.is_whitespace()
}

/// Whether it may be part of a move or result.
pub(super) fn is_part_of_word(c: char) -> bool {
    is_dash(c) || letter(c).is_some() || c.is_alphanumeric()
}

/// The ASCII equivalent of a character in a move: `N` for a figurine.
const fn letter(c: char) -> Option<&'static str> {
    Some(match c {
        '♔' | '♚' => "K",
        '♕' | '♛' => "Q",
        '♖' | '♜' => "R",
        '♗' | '♝' => "B",
        '♘' | '♞' => "N",
        '♙' | '♟' => "P",
        '×' => "x",
        '½' => "1/2",
        // Variation selectors only say how a figurine is drawn.
        '\u{fe0e}' | '\u{fe0f}' => "",
        _ => return None,
    })
}

/// The text with characters replaced by their ASCII equivalents.
pub(crate) fn plain(text: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(text) {
        Ok(ascii) if ascii.is_ascii() => return Cow::Borrowed(ascii),
        _ => {}
    }
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((c, len)) = next_char(rest) {
        match letter(c) {
            Some(letter) => plain.push_str(letter),
            None => plain.push(if is_dash(c) { '-' } else { c }),
        }
        rest = &rest[len..];
    }
    Cow::Owned(plain)
}

/// Decodes text of a file: UTF-8, or else Latin-1, as in older files.
pub(super) fn decode(text: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(text) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => text.iter().map(|&byte| char::from(byte)).collect(),
    }
}
