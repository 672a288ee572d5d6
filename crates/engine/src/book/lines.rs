//! Move lines as text, from which people write books.

use chess::{Position, SanError};

use super::builder::{BookBuilder, Ending};

/// A line that can't be parsed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {text}: {reason}")]
pub struct LinesError {
    /// The line of the text, from 1.
    pub line: usize,
    /// The invalid word.
    pub text: String,
    /// The reason.
    pub reason: WrongWord,
}

/// Why a word of a line is invalid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WrongWord {
    /// It is not a legal move here.
    #[error(transparent)]
    Move(#[from] SanError),
    /// The number before the colon is not from 1 to 65535.
    #[error("the count of a line must be from 1 to 65535")]
    Count,
}

impl BookBuilder {
    /// Adds move lines, each from the start position, such as `3: e4 e5 Nf3 Nc6`. The number is how
    /// many games the line counts for, one by default. Move numbers are allowed; text after a `#`
    /// is ignored. Returns the number of lines.
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
