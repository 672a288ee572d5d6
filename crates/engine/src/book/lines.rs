//! Lines of moves as text, from which a person writes a book.

use chess::{Position, SanError};

use super::builder::{BookBuilder, Ending};

/// A line that can't be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {text}: {reason}")]
pub struct LinesError {
    /// The line of the text, from 1.
    pub line: usize,
    /// The word that is wrong.
    pub text: String,
    /// What is wrong with it.
    pub reason: WrongWord,
}

/// What is wrong with a word of a line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WrongWord {
    /// It is not a move that can be played here.
    #[error(transparent)]
    Move(#[from] SanError),
    /// The number before the colon is not one from 1 to 65535.
    #[error("a line counts from 1 to 65535 times")]
    Count,
}

impl BookBuilder {
    /// Adds lines of moves, each from the starting position, such as `3: e4 e5 Nf3 Nc6`. The
    /// number says how many games the line counts for; without it, one. Move numbers may stand
    /// in the line; what follows a `#` is not read. Returns how many lines there were.
    pub fn add_lines(&mut self, text: &str) -> Result<usize, LinesError> {
        let mut count = 0;
        for (index, content) in text.lines().enumerate() {
            let content = content.split('#').next().unwrap_or_default().trim();
            if content.is_empty() {
                continue;
            }
            let wrong = |text: &str, reason| LinesError {
                line: index + 1,
                text: text.trim().to_owned(),
                reason,
            };
            let (times, moves) = match content.split_once(':') {
                None => (1, content),
                Some((times, moves)) => match times.trim().parse::<u16>() {
                    Ok(number) if number > 0 => (u64::from(number), moves),
                    _ => return Err(wrong(times, WrongWord::Count)),
                },
            };
            let mut position = Position::default();
            for word in moves.split_whitespace().filter(|word| !is_move_number(word)) {
                let m = position.parse_san(word).map_err(|reason| wrong(word, reason.into()))?;
                self.add_times(&position, m, Ending::Drawn, times);
                position.play_unchecked(m);
            }
            count += 1;
        }
        Ok(count)
    }
}

/// `12.` or `12...`
fn is_move_number(word: &str) -> bool {
    word.trim_end_matches('.').bytes().all(|c| c.is_ascii_digit()) && word.ends_with('.')
}
