//! Fits text into columns.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use game::printable_line;

/// The beginning of a text that fits in a width, with dots if something is missing.
pub(super) fn cut(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let mut out = String::new();
    let mut used = 0;
    for c in text.chars() {
        used += c.width().unwrap_or(0);
        if used + 1 > width {
            break;
        }
        out.push(c);
    }
    if width > 0 {
        out.push('~');
    }
    out
}

/// Breaks a text into lines of a width. A line that fits stays as it is; otherwise indentation is
/// kept, and a word that is too long is broken.
pub(super) fn wrap(text: &str, width: usize) -> Vec<String> {
    let width = width.max(1);
    let mut lines = Vec::new();
    for paragraph in text.lines() {
        let paragraph = printable_line(paragraph);
        if paragraph.width() <= width {
            lines.push(paragraph.into_owned());
            continue;
        }
        let indent: String = paragraph.chars().take_while(|&c| c == ' ').take(width / 2).collect();
        let mut line = indent.clone();
        let mut empty = true;
        for word in paragraph.split(' ').filter(|word| !word.is_empty()) {
            if !empty && line.width() + 1 + word.width() > width {
                lines.push(std::mem::replace(&mut line, indent.clone()));
                empty = true;
            }
            if !empty {
                line.push(' ');
            }
            empty = false;
            for c in word.chars() {
                if line.width() + c.width().unwrap_or(0) > width {
                    lines.push(std::mem::replace(&mut line, indent.clone()));
                }
                line.push(c);
            }
        }
        lines.push(line);
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_cut_with_a_sign() {
        assert_eq!(cut("Sicilian", 8), "Sicilian");
        assert_eq!(cut("Sicilian", 5), "Sici~");
        assert_eq!(cut("漢字漢字", 5), "漢字~");
        assert_eq!(cut("abc", 0), "");
    }

    #[test]
    fn lines_break_between_words() {
        assert_eq!(wrap("one two three", 7), ["one two", "three"]);
        assert_eq!(wrap("  one two", 6), ["  one", "  two"]);
        assert_eq!(wrap("a   table", 9), ["a   table"]);
        assert_eq!(wrap("abcdefgh", 3), ["abc", "def", "gh"]);
        assert_eq!(wrap("a\n\nb", 9), ["a", "", "b"]);
        assert!(wrap("x\u{1b}[2J y", 20).concat().chars().all(|c| !c.is_control()));
    }
}
