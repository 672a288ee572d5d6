//! What can be typed and pressed, for reading.

use std::fmt::Write;

use crate::order::{WITH_FILE, WORDS};

/// The words, one per line.
pub(crate) fn words() -> String {
    let mut text = String::new();
    for word in &WORDS {
        let _ = writeln!(text, "{:<14}{}", word.name, word.help);
    }
    for (_, usage, help) in WITH_FILE {
        let _ = writeln!(text, "{usage:<14}{help}");
    }
    text
}

/// The help of the screen.
pub(crate) fn help() -> String {
    let keys = "\
Type a move in algebraic notation (e4, Nf3, O-O, e8=Q) or as squares (e2e4), and press Enter. Tab \
completes. Or click on a piece and its target, or drag it. While the opponent thinks, a move is a \
premove.

Keys
Left, Right      step through the game
Home, End        its start and its end
Up, Down         other variations
Shift + arrows   point at a square; Space selects
Esc              clear, deselect, cancel the premove
Ctrl-S, Ctrl-O   save or load a PGN file
Ctrl-Z           go to the background
Ctrl-C           leave

Words
";
    format!("{keys}{}", words())
}
