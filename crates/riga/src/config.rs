//! `riga.toml`: the user's configuration.

use std::path::{Path, PathBuf};
use std::{env, fmt, fs};

use anyhow::{Context, Result};
use clap::Args;
use toml::Spanned;
use toml::de::{DeTable, DeValue};
use uci::{OptionError, Settings, UciOption};

/// Where the configuration comes from.
#[derive(Args)]
pub struct ConfigFile {
    /// Configuration file [default: `$RIGA_CONFIG`, or `riga/riga.toml` in `$XDG_CONFIG_HOME` or
    /// `~/.config` if it exists]
    #[arg(long = "config", value_name = "FILE")]
    path: Option<PathBuf>,
}

/// A key of the file and the UCI option it sets, which has the default and the range.
struct Key {
    section: &'static str,
    name: &'static str,
    option: &'static str,
}

const KEYS: [Key; 13] = [
    Key { section: "search", name: "hash_mb", option: "Hash" },
    Key { section: "search", name: "threads", option: "Threads" },
    Key { section: "search", name: "multi_pv", option: "MultiPV" },
    Key { section: "search", name: "move_overhead_ms", option: "Move Overhead" },
    Key { section: "search", name: "minimum_depth", option: "Minimum Depth" },
    Key { section: "search", name: "ponder", option: "Ponder" },
    Key { section: "evaluation", name: "by", option: "Evaluation" },
    Key { section: "evaluation", name: "file", option: "EvalFile" },
    Key { section: "book", name: "own_book", option: "OwnBook" },
    Key { section: "book", name: "file", option: "BookFile" },
    Key { section: "tablebases", name: "path", option: "SyzygyPath" },
    Key { section: "uci", name: "show_wdl", option: "UCI_ShowWDL" },
    Key { section: "uci", name: "chess960", option: "UCI_Chess960" },
];

/// An error in a configuration, with its line from 1.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Mistake {
    line: usize,
    text: String,
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.line, self.text)
    }
}

impl ConfigFile {
    /// The settings in the file; the defaults if there is none.
    pub fn settings(&self) -> Result<Settings> {
        Ok(self.read()?.map_or_else(Settings::default, |(settings, _)| settings))
    }

    /// The worker token in the file, or the file it names.
    #[cfg(feature = "server")]
    pub fn worker_token(&self) -> Result<Option<String>> {
        Ok(self.read()?.and_then(|(_, token)| token))
    }

    fn read(&self) -> Result<Option<(Settings, Option<String>)>> {
        let variable = || env::var_os("RIGA_CONFIG").filter(|name| !name.is_empty());
        let named = self.path.clone().or_else(|| variable().map(PathBuf::from));
        let Some(path) = named.or_else(usual_place) else { return Ok(None) };
        let shown = path.display();
        let text = fs::read_to_string(&path).with_context(|| shown.to_string())?;
        read_all(&text).map(Some).map_err(|mistakes| {
            let lines: Vec<String> =
                mistakes.iter().map(|mistake| format!("{shown}:{mistake}")).collect();
            anyhow::Error::msg(lines.join("\n"))
        })
    }
}

/// The file in the user's configuration directory, if it exists.
fn usual_place() -> Option<PathBuf> {
    // The XDG specification says to ignore paths that are not absolute.
    let folder = env::var_os("XDG_CONFIG_HOME")
        .map(PathBuf::from)
        .filter(|path| path.is_absolute())
        .or_else(|| env::home_dir().map(|home| home.join(".config")))?;
    Some(folder.join(Path::new("riga").join("riga.toml"))).filter(|path| path.exists())
}

/// The section of the server, and its only key.
const SERVER: (&str, &str) = ("server", "worker_token");

/// Reads a configuration and the worker token in it; on failure, returns all errors ordered by line.
fn read_all(text: &str) -> Result<(Settings, Option<String>), Vec<Mistake>> {
    let line =
        |offset: usize| text.get(..offset).map_or(1, |before| before.matches('\n').count() + 1);
    let sections = DeTable::parse(text).map_err(|error| {
        let offset = error.span().map_or(0, |span| span.start);
        vec![Mistake { line: line(offset), text: error.message().replace('\n', ", ") }]
    })?;

    let mut settings = Settings::default();
    let mut token = None;
    let mut mistakes = Vec::new();
    let mut wrong =
        |offset: usize, text: String| mistakes.push(Mistake { line: line(offset), text });
    for (section, keys) in sections.get_ref() {
        let name = section.get_ref();
        if let (SERVER, Some(keys)) = ((name.as_ref(), SERVER.1), keys.get_ref().as_table()) {
            for (name, value) in keys {
                match (name.get_ref().as_ref(), value.get_ref().as_str()) {
                    (key, Some(text)) if key == SERVER.1 => token = Some(text.to_owned()),
                    (key, None) if key == SERVER.1 => {
                        wrong(value.span().start, format!("{key}: allowed is a quoted string"));
                    }
                    (key, _) => {
                        let text =
                            format!("unknown key `{key}` in [server]; known are {}", SERVER.1);
                        wrong(name.span().start, text);
                    }
                }
            }
            continue;
        }
        let allowed: Vec<&Key> = KEYS.iter().filter(|key| key.section == name.as_ref()).collect();
        let Some(keys) = keys.get_ref().as_table().filter(|_| !allowed.is_empty()) else {
            wrong(section.span().start, format!("unknown section [{name}]; {}", sections_known()));
            continue;
        };
        for (name, value) in keys {
            let Some(key) = allowed.iter().find(|key| key.name == name.get_ref()) else {
                let known: Vec<&str> = allowed.iter().map(|key| key.name).collect();
                let text = format!(
                    "unknown key `{}` in [{}]; known are {}",
                    name.get_ref(),
                    section.get_ref(),
                    known.join(", ")
                );
                wrong(name.span().start, text);
                continue;
            };
            if let Err(error) = key.set(&mut settings, value) {
                wrong(value.span().start, error.to_string());
            }
        }
    }
    mistakes.sort();
    if mistakes.is_empty() { Ok((settings, token)) } else { Err(mistakes) }
}

fn sections_known() -> String {
    let mut names: Vec<String> = KEYS.iter().map(|key| format!("[{}]", key.section)).collect();
    names.dedup();
    names.push(format!("[{}]", SERVER.0));
    format!("known are {}", names.join(", "))
}

impl Key {
    fn option(&self) -> &'static UciOption {
        UciOption::find(self.option).expect("a test looks up every option")
    }

    fn set(&self, settings: &mut Settings, value: &Spanned<DeValue>) -> Result<(), OptionError> {
        let option = self.option();
        let text = match value.get_ref() {
            DeValue::String(text) if option.is_text() => Some(text.to_string()),
            DeValue::Array(paths) if option.takes_list() => {
                join(paths.iter().map(Spanned::get_ref))
            }
            _ if option.is_text() => None,
            // The quotes keep a string from being taken for a number.
            DeValue::String(text) => Some(format!("{text:?}")),
            DeValue::Integer(number) => {
                let decimal = i128::from_str_radix(number.as_str(), number.radix());
                Some(decimal.map_or_else(|_| number.to_string(), |number| number.to_string()))
            }
            DeValue::Boolean(on) => Some(on.to_string()),
            DeValue::Float(number) => Some(number.to_string()),
            other => Some(format!("a TOML {}", other.type_str())),
        };
        let text = text.ok_or_else(|| OptionError::NotAllowed {
            name: self.name.to_owned(),
            value: format!("a TOML {}", value.get_ref().type_str()),
            allowed: if option.takes_list() {
                "a quoted string, or a list of them".to_owned()
            } else {
                "a quoted string".to_owned()
            },
        })?;
        option.set(settings, self.name, Some(&text))
    }
}

/// Joins several paths into one string, as the option takes them.
fn join<'a>(paths: impl Iterator<Item = &'a DeValue<'a>>) -> Option<String> {
    let paths: Vec<&str> = paths.map(DeValue::as_str).collect::<Option<_>>()?;
    env::join_paths(paths).ok()?.into_string().ok()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const EXAMPLE: &str = include_str!("../../../riga.example.toml");

    fn read(text: &str) -> Result<Settings, Vec<Mistake>> {
        read_all(text).map(|(settings, _)| settings)
    }

    #[test]
    fn the_worker_token_is_read() {
        let token = |text| read_all(text).expect("a configuration").1;
        assert_eq!(
            token("[server]\nworker_token = 'worker.token'").as_deref(),
            Some("worker.token")
        );
        assert_eq!(token(""), None);
        assert_eq!(
            mistakes("[server]\nworker_token = 3\nx = ''"),
            [
                "2: worker_token: allowed is a quoted string",
                "3: unknown key `x` in [server]; known are worker_token"
            ]
        );
    }

    fn mistakes(text: &str) -> Vec<String> {
        read(text).expect_err(text).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn an_empty_file_is_all_defaults() {
        assert_eq!(read(""), Ok(Settings::default()));
        assert_eq!(read("[search]\n[book]\n"), Ok(Settings::default()));
    }

    #[test]
    fn the_example_holds_every_key_with_its_default() {
        assert_eq!(read(EXAMPLE), Ok(Settings::default()));
        let sections = DeTable::parse(EXAMPLE).expect("it was read above");
        for key in &KEYS {
            let value = sections.get_ref()[key.section].get_ref().get(key.name);
            assert!(value.is_some(), "[{}] {}", key.section, key.name);
            let (option, allowed) = (key.option(), key.option().allowed());
            let told = option.is_text() || EXAMPLE.contains(&allowed.replace("and", "or"));
            assert!(told, "{} without {allowed}", key.name);
        }
    }

    #[test]
    fn every_value_arrives() {
        let text = "
            [search]
            hash_mb = 0x100
            threads = 2
            multi_pv = 3
            move_overhead_ms = 50
            minimum_depth = 4
            ponder = true
            [evaluation]
            by = 'hand'
            file = 'nets/mine.net'
            [book]
            own_book = true
            file = 'books/my book.bin'
            [tablebases]
            path = ['/tables/5', '/tables/6']
            [uci]
            show_wdl = true
            chess960 = true";
        let expected = Settings {
            hash: 256,
            threads: 2,
            multi_pv: 3,
            ponder: true,
            move_overhead: 50,
            minimum_depth: 4,
            own_book: true,
            book_file: Some(PathBuf::from("books/my book.bin")),
            syzygy_path: vec![PathBuf::from("/tables/5"), PathBuf::from("/tables/6")],
            by_hand: true,
            net_file: Some(PathBuf::from("nets/mine.net")),
            chess960: true,
            show_wdl: true,
            ..Settings::default()
        };
        assert_eq!(read(text), Ok(expected));
    }

    #[test]
    fn mistakes_name_the_line_and_what_is_allowed() {
        for (text, expected) in [
            ("[search]\n\nhash_mb = 0", "3: invalid value 0 for hash_mb: allowed are 1 to 1048576"),
            ("[search]\nhash_mb = -5", "2: invalid value -5 for hash_mb: allowed are 1 to 1048576"),
            ("[search]\nthreads = '2'", "2: invalid value \"2\" for threads: allowed are 1 to 512"),
            ("[search]\nthreads = 1.5", "2: invalid value 1.5 for threads: allowed are 1 to 512"),
            (
                "[search]\nthreads = [1]",
                "2: invalid value a TOML array for threads: allowed are 1 to 512",
            ),
            ("[search]\nponder = 1", "2: invalid value 1 for ponder: allowed are true and false"),
            (
                "[book]\nfile = 3",
                "2: invalid value a TOML integer for file: allowed are a quoted string",
            ),
            (
                "[book]\nfile = ['a', 'b']",
                "2: invalid value a TOML array for file: allowed are a quoted string",
            ),
            (
                "[tablebases]\npath = 3",
                "2: invalid value a TOML integer for path: allowed are a quoted string, or a list of them",
            ),
            ("[book]\nfiel = ''", "2: unknown key `fiel` in [book]; known are own_book, file"),
            (
                "hash_mb = 16",
                "1: unknown section [hash_mb]; known are [search], [evaluation], [book], \
                 [tablebases], [uci], [server]",
            ),
        ] {
            assert_eq!(mistakes(text), [expected], "{text}");
        }
        let syntax = mistakes("[search]\nthreads = \n");
        assert!(syntax[0].starts_with("2: "), "{syntax:?}");
        let twice = mistakes("[search]\nthreads = 1\nthreads = 2");
        assert!(twice[0].starts_with("3: ") && twice[0].contains("duplicate"), "{twice:?}");
    }

    #[test]
    fn all_mistakes_are_told_in_order() {
        let told = mistakes("[uci]\nx = 1\n[search]\nthreads = 0\nhash_mb = 0\n[web]\n");
        let lines: Vec<char> = told.iter().filter_map(|text| text.chars().next()).collect();
        assert_eq!(lines, ['2', '4', '5', '6'], "{told:?}");
    }

    fn piece() -> impl Strategy<Value = String> {
        let mut known: Vec<String> =
            ["[", "]", "[[", "=", "\n", "'", "\"", ",", ".", "true", "-1", "1e9"]
                .map(str::to_owned)
                .to_vec();
        known.extend(KEYS.iter().map(|key| format!("[{}]\n", key.section)));
        known.extend(KEYS.iter().map(|key| format!("{} = ", key.name)));
        prop_oneof![3 => prop::sample::select(known), 1 => any::<String>()]
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused_with_a_line(pieces in prop::collection::vec(piece(), 0..20)) {
            let text = pieces.concat();
            if let Err(mistakes) = read(&text) {
                let lines = text.matches('\n').count() + 1;
                prop_assert!(!mistakes.is_empty());
                for Mistake { line, text } in mistakes {
                    prop_assert!((1..=lines).contains(&line) && !text.is_empty());
                }
            }
        }
    }
}
