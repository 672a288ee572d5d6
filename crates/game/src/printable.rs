//! Text of others, made safe to print.

use std::borrow::Cow;

/// A text without what could take over a terminal or show text in another order than it has: control
/// characters other than line ends, and the invisible marks of writing direction. Files, servers and
/// engines may contain them; everything that prints their text asks here.
pub fn printable(text: &str) -> Cow<'_, str> {
    if !text.contains(is_unsafe) {
        return Cow::Borrowed(text);
    }
    let shown = |c: char| match c {
        '\t' => Some(' '),
        c if is_unsafe(c) => None,
        c => Some(c),
    };
    Cow::Owned(text.chars().filter_map(shown).collect())
}

/// A text as [`printable`] gives it, in one line.
pub fn printable_line(text: &str) -> Cow<'_, str> {
    match printable(text) {
        clean if clean.contains('\n') => Cow::Owned(clean.replace('\n', " ")),
        clean => clean,
    }
}

/// A text whose control characters are our own colors, without marks of writing direction.
pub fn printable_styled(text: &str) -> Cow<'_, str> {
    if text.contains(is_direction) {
        Cow::Owned(text.chars().filter(|&c| !is_direction(c)).collect())
    } else {
        Cow::Borrowed(text)
    }
}

const fn is_direction(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

fn is_unsafe(c: char) -> bool {
    is_direction(c) || matches!(c, '\u{2028}' | '\u{2029}') || c.is_control() && c != '\n'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_of_others_cannot_take_over_the_terminal() {
        assert!(matches!(printable("Tal, Михаил\n1. e4"), Cow::Borrowed(_)));
        assert_eq!(printable("a\u{1b}]0;x\u{7}\u{9b}2J\r\tb"), "a]0;x2J b");
        assert_eq!(printable("Tal\u{202e}lasparov\u{2066}!\u{200f}"), "Tallasparov!");
        assert_eq!(printable_styled("\u{1b}[1mTal\u{202e}!"), "\u{1b}[1mTal!");
        assert_eq!(printable_line("a\nb"), "a b");
    }
}
