//! An entrant of a match: a program or Riga itself, with its options and limits.

use std::fmt;

use uci::{EngineCommand, ParseCommandLineError};

use super::{Control, ControlError, Limit};

/// An entrant of a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contestant {
    /// The name in tables and games.
    pub name: String,
    /// What plays.
    pub kind: Kind,
    /// Options to set, by name.
    pub options: Vec<(String, String)>,
    /// How long it may think.
    pub control: Control,
}

/// What plays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A UCI program.
    Program(EngineCommand),
    /// Riga, in this process.
    Own,
}

/// Why a text is not a contestant.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ContestantError {
    /// There is no command.
    #[error("an engine needs a command: cmd=stockfish, or cmd=self for Riga itself")]
    NoCommand,
    /// The command can't be parsed.
    #[error(transparent)]
    Command(#[from] ParseCommandLineError),
    /// A limit is invalid.
    #[error(transparent)]
    Control(#[from] ControlError),
    /// Unknown setting.
    #[error("`{0}` is none of: cmd, name, dir, tc, st, nodes, depth, option.NAME")]
    Unknown(String),
    /// A part is not a name and a value.
    #[error("`{0}` is not of the form name=value")]
    NoValue(String),
    /// A quote is not closed.
    #[error("unclosed double quote")]
    OpenQuote,
}

/// The command that means Riga itself.
const OWN: &str = "self";

impl Contestant {
    /// Parses `cmd=...,name=...,tc=...,option.Hash=16`. A text without `=` is just the command. A
    /// value with a comma needs double quotes. Limits default to `control`; any limit given
    /// replaces them all.
    pub fn parse(text: &str, control: &Control) -> Result<Self, ContestantError> {
        let (mut command, mut name, mut folder) = (None, None, None);
        let mut own_control = Control::default();
        let mut options = Vec::new();
        let parts = split(text)?;
        if let [only] = parts.as_slice()
            && !only.contains('=')
        {
            command = Some(only.clone());
        } else {
            for part in parts {
                let (key, value) =
                    part.split_once('=').ok_or_else(|| ContestantError::NoValue(part.clone()))?;
                let value = value.to_owned();
                match key.trim() {
                    "cmd" => command = Some(value),
                    "name" => name = Some(value),
                    "dir" => folder = Some(value.into()),
                    key => match (key.strip_prefix("option."), Limit::from_name(key)) {
                        (Some(option), _) => options.push((option.to_owned(), value)),
                        (_, Some(limit)) => own_control.set(limit, &value)?,
                        _ => return Err(ContestantError::Unknown(key.to_owned())),
                    },
                }
            }
        }
        let command = command.filter(|command| !command.trim().is_empty());
        let command = command.ok_or(ContestantError::NoCommand)?;
        let kind = if command.trim() == OWN {
            Kind::Own
        } else {
            let mut command: EngineCommand = command.parse()?;
            command.folder = folder;
            Kind::Program(command)
        };
        let control = if own_control == Control::default() { control.clone() } else { own_control };
        control.check()?;
        let name = name.filter(|name| !name.trim().is_empty()).unwrap_or_else(|| kind.short_name());
        Ok(Self { name, kind, options, control })
    }
}

impl Kind {
    fn short_name(&self) -> String {
        match self {
            Self::Own => "Riga".to_owned(),
            Self::Program(command) => {
                let name = command.program.file_name().unwrap_or(command.program.as_os_str());
                name.to_string_lossy().into_owned()
            }
        }
    }
}

impl fmt::Display for Contestant {
    /// Everything that affects how it plays.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            Kind::Own => write!(f, "name={} cmd={OWN}", self.name)?,
            Kind::Program(command) => write!(f, "name={} cmd={command}", self.name)?,
        }
        for (name, value) in &self.options {
            write!(f, " option.{name}={value}")?;
        }
        write!(f, " {}", self.control)
    }
}

/// Splits at commas outside of double quotes, and removes the quotes.
fn split(text: &str) -> Result<Vec<String>, ContestantError> {
    let mut parts = vec![String::new()];
    let mut quoted = false;
    for c in text.chars() {
        match c {
            '"' => quoted = !quoted,
            ',' if !quoted => parts.push(String::new()),
            c => parts.last_mut().expect("there is at least one").push(c),
        }
    }
    if quoted {
        return Err(ContestantError::OpenQuote);
    }
    Ok(parts.into_iter().filter(|part| !part.trim().is_empty()).collect())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn depth(n: u32) -> Control {
        Control { depth: Some(n), ..Control::default() }
    }

    fn parse(text: &str) -> Result<Contestant, ContestantError> {
        Contestant::parse(text, &depth(1))
    }

    #[test]
    fn settings_are_read() {
        let text =
            "name=gnu,cmd=/usr/games/gnuchess --uci,option.Hash=16,\"option.Path=a,b\",depth=7";
        let contestant = parse(text).expect("a contestant");
        assert_eq!(contestant.name, "gnu");
        assert_eq!(contestant.control, depth(7));
        let options = [("Hash", "16"), ("Path", "a,b")];
        assert_eq!(contestant.options, options.map(|(n, v)| (n.to_owned(), v.to_owned())));
        let Kind::Program(command) = contestant.kind else { panic!("a program") };
        assert_eq!(command.arguments, ["--uci"]);
    }

    #[test]
    fn a_word_alone_is_a_command_and_self_is_ours() {
        let contestant = parse("/usr/games/stockfish").expect("a contestant");
        assert_eq!((contestant.name.as_str(), contestant.control), ("stockfish", depth(1)));
        assert_eq!(parse("self").map(|contestant| contestant.kind), Ok(Kind::Own));
        assert_eq!(parse("cmd=self,name=a").map(|contestant| contestant.name), Ok("a".to_owned()));
    }

    #[test]
    fn nonsense_is_refused() {
        assert_eq!(parse(""), Err(ContestantError::NoCommand));
        assert_eq!(parse("name=x"), Err(ContestantError::NoCommand));
        assert_eq!(parse("cmd=x,hash=1"), Err(ContestantError::Unknown("hash".to_owned())));
        assert_eq!(parse("cmd=x,hash"), Err(ContestantError::NoValue("hash".to_owned())));
        assert_eq!(parse("cmd=\"x"), Err(ContestantError::OpenQuote));
        assert!(matches!(parse("cmd=x,tc=y"), Err(ContestantError::Control(_))));
        let missing = Contestant::parse("x", &Control::default());
        assert_eq!(missing, Err(ContestantError::Control(ControlError::Missing)));
    }

    proptest! {
        #[test]
        fn no_text_is_a_panic(text in "\\PC*|[a-z=,.\"' 0-9]*") {
            let _ = parse(&text);
        }
    }
}
