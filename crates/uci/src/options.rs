//! The UCI options: one table that declares them, parses their values, checks ranges and applies
//! them to the [`Settings`].

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::str::FromStr;

use engine::tablebase::directories;
use engine::{Elo, Options, Question};

use crate::Settings;
use crate::parse::excerpt;

/// A UCI option.
#[derive(Debug)]
pub struct UciOption {
    /// Its name; case doesn't matter.
    pub name: &'static str,
    kind: Kind,
    /// A one-sentence description.
    pub about: &'static str,
}

#[derive(Debug)]
enum Kind {
    Check {
        get: fn(&Settings) -> bool,
        set: fn(&mut Settings, bool),
    },
    Spin {
        range: RangeInclusive<u64>,
        get: fn(&Settings) -> u64,
        set: fn(&mut Settings, u64),
    },
    Text {
        get: fn(&Settings) -> String,
        set: fn(&mut Settings, &str),
    },
    /// One of several words; the number is its index.
    Choice {
        words: &'static [&'static str],
        get: fn(&Settings) -> usize,
        set: fn(&mut Settings, usize),
    },
    Button(Button),
}

/// The action of an option without a value.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Button {
    /// Clear the transposition table.
    ClearHash,
}

/// Why a value can't be set. The name is as the user wrote it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OptionError {
    /// There is no such option.
    #[error("unknown option `{0}`")]
    Unknown(String),
    /// The value is missing.
    #[error("{name} needs a value: {allowed}")]
    NoValue {
        /// The option.
        name: String,
        /// The allowed values.
        allowed: String,
    },
    /// The value has the wrong type or is out of range.
    #[error("invalid value {value} for {name}: allowed are {allowed}")]
    NotAllowed {
        /// The option.
        name: String,
        /// The value.
        value: String,
        /// The allowed values.
        allowed: String,
    },
}

const fn span(range: &RangeInclusive<usize>) -> RangeInclusive<u64> {
    *range.start() as u64..=*range.end() as u64
}

const fn span_u32(range: &RangeInclusive<u32>) -> RangeInclusive<u64> {
    *range.start() as u64..=*range.end() as u64
}

/// The kinds of evaluation, default first.
const EVALUATIONS: [&str; 2] = ["net", "hand"];

/// Stands for an empty string in UCI.
const EMPTY: &str = "<empty>";

/// Every option, in the order in which GUIs show them.
pub static OPTIONS: [UciOption; 18] = [
    UciOption {
        name: "Hash",
        kind: Kind::Spin {
            range: span(&Options::HASH),
            get: |s| s.hash as u64,
            set: |s, value| s.hash = value as usize,
        },
        about: "Size of the transposition table in MiB.",
    },
    UciOption {
        name: "Clear Hash",
        kind: Kind::Button(Button::ClearHash),
        about: "Clear the transposition table.",
    },
    UciOption {
        name: "Threads",
        kind: Kind::Spin {
            range: span(&Options::THREADS),
            get: |s| s.threads as u64,
            set: |s, value| s.threads = value as usize,
        },
        about: "Number of search threads.",
    },
    UciOption {
        name: "MultiPV",
        kind: Kind::Spin {
            range: span(&Question::LINES),
            get: |s| s.multi_pv as u64,
            set: |s, value| s.multi_pv = value as usize,
        },
        about: "Number of lines to search and report.",
    },
    UciOption {
        name: "Ponder",
        kind: Kind::Check { get: |s| s.ponder, set: |s, on| s.ponder = on },
        about: "Lets the GUI use pondering.",
    },
    UciOption {
        name: "Move Overhead",
        kind: Kind::Spin {
            range: Options::MOVE_OVERHEAD,
            get: |s| s.move_overhead,
            set: |s, value| s.move_overhead = value,
        },
        about: "Milliseconds reserved per move for communication delays.",
    },
    UciOption {
        name: "nodestime",
        kind: Kind::Spin {
            range: Options::NODE_TIME,
            get: |s| s.node_time,
            set: |s, value| s.node_time = value,
        },
        about: "Nodes that count as a millisecond, for matches of Riga with itself; 0 for real time.",
    },
    UciOption {
        name: "Minimum Depth",
        kind: Kind::Spin {
            range: span_u32(&Options::MINIMUM_DEPTH),
            get: |s| s.minimum_depth.into(),
            set: |s, value| s.minimum_depth = value as u32,
        },
        about: "A depth to complete even if the time for the move is up.",
    },
    UciOption {
        name: "Maximum Depth",
        kind: Kind::Spin {
            range: span_u32(&Settings::MAXIMUM_DEPTH),
            get: |s| s.maximum_depth.into(),
            set: |s, value| s.maximum_depth = value as u32,
        },
        about: "A depth that is never exceeded; 0 for none.",
    },
    UciOption {
        name: "OwnBook",
        kind: Kind::Check { get: |s| s.own_book, set: |s, on| s.own_book = on },
        about: "Play book moves.",
    },
    UciOption {
        name: "BookFile",
        kind: Kind::Text {
            get: |s| s.book_file.as_ref().map_or(String::new(), |p| p.display().to_string()),
            set: |s, value| s.book_file = (!value.is_empty()).then(|| value.into()),
        },
        about: "Polyglot book file; if empty, the embedded book.",
    },
    UciOption {
        name: "SyzygyPath",
        kind: Kind::Text {
            get: |s| join_paths(&s.syzygy_path),
            set: |s, value| s.syzygy_path = directories(value),
        },
        about: "Directories with Syzygy tablebases, separated as in PATH (by : or, on Windows, by ;).",
    },
    UciOption {
        name: "Evaluation",
        kind: Kind::Choice {
            words: &EVALUATIONS,
            get: |s| usize::from(s.by_hand),
            set: |s, place| s.by_hand = place == 1,
        },
        about: "Evaluate with the neural network or the hand-written evaluation.",
    },
    UciOption {
        name: "EvalFile",
        kind: Kind::Text {
            get: |s| s.net_file.as_ref().map_or(String::new(), |p| p.display().to_string()),
            set: |s, value| s.net_file = (!value.is_empty()).then(|| value.into()),
        },
        about: "Network file; if empty, the embedded network.",
    },
    UciOption {
        name: "UCI_Chess960",
        kind: Kind::Check { get: |s| s.chess960, set: |s, on| s.chess960 = on },
        about: "Write castling as king takes rook. Chess960 games are always understood.",
    },
    UciOption {
        name: "UCI_LimitStrength",
        kind: Kind::Check { get: |s| s.limit_strength, set: |s, on| s.limit_strength = on },
        about: "Limit the strength to UCI_Elo.",
    },
    UciOption {
        name: "UCI_Elo",
        kind: Kind::Spin {
            range: span_u32(&Elo::RANGE),
            get: |s| s.elo.get().into(),
            set: |s, value| s.elo = Elo::new(value as u32).expect("in the range above"),
        },
        about: "Rating to play at if UCI_LimitStrength is set.",
    },
    UciOption {
        name: "UCI_ShowWDL",
        kind: Kind::Check { get: |s| s.show_wdl, set: |s, on| s.show_wdl = on },
        about: "Report win, draw and loss probabilities, in per mille, with each score.",
    },
];

fn join_paths(paths: &[PathBuf]) -> String {
    // Joining can't fail: a path split at the separator doesn't contain it.
    std::env::join_paths(paths).unwrap_or_default().to_string_lossy().into_owned()
}

fn span_in_words<T: Display>(range: &RangeInclusive<T>) -> String {
    format!("{} to {}", range.start(), range.end())
}

fn not_allowed(name: &str, value: &str, allowed: String) -> OptionError {
    let value = if value.is_empty() { "empty".to_owned() } else { excerpt(value) };
    OptionError::NotAllowed { name: name.to_owned(), value, allowed }
}

/// Parses a number; the error says which ones are allowed.
pub(crate) fn number_in<T: FromStr + PartialOrd + Display>(
    range: &RangeInclusive<T>,
    name: &str,
    value: Option<&str>,
) -> Result<T, OptionError> {
    let allowed = || span_in_words(range);
    let Some(value) = value else {
        return Err(OptionError::NoValue { name: name.to_owned(), allowed: allowed() });
    };
    let number = value.parse().ok().filter(|number| range.contains(number));
    number.ok_or_else(|| not_allowed(name, value, allowed()))
}

impl UciOption {
    /// Finds an option by name, ignoring case.
    pub fn find(name: &str) -> Option<&'static Self> {
        OPTIONS.iter().find(|option| option.name.eq_ignore_ascii_case(name))
    }

    /// Its action, for a button.
    pub const fn button(&self) -> Option<Button> {
        match self.kind {
            Kind::Button(button) => Some(button),
            _ => None,
        }
    }

    /// Its value; `None` for a button.
    pub fn value(&self, settings: &Settings) -> Option<String> {
        match &self.kind {
            Kind::Check { get, .. } => Some(get(settings).to_string()),
            Kind::Spin { get, .. } => Some(get(settings).to_string()),
            Kind::Text { get, .. } => Some(get(settings)),
            Kind::Choice { words, get, .. } => Some(words[get(settings)].to_owned()),
            Kind::Button(_) => None,
        }
    }

    /// The allowed values, in words.
    pub fn allowed(&self) -> String {
        match &self.kind {
            Kind::Check { .. } => "true and false".to_owned(),
            Kind::Spin { range, .. } => span_in_words(range),
            Kind::Text { .. } => "any text".to_owned(),
            Kind::Choice { words, .. } => words.join(" and "),
            Kind::Button(_) => "no value".to_owned(),
        }
    }

    /// Whether its value is a string, which needs quotes in a file.
    pub const fn is_text(&self) -> bool {
        matches!(self.kind, Kind::Text { .. } | Kind::Choice { .. })
    }

    /// Whether its value may be a list of paths.
    pub fn takes_list(&self) -> bool {
        self.name == "SyzygyPath"
    }

    /// Sets it; `name` is used in error messages. A button does nothing here.
    pub fn set(
        &self,
        settings: &mut Settings,
        name: &str,
        value: Option<&str>,
    ) -> Result<(), OptionError> {
        if self.button().is_some() {
            return Ok(());
        }
        if let Kind::Spin { range, set, .. } = &self.kind {
            set(settings, number_in(range, name, value)?);
            return Ok(());
        }
        let Some(value) = value else {
            return Err(OptionError::NoValue { name: name.to_owned(), allowed: self.allowed() });
        };
        match &self.kind {
            Kind::Check { set, .. } => {
                let on = value.to_ascii_lowercase().parse();
                set(settings, on.map_err(|_| not_allowed(name, value, self.allowed()))?);
            }
            Kind::Text { set, .. } => set(settings, if value == EMPTY { "" } else { value }),
            Kind::Choice { words, set, .. } => {
                let place = words.iter().position(|word| word.eq_ignore_ascii_case(value));
                set(settings, place.ok_or_else(|| not_allowed(name, value, self.allowed()))?);
            }
            Kind::Spin { .. } | Kind::Button(_) => {}
        }
        Ok(())
    }

    /// The line that declares it. The default is the value at the start of the session, so that a
    /// GUI that sends all defaults back doesn't undo a configuration file.
    pub(crate) fn declaration(&self, settings: &Settings) -> String {
        let (kind, range) = match &self.kind {
            Kind::Check { .. } => ("check", String::new()),
            Kind::Spin { range, .. } => {
                ("spin", format!(" min {} max {}", range.start(), range.end()))
            }
            Kind::Text { .. } => ("string", String::new()),
            Kind::Choice { words, .. } => ("combo", format!(" var {}", words.join(" var "))),
            Kind::Button(_) => ("button", String::new()),
        };
        let default = match self.value(settings) {
            None => String::new(),
            Some(value) if value.is_empty() => format!(" default {EMPTY}"),
            Some(value) => format!(" default {value}"),
        };
        format!("option name {} type {kind}{default}{range}", self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(name: &str, value: &str) -> Result<Settings, String> {
        let mut settings = Settings::default();
        let option = UciOption::find(name).expect(name);
        option.set(&mut settings, option.name, Some(value)).map_err(|error| error.to_string())?;
        Ok(settings)
    }

    #[test]
    fn every_option_takes_its_own_value_back() {
        for option in &OPTIONS {
            let Some(value) = option.value(&Settings::default()) else { continue };
            assert_eq!(set(option.name, &value), Ok(Settings::default()), "{}", option.name);
        }
    }

    #[test]
    fn every_option_changes_a_setting_of_its_own() {
        let mut changed = Vec::new();
        for option in OPTIONS.iter().filter(|option| option.button().is_none()) {
            let value = match &option.kind {
                Kind::Check { get, .. } => (!get(&Settings::default())).to_string(),
                Kind::Spin { range, .. } => range.end().to_string(),
                Kind::Text { .. } => "/a folder".to_owned(),
                Kind::Choice { words, .. } => words[words.len() - 1].to_owned(),
                Kind::Button(_) => unreachable!("left out above"),
            };
            let settings = set(option.name, &value).expect("an allowed value");
            assert_eq!(option.value(&settings), Some(value));
            assert!(!changed.contains(&settings) && settings != Settings::default());
            changed.push(settings);
        }
    }

    #[test]
    fn names_and_truth_come_in_any_case() {
        assert_eq!(set("uci_showwdl", "TRUE").map(|s| s.show_wdl), Ok(true));
        assert_eq!(set("MOVE OVERHEAD", "7").map(|s| s.move_overhead), Ok(7));
    }

    #[test]
    fn a_value_out_of_range_is_refused_with_the_range() {
        for (name, value, text) in [
            ("Hash", "0", "invalid value 0 for Hash: allowed are 1 to 1048576"),
            ("Threads", "-1", "invalid value -1 for Threads: allowed are 1 to 512"),
            ("MultiPV", "many", "invalid value many for MultiPV: allowed are 1 to 256"),
            ("Ponder", "", "invalid value empty for Ponder: allowed are true and false"),
        ] {
            assert_eq!(set(name, value), Err(text.to_owned()));
        }
    }

    #[test]
    fn paths_are_taken_apart_and_no_path_is_none() {
        let both = std::env::join_paths(["/a", "/b c"]).expect("no separator inside");
        let settings =
            set("SyzygyPath", both.to_str().expect("text")).expect("any text is allowed");
        assert_eq!(settings.syzygy_path, [PathBuf::from("/a"), PathBuf::from("/b c")]);
        let spaced = both.to_str().expect("text").replace("/b", " /b");
        assert_eq!(set("SyzygyPath", &spaced), Ok(settings));
        assert_eq!(set("SyzygyPath", "<empty>"), Ok(Settings::default()));
        assert_eq!(set("BookFile", ""), Ok(Settings::default()));
    }

    #[test]
    fn declarations_follow_the_protocol() {
        let lines: Vec<String> =
            OPTIONS.iter().map(|option| option.declaration(&Settings::default())).collect();
        for line in [
            "option name Hash type spin default 16 min 1 max 1048576",
            "option name Clear Hash type button",
            "option name Ponder type check default false",
            "option name Evaluation type combo default net var net var hand",
            "option name BookFile type string default <empty>",
        ] {
            assert!(lines.iter().any(|declared| declared == line), "{line} in {lines:#?}");
        }
    }
}
