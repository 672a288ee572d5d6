//! EPD: a position and operations on one line, as used by test suites and opening books.

/// A parsed line. The position is left as text for the caller to parse.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Epd<'a> {
    /// The position as FEN, with the counters of the line.
    pub(crate) fen: String,
    /// Opcode and operands of each operation.
    pub(crate) operations: Vec<(&'a str, &'a str)>,
}

/// The non-empty lines of a file, with their numbers from 1, without comments (`#`).
pub fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let text = text.trim_start_matches('\u{feff}');
    let lines = text.lines().enumerate().map(|(number, line)| (number + 1, line.trim()));
    lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
}

impl<'a> Epd<'a> {
    /// Splits a line: four fields, counters as in a FEN if there are two, and operations. The
    /// operations `hmvc` and `fmvn` are the counters of a line without them.
    pub(crate) fn read(line: &'a str) -> Self {
        let mut rest = line.trim();
        let mut fields = Vec::new();
        while fields.len() < 4 && !rest.is_empty() {
            let (field, after) = first_word(rest);
            fields.push(field);
            rest = after;
        }
        if fields.len() < 4 {
            return Self { fen: line.to_owned(), operations: Vec::new() };
        }
        let number = |text: &str| text.trim_end_matches(';').parse::<u16>().ok();
        let (first, after_first) = first_word(rest);
        let (second, after_both) = first_word(after_first);
        let written = number(first).zip(number(second));
        if written.is_some() {
            rest = after_both;
        }
        let operations = operations(rest);
        let operation = |name: &str| {
            let (_, operand) = operations.iter().find(|(code, _)| *code == name)?;
            number(operand)
        };
        let (halfmoves, fullmoves) = written
            .unwrap_or_else(|| (operation("hmvc").unwrap_or(0), operation("fmvn").unwrap_or(1)));
        Self { fen: format!("{} {halfmoves} {fullmoves}", fields.join(" ")), operations }
    }
}

fn first_word(text: &str) -> (&str, &str) {
    let (word, after) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    (word, after.trim_start())
}

/// Operations end with a semicolon that is not in quotes.
fn operations(text: &str) -> Vec<(&str, &str)> {
    let mut quoted = false;
    let parts = text.split(|c| {
        quoted ^= c == '"';
        c == ';' && !quoted
    });
    parts.map(str::trim).filter(|part| !part.is_empty()).map(first_word).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOARD: &str = "8/8/8/8/8/8/5k2/7K w - -";

    #[test]
    fn counters_stand_in_the_position_or_in_operations() {
        for (rest, counters) in [
            ("", "0 1"),
            ("3 40", "3 40"),
            ("3 40;", "3 40"),
            ("hmvc 2; fmvn 9; id \"x\";", "2 9"),
            ("fmvn 9;", "0 9"),
        ] {
            assert_eq!(Epd::read(&format!("{BOARD} {rest}")).fen, format!("{BOARD} {counters}"));
        }
        assert_eq!(Epd::read("nonsense").fen, "nonsense");
    }

    #[test]
    fn a_semicolon_in_quotes_ends_nothing() {
        let line = format!("{BOARD} 3 40 bm Kh2; c0 \"x; bm Zz9\"; id \"A.1\"");
        let epd = Epd::read(&line);
        assert_eq!(epd.operations, [("bm", "Kh2"), ("c0", "\"x; bm Zz9\""), ("id", "\"A.1\"")]);
    }

    #[test]
    fn comments_and_empty_lines_say_nothing() {
        let found: Vec<_> = lines("\u{feff}a\n\n# b\r\n  c \r\n").collect();
        assert_eq!(found, [(1, "a"), (4, "c")]);
    }
}
