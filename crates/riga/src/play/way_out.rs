//! What is printed when the board is left: the command that goes on with the game.

use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

/// Prints what its [`Sign`] says when it is dropped, however the board is left.
pub struct WayOut {
    sign: Sign,
    /// Whether a person reads it.
    tells: bool,
}

/// Says how to go on with the game, if there is one to go on with.
#[derive(Clone, Default)]
pub struct Sign(Arc<Mutex<Option<String>>>);

impl WayOut {
    pub fn new(tells: bool) -> Self {
        Self { sign: Sign::default(), tells }
    }

    pub fn sign(&self) -> Sign {
        self.sign.clone()
    }
}

impl Drop for WayOut {
    fn drop(&mut self) {
        if let Some(text) = self.sign.take().filter(|_| self.tells) {
            // The terminal may be gone.
            let _ = writeln!(io::stdout(), "{text}");
        }
    }
}

impl Sign {
    /// A heading and the command.
    pub fn show(&self, heading: &str, command: &str) {
        self.set(Some(format!("{heading}:\n  {command}")));
    }

    /// There is nothing to go on with.
    pub fn clear(&self) {
        self.set(None);
    }

    pub fn take(&self) -> Option<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    fn set(&self, text: Option<String>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = text;
    }
}

/// A word as a shell reads it.
pub fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./:".contains(c);
    let word = game::printable_line(word);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.into_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_for_the_shell() {
        assert_eq!(quoted("http://localhost:8000"), "http://localhost:8000");
        assert_eq!(quoted("it's $HOME"), r"'it'\''s $HOME'");
        assert_eq!(quoted(""), "''");
    }
}
