//! Finds a place where a file of games can be cut, so that several threads can read it.

use memchr::{memchr_iter, memmem};

/// The start of the last game in a text, if the text can be cut there without a doubt: a result, a
/// blank line, and an `Event` tag. Reading both parts gives the same games as reading the whole.
///
/// ```
/// let text = "[Event \"a\"]\n\n1. e4 1-0\n\n[Event \"b\"]\n\n1. d4 *\n";
/// assert_eq!(game::pgn::last_start(text.as_bytes()), Some(24));
/// assert_eq!(game::pgn::last_start(&text.as_bytes()[..24]), None);
/// ```
pub fn last_start(text: &[u8]) -> Option<usize> {
    memmem::rfind_iter(text, b"\n[Event ").map(|at| at + 1).find(|&at| is_cut(&text[..at]))
}

/// Whether the text before a tag ends with a line of moves, their result and a blank line.
fn is_cut(before: &[u8]) -> bool {
    let end = before.trim_ascii_end();
    let blank = memchr_iter(b'\n', &before[end.len()..]).count() >= 2;
    let start = end.iter().rposition(|&c| matches!(c, b'\n' | b'\r')).map_or(0, |at| at + 1);
    let line = &end[start..];
    let word = line.iter().rposition(u8::is_ascii_whitespace).map_or(0, |at| at + 1);
    // A line that starts like these may be no part of the moves.
    blank
        && !matches!(line.first(), None | Some(b'[' | b';' | b'%' | b'{'))
        && matches!(&line[word..], b"1-0" | b"0-1" | b"1/2-1/2" | b"*")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::Reader;

    fn games(text: &[u8]) -> Vec<String> {
        Reader::new(text)
            .games()
            .map(|game| game.map_or_else(|_| String::from("lost"), |game| game.to_string()))
            .collect()
    }

    #[test]
    fn the_parts_of_a_text_have_the_games_of_the_whole() {
        let pieces = [
            "[Event \"a\"]\n[White \"x\"]\n\n1. e4 e5 1-0\n\n",
            "[Event \"b\"]\r\n\r\n1. d4 { 1-0\n\n[Event \"c\"]\n } d5 1/2-1/2\r\n\r\n",
            "[Event \"d\"]\n\n; 1-0\n\n",
            "{ before the tags 1-0 }\n\n",
            "[Event \"e\"]\n\n*\n\n",
            "[Event \"f\"]\n\n1. c4 0-1\n[Event \"g\"]\n\n1. Nf3 *\n\n",
            "1. e4 1-0\n\n",
            "% 1-0\n\n",
        ];
        // Every sequence of four pieces.
        for number in 0..pieces.len().pow(4) {
            let part = |i: u32| pieces[number / pieces.len().pow(i) % pieces.len()];
            let text = [part(0), part(1), part(2), part(3)].concat();
            if let Some(at) = last_start(text.as_bytes()) {
                let (first, second) = text.as_bytes().split_at(at);
                let whole: Vec<_> = games(text.as_bytes());
                let parts: Vec<_> = [games(first), games(second)].concat();
                assert_eq!(parts, whole, "{text}");
            }
        }
    }
}
