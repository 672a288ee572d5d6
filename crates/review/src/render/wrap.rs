//! Text in lines of limited width.

use game::printable_line;

/// Breaks a text into lines of at most `width` characters, each after `indent` spaces. Longer words
/// get a line of their own.
pub(super) fn wrap(text: &str, width: usize, indent: usize) -> String {
    let mut out = String::new();
    let mut column = 0;
    for word in text.split_whitespace() {
        let len = word.chars().count();
        if column > 0 && column + 1 + len <= width {
            out.push(' ');
            column += 1 + len;
        } else {
            if column > 0 {
                out.push('\n');
            }
            out.push_str(&" ".repeat(indent));
            column = indent + len;
        }
        out.push_str(word);
    }
    if column > 0 {
        out.push('\n');
    }
    out
}

/// A text of others in one line, made safe to print.
pub(super) fn plain(text: &str) -> String {
    printable_line(text).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A text of at most `width` characters, cut with `...` if needed.
pub(super) fn cut(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_owned();
    }
    let kept: String = text.chars().take(width.saturating_sub(3)).collect();
    format!("{}...", kept.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_between_words() {
        assert_eq!(wrap("one two  three\nfour", 9, 1), " one two\n three\n four\n");
        assert_eq!(wrap("a incomprehensible b", 6, 0), "a\nincomprehensible\nb\n");
        assert_eq!(wrap(" ", 6, 2), "");
    }

    #[test]
    fn a_name_cannot_take_over_the_terminal() {
        assert_eq!(plain("Tal\x1b[2J\u{9b}31m\t \u{202e}Misha"), "Tal[2J31m Misha");
        assert_eq!(cut("Nepomniachtchi", 10), "Nepomni...");
        assert_eq!(cut("Tal", 3), "Tal");
    }
}
