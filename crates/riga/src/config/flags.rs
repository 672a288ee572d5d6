//! The sections whose keys are flags of commands: what the file or the environment says is given to
//! the command as if it had been typed, unless it was.

use std::ffi::{OsStr, OsString};

use clap::builder::ArgAction;
use clap::{Arg, Command};

use super::entries::{Entry, Given};

/// A section of the file and the command whose flags it sets.
pub struct Section {
    pub name: &'static str,
    pub command: &'static str,
    /// The keys: long flags with `_` for `-`.
    pub keys: &'static [&'static str],
}

/// Every such section.
pub const SECTIONS: &[Section] = &[
    #[cfg(feature = "server")]
    Section {
        name: "server",
        command: "serve",
        keys: &[
            "address",
            "port",
            "database",
            "library",
            "public",
            "origin",
            "behind_proxy",
            "workers",
            "reviewers",
            "worker_token",
            "metrics_token",
            "requests_per_second",
            "analysis_minutes",
            "read_connections",
            "write_connections",
            "log",
        ],
    },
    Section {
        name: "review",
        command: "review",
        keys: &[
            "nodes", "time", "mode", "steps", "engine", "hash", "threads", "syzygy", "player",
            "language",
        ],
    },
    Section {
        name: "play",
        command: "play",
        keys: &["level", "side", "time", "name", "engine", "lines", "ascii", "colors", "theme"],
    },
];

/// Keys that other commands share: a game is stored in the same place by all of them.
const SHARED: [(&str, &str); 2] = [("server", "database"), ("server", "worker_token")];

/// The flag of a key.
pub fn flag<'a>(command: &'a Command, section: &Section, key: &str) -> Option<&'a Arg> {
    argument(command.find_subcommand(section.command)?, key)
}

fn argument<'a>(command: &'a Command, key: &str) -> Option<&'a Arg> {
    let long = key.replace('_', "-");
    command.get_arguments().find(|arg| arg.get_long() == Some(long.as_str()))
}

/// Whether a value can be given to a flag.
pub fn check(arg: &Arg, entry: &Entry) -> Result<(), String> {
    let typed = typed(arg, &entry.given).ok_or_else(|| {
        let allowed = if is_switch(arg) { "true and false" } else { "a number or a quoted string" };
        format!("invalid value {} for {}: allowed are {allowed}", entry.given, entry.key)
    })?;
    // The flag alone, without its relations to others.
    let alone = Arg::new("value")
        .long(arg.get_long().unwrap_or_default().to_owned())
        .action(arg.get_action().clone())
        .num_args(arg.get_num_args().unwrap_or_default())
        .value_parser(arg.get_value_parser().clone());
    let command = Command::new("riga").no_binary_name(true).disable_help_flag(true).arg(alone);
    command.try_get_matches_from(typed).map(drop).map_err(|error| {
        let text = error.to_string();
        let first: Vec<&str> = text.lines().take_while(|line| !line.is_empty()).collect();
        let first = first.join(" ");
        let told = first.trim_start_matches("error: ").trim().to_owned();
        let name = format!("--{}", arg.get_long().unwrap_or_default());
        told.replace(&name, &entry.key)
    })
}

fn is_switch(arg: &Arg) -> bool {
    matches!(arg.get_action(), ArgAction::SetTrue)
}

/// A value as it would be typed; none if it doesn't fit. A switch that is off isn't typed at all.
fn typed(arg: &Arg, given: &Given) -> Option<Vec<OsString>> {
    let long = format!("--{}", arg.get_long()?);
    if is_switch(arg) {
        return match given {
            Given::Switch(true) => Some(vec![long.into()]),
            Given::Switch(false) => Some(Vec::new()),
            _ => None,
        };
    }
    let text = match given {
        Given::Text(text) => text.clone(),
        Given::Whole(number) | Given::Decimal(number) => number.clone(),
        Given::List(values) => {
            let texts = values.iter().map(|value| match value {
                Given::Text(text) | Given::Whole(text) | Given::Decimal(text) => {
                    Some(text.as_str())
                }
                _ => None,
            });
            texts.collect::<Option<Vec<_>>>()?.join(",")
        }
        Given::Switch(_) | Given::Other(_) => return None,
    };
    Some(vec![format!("{long}={text}").into()])
}

/// The arguments of a command with those of the configuration: they come before the typed ones.
/// A flag that was typed, or that conflicts with a typed one, is left out.
pub fn insert(command: &Command, entries: &[Entry], args: Vec<OsString>) -> Vec<OsString> {
    let Some((place, called)) = args
        .iter()
        .enumerate()
        .skip(1)
        .find_map(|(place, arg)| Some((place, command.find_subcommand(arg.to_str()?)?)))
    else {
        return args;
    };
    let mentioned: Vec<&Arg> =
        called.get_arguments().filter(|arg| is_mentioned(arg, &args[place + 1..])).collect();
    let mut added: Vec<(String, Vec<OsString>)> = Vec::new();
    for entry in entries {
        let own = SECTIONS.iter().find(|section| section.name == entry.section);
        let is_own = own.is_some_and(|section| section.command == called.get_name());
        if !is_own && !SHARED.contains(&(&entry.section, &entry.key)) {
            continue;
        }
        let Some(arg) = argument(called, &entry.key) else { continue };
        // A conflict is declared on one side only.
        let excludes = |one: &Arg, other: &Arg| {
            let rivals = called.get_arg_conflicts_with(one);
            rivals.iter().any(|rival| rival.get_id() == other.get_id())
        };
        let is_taken = |other: &&Arg| {
            other.get_id() == arg.get_id() || excludes(arg, other) || excludes(other, arg)
        };
        if mentioned.iter().any(is_taken) {
            continue;
        }
        // The environment comes after the file, and counts more.
        added.retain(|(key, _)| *key != entry.key);
        if let Some(words) = typed(arg, &entry.given) {
            added.push((entry.key.clone(), words));
        }
    }
    let mut all = args;
    let typed = all.split_off(place + 1);
    all.extend(added.into_iter().flat_map(|(_, words)| words));
    all.extend(typed);
    all
}

/// Whether a flag was typed.
fn is_mentioned(arg: &Arg, args: &[OsString]) -> bool {
    let flags = args.iter().take_while(|word| *word != OsStr::new("--"));
    flags.filter_map(|word| word.to_str()).any(|word| {
        let long = word.strip_prefix("--").map(|word| word.split('=').next().unwrap_or(word));
        let short = word.strip_prefix('-').and_then(|word| word.chars().next());
        long.is_some_and(|name| arg.get_long() == Some(name))
            || long.is_none() && short.is_some() && arg.get_short() == short
    })
}

/// What a flag is worth if nobody sets it, as TOML; nothing if it has no value then.
pub fn default(arg: &Arg) -> Option<String> {
    if is_switch(arg) {
        return Some("false".to_owned());
    }
    let text = arg.get_default_values().first()?.to_str()?.to_owned();
    let plain = text.parse::<f64>().is_ok();
    Some(if plain { text } else { Given::Text(text).to_string() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::entries::read;

    fn tool() -> Command {
        let serve = Command::new("review")
            .arg(Arg::new("file"))
            .arg(Arg::new("nodes").long("nodes").value_parser(clap::value_parser!(u64).range(1..)))
            .arg(Arg::new("time").long("time").conflicts_with("nodes"))
            .arg(Arg::new("quiet").long("quiet").short('q').action(ArgAction::SetTrue));
        Command::new("riga").subcommand(serve)
    }

    fn arguments(file: &str, typed: &str) -> String {
        let args = typed.split(' ').map(OsString::from).collect();
        let mut command = tool();
        command.build();
        let all = insert(&command, &read(file).expect("valid"), args);
        let words: Vec<&str> = all.iter().filter_map(|word| word.to_str()).collect();
        words.join(" ")
    }

    #[test]
    fn what_is_typed_counts_more_than_the_file() {
        let file = "[review]\nnodes = 5000";
        assert_eq!(arguments(file, "riga review a.pgn"), "riga review --nodes=5000 a.pgn");
        let typed = "riga review a.pgn --nodes=7";
        assert_eq!(arguments(file, typed), typed);
        let rival = "riga review a.pgn --time 3";
        assert_eq!(arguments(file, rival), rival, "one excludes the other");
        assert_eq!(arguments(file, "riga"), "riga");
        assert_eq!(arguments("", "riga review a.pgn"), "riga review a.pgn");
    }

    #[test]
    fn a_bad_value_is_told_by_its_key() {
        let mut command = tool();
        command.build();
        let entries = read("[review]\nnodes = 0\nquiet = 1").expect("valid");
        let review = command.find_subcommand("review").expect("a command");
        for entry in entries.iter().filter(|entry| !entry.key.is_empty()) {
            let arg = argument(review, &entry.key).expect("a flag");
            let told = check(arg, entry).expect_err("a mistake");
            assert!(told.contains(&entry.key) && !told.contains("--"), "{told}");
        }
    }
}
