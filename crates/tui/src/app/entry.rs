//! The line that a player types, with completion.

use chess::Position;

use crate::order::words_from;
use game::printable_line;

/// The longest line.
const LONGEST: usize = 200;

/// A line being typed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Entry {
    text: String,
    /// The caret's place, in characters.
    caret: usize,
    /// What Tab goes through, and which is shown.
    cycle: Option<(Vec<String>, usize)>,
}

impl Entry {
    /// The text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The caret's place, in characters.
    pub const fn caret(&self) -> usize {
        self.caret
    }

    /// Whether nothing has been typed.
    pub const fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// Types a text at the caret. Control characters are left out, and line ends are spaces.
    pub fn insert(&mut self, text: &str) {
        self.cycle = None;
        let room = LONGEST.saturating_sub(self.text.chars().count());
        let clean = printable_line(text);
        let clean = clean.chars().map(|c| if c.is_whitespace() { ' ' } else { c });
        let clean: String = clean.take(room).collect();
        let at = self.byte(self.caret);
        self.text.insert_str(at, &clean);
        self.caret += clean.chars().count();
    }

    /// Removes the character before the caret.
    pub fn backspace(&mut self) {
        if let Some(before) = self.caret.checked_sub(1) {
            self.caret = before;
            self.delete();
        }
    }

    /// Removes the character at the caret.
    pub fn delete(&mut self) {
        self.cycle = None;
        let at = self.byte(self.caret);
        if at < self.text.len() {
            self.text.remove(at);
        }
    }

    /// Removes the word before the caret.
    pub fn delete_word(&mut self) {
        let before: Vec<char> = self.text.chars().take(self.caret).collect();
        let word = before.iter().rev().skip_while(|c| c.is_whitespace());
        let spaces = before.iter().rev().take_while(|c| c.is_whitespace()).count();
        let count = spaces + word.take_while(|c| !c.is_whitespace()).count();
        (0..count).for_each(|_| self.backspace());
    }

    /// Moves the caret by some characters.
    pub fn shift(&mut self, by: isize) {
        let last = self.text.chars().count();
        self.caret = self.caret.saturating_add_signed(by).min(last);
    }

    /// Takes the text, and leaves the line empty.
    pub fn take(&mut self) -> String {
        let text = std::mem::take(&mut self.text);
        self.clear();
        text
    }

    /// Empties the line.
    pub fn clear(&mut self) {
        self.text.clear();
        self.caret = 0;
        self.cycle = None;
    }

    /// Replaces the text by the next completion, or the one before.
    pub fn complete(&mut self, position: &Position, forward: bool) {
        let (all, index) = match self.cycle.take() {
            Some((all, index)) => {
                let next = if forward { index + 1 } else { index + all.len() - 1 };
                (all, next)
            }
            None => (complete(&self.text, position), 0),
        };
        if all.is_empty() {
            return;
        }
        let index = index % all.len();
        self.text.clone_from(&all[index]);
        self.caret = self.text.chars().count();
        self.cycle = Some((all, index));
    }

    fn byte(&self, caret: usize) -> usize {
        self.text.char_indices().nth(caret).map_or(self.text.len(), |(at, _)| at)
    }
}

/// The moves and words that a text may become: moves in SAN, then in UCI notation, then words.
pub(crate) fn complete(text: &str, position: &Position) -> Vec<String> {
    let wanted = plain(text);
    if wanted.is_empty() {
        return Vec::new();
    }
    let moves = position.legal_moves();
    let mut all: Vec<String> = moves
        .iter()
        .map(|&m| position.san(m).to_string())
        .filter(|san| plain(san).starts_with(&wanted))
        .collect();
    all.sort_by_key(|san| (!san.starts_with(text), san.len(), san.clone()));
    let mode = position.castling_mode();
    let mut typed: Vec<String> = moves
        .iter()
        .map(|&m| m.to_uci(position, mode).to_string())
        .filter(|uci| wanted.len() > 1 && uci.starts_with(&wanted))
        .collect();
    typed.sort();
    all.extend(typed);
    all.extend(words_from(text.trim()).map(str::to_owned));
    all
}

/// A move without signs that people leave out.
fn plain(text: &str) -> String {
    let kept = text.trim().chars().filter(|c| !matches!(c, 'x' | '+' | '#' | '=' | '-'));
    kept.flat_map(char::to_lowercase).map(|c| if c == '0' { 'o' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_and_words_are_completed() {
        let start = Position::default();
        assert_eq!(complete("Nf", &start), ["Nf3"]);
        assert_eq!(complete("nf", &start), ["Nf3"]);
        assert_eq!(complete("e2", &start), ["e2e3", "e2e4"]);
        assert_eq!(complete("fl", &start), ["flip"]);
        assert_eq!(complete("e", &start), ["e3", "e4", "end"]);
        assert!(complete("", &start).is_empty());
        let castle: Position = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1".parse().expect("legal");
        assert_eq!(complete("0-0", &castle), ["O-O", "O-O-O"]);
    }

    #[test]
    fn tab_goes_round_and_typing_starts_over() {
        let start = Position::default();
        let mut entry = Entry::default();
        entry.insert("e");
        for expected in ["e3", "e4", "end", "e3"] {
            entry.complete(&start, true);
            assert_eq!(entry.text(), expected);
        }
        entry.complete(&start, false);
        assert_eq!(entry.text(), "end");
        entry.backspace();
        entry.complete(&start, true);
        assert_eq!(entry.text(), "end", "only one word begins with en");
    }

    #[test]
    fn any_text_can_be_edited() {
        let mut entry = Entry::default();
        entry.insert("bä\u{1b}c\nd");
        assert_eq!(entry.text(), "bäc d");
        entry.shift(-2);
        entry.backspace();
        assert_eq!((entry.text(), entry.caret()), ("bä d", 2));
        entry.delete();
        entry.shift(-100);
        entry.backspace();
        entry.shift(100);
        entry.delete();
        assert_eq!(entry.text(), "bäd");
        entry.insert(" e4");
        entry.delete_word();
        assert_eq!(entry.text(), "bäd ");
        entry.insert(&"x".repeat(1000));
        assert_eq!(entry.take().chars().count(), LONGEST);
        assert!(entry.is_empty() && entry.caret() == 0);
    }
}
