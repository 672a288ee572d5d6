//! Splits the lines of a header into tags.

use std::borrow::Cow;

use memchr::{memchr, memrchr};

use super::lexer::Token;
use super::signs::decode;

/// Reads the tag at the start of a line, and returns its length. Another may follow on the line.
pub(super) fn cut_tag(line: &[u8]) -> (Token<'_>, usize) {
    read_tag(line).unwrap_or_else(|| {
        let len = memchr(b']', line).map_or(line.len(), |end| end + 1);
        (Token::BadTag, len)
    })
}

/// `[Name "value"]`. A quote inside the value may be escaped; see [`tag_end`] for unescaped ones.
/// An unclosed value ends with its line.
fn read_tag(line: &[u8]) -> Option<(Token<'_>, usize)> {
    let inner = line[1..].trim_ascii_start();
    let name_len = inner.iter().position(|&c| matches!(c, b'"' | b']') || c <= b' ')?;
    let (name, value) = inner.split_at(name_len);
    let value = value.trim_ascii_start().strip_prefix(b"\"")?;
    if name.is_empty() {
        return None;
    }
    if let Some(end) = tag_end(value) {
        let (value, after) = value.split_at(end);
        let after = after[1..].trim_ascii_start();
        let after = after.strip_prefix(b"]").unwrap_or(after);
        return Some((Token::Tag { name, value }, line.len() - after.len()));
    }
    let end = memrchr(b']', value).unwrap_or(value.len());
    let (value, after) = value.split_at(end);
    let after = after.strip_prefix(b"]").unwrap_or(after);
    Some((Token::OpenTag { name, value: value.trim_ascii_end() }, line.len() - after.len()))
}

/// The closing quote of a tag's value: the first that is followed by `]`, or else the last of the
/// line. If all are escaped, as in `"C:\"`, the last one of them.
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

/// Removes the escaping backslashes of a tag's value.
pub(super) fn unescape(value: &[u8]) -> Cow<'_, str> {
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

/// Whether a line starts like a tag: `[Name "`.
pub(super) fn is_tag(line: &[u8]) -> bool {
    let Some(inner) = line.strip_prefix(b"[") else { return false };
    let name = inner.iter().take_while(|c| c.is_ascii_alphanumeric() || **c == b'_').count();
    name > 0 && inner[name..].trim_ascii_start().first() == Some(&b'"')
}

/// The length of `[pgn]` or `[/pgn]`, which forums put around games, at the start of a text.
#[inline]
pub(super) fn forum_tag_len(text: &[u8]) -> Option<usize> {
    match text {
        [b'[', b'/' | b'p' | b'P', ..] => read_forum_tag(text),
        _ => None,
    }
}

#[cold]
fn read_forum_tag(text: &[u8]) -> Option<usize> {
    /// Maximum length, with options.
    const LONGEST: usize = 100;
    let inner = text[1..].strip_prefix(b"/").unwrap_or(&text[1..]);
    let (name, options) = inner.split_at_checked(3)?;
    if !name.eq_ignore_ascii_case(b"pgn") || is_tag(text) {
        return None;
    }
    let options = &options[..options.len().min(LONGEST)];
    match options.first()? {
        b']' | b' ' | b'=' => {
            let end = options.iter().position(|c| matches!(c, b']' | b'\n' | b'\r'))?;
            (options[end] == b']').then_some(text.len() - inner.len() + 3 + end + 1)
        }
        _ => None,
    }
}
