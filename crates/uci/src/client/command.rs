//! The program of an engine and its arguments.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

/// How to start an engine. The text form is a command line: words separated by spaces, with quotes
/// around words that contain spaces.
///
/// ```
/// use uci::EngineCommand;
///
/// let command: EngineCommand = "gnuchess --uci".parse()?;
/// assert_eq!((command.program.to_str(), command.arguments.len()), (Some("gnuchess"), 1));
/// # Ok::<(), uci::ParseCommandLineError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineCommand {
    /// The program, by path or by name.
    pub program: PathBuf,
    /// Its command-line arguments.
    pub arguments: Vec<String>,
    /// The working directory; ours if none.
    pub folder: Option<PathBuf>,
}

/// Why a text is not a command line.
#[derive(Copy, Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseCommandLineError {
    /// There is no program.
    #[error("the engine command is empty")]
    Empty,
    /// A quote is opened and not closed.
    #[error("unclosed quote in the engine command")]
    OpenQuote,
}

impl EngineCommand {
    /// A program without arguments.
    pub fn new(program: impl Into<PathBuf>) -> Self {
        Self { program: program.into(), arguments: Vec::new(), folder: None }
    }
}

impl FromStr for EngineCommand {
    type Err = ParseCommandLineError;

    fn from_str(text: &str) -> Result<Self, ParseCommandLineError> {
        let mut words = Vec::new();
        let mut word: Option<String> = None;
        let mut quote = None;
        for c in text.chars() {
            match quote {
                Some(open) if c == open => quote = None,
                None if c == '"' || c == '\'' => {
                    quote = Some(c);
                    word.get_or_insert_default();
                }
                None if c.is_whitespace() => words.extend(word.take()),
                _ => word.get_or_insert_default().push(c),
            }
        }
        if quote.is_some() {
            return Err(ParseCommandLineError::OpenQuote);
        }
        words.extend(word);
        let mut words = words.into_iter();
        let program =
            words.next().filter(|word| !word.is_empty()).ok_or(ParseCommandLineError::Empty)?;
        Ok(Self { program: program.into(), arguments: words.collect(), folder: None })
    }
}

impl fmt::Display for EngineCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.program.display())?;
        self.arguments.iter().try_for_each(|argument| {
            if argument.is_empty() || argument.contains(char::is_whitespace) {
                write!(f, " '{argument}'")
            } else {
                write!(f, " {argument}")
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_quotes_are_told_apart() {
        let command: EngineCommand = " sh -c 'echo a b' \"\" x\"y z\" ".parse().expect("words");
        assert_eq!(command.program.to_str(), Some("sh"));
        assert_eq!(command.arguments, ["-c", "echo a b", "", "xy z"]);
        assert_eq!(command.to_string(), "sh -c 'echo a b' '' 'xy z'");
    }

    #[test]
    fn an_empty_or_open_command_is_an_error() {
        for text in ["", "  ", "''", "\"\" x"] {
            assert_eq!(text.parse::<EngineCommand>(), Err(ParseCommandLineError::Empty), "{text}");
        }
        assert_eq!("sh 'x".parse::<EngineCommand>(), Err(ParseCommandLineError::OpenQuote));
    }
}
