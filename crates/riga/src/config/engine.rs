//! The sections that make the engine's settings: search, ideas, evaluation, weights, book,
//! tablebases, UCI.

use std::env;
use std::sync::Arc;

use engine::Idea;
use engine::eval::{TERMS, Tapered, Term, WEIGHTS, Weights};
use uci::{OptionError, Settings, UciOption};

use super::entries::{Entry, Given};

/// A key of the file and the UCI option it sets, which has the default and the range.
pub struct Key {
    pub section: &'static str,
    pub name: &'static str,
    option: &'static str,
}

pub const KEYS: [Key; 14] = [
    Key { section: "search", name: "depth", option: "Maximum Depth" },
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

/// The switches of the search's ideas.
pub const IDEAS: &str = "search.ideas";
/// The weights of the hand-written evaluation.
pub const WEIGHING: &str = "evaluation.weights";

/// The largest weight, in centipawns.
const HEAVIEST: i64 = 5_000;

/// The keys of an engine section, in order; none if it is no such section.
pub fn keys(section: &str) -> Vec<String> {
    match section {
        IDEAS => Idea::ALL.iter().map(ToString::to_string).collect(),
        WEIGHING => TERMS.iter().map(key_of).collect(),
        _ => {
            let own = KEYS.iter().filter(|key| key.section == section);
            own.map(|key| key.name.to_owned()).collect()
        }
    }
}

/// The name of a term in the file.
fn key_of(term: &Term) -> String {
    term.name.to_lowercase()
}

/// Sets what an entry says; the section and the key must be known.
pub fn apply(settings: &mut Settings, entry: &Entry) -> Result<(), String> {
    match entry.section.as_str() {
        IDEAS => switch(settings, entry),
        WEIGHING => weigh(settings, entry),
        section => {
            let key = KEYS.iter().find(|key| key.section == section && key.name == entry.key);
            let key = key.ok_or_else(|| format!("unknown key `{}`", entry.key))?;
            key.set(settings, &entry.given).map_err(|error| error.to_string())
        }
    }
}

/// The value in force, as TOML.
pub fn value(settings: &Settings, section: &str, key: &str) -> String {
    match section {
        IDEAS => {
            let off = settings.switched_off.iter().any(|idea| idea.as_str() == key);
            (!off).to_string()
        }
        WEIGHING => {
            let weights = settings.weights.as_deref().unwrap_or(&WEIGHTS);
            let term = TERMS.iter().find(|term| key_of(term) == key);
            term.map_or_else(String::new, |term| written(weights, term))
        }
        _ => {
            let known = KEYS.iter().find(|known| known.section == section && known.name == key);
            known.map_or_else(String::new, |known| known.value(settings))
        }
    }
}

/// The weights of a term: pairs for middlegame and endgame.
fn written(weights: &Weights, term: &Term) -> String {
    let pair = |index: usize| {
        let weight = weights[index];
        format!("[{}, {}]", weight.mg(), weight.eg())
    };
    let pairs: Vec<String> = term.range().map(pair).collect();
    if term.len == 1 { pairs.concat() } else { format!("[{}]", pairs.join(", ")) }
}

fn switch(settings: &mut Settings, entry: &Entry) -> Result<(), String> {
    let idea: Idea = entry.key.parse().map_err(|_| format!("unknown key `{}`", entry.key))?;
    let Given::Switch(on) = entry.given else {
        let (key, given) = (&entry.key, &entry.given);
        return Err(format!("invalid value {given} for {key}: allowed are true and false"));
    };
    settings.switched_off.retain(|known| *known != idea);
    if !on {
        settings.switched_off.push(idea);
    }
    Ok(())
}

fn weigh(settings: &mut Settings, entry: &Entry) -> Result<(), String> {
    let term = TERMS.iter().find(|term| key_of(term) == entry.key);
    let term = term.ok_or_else(|| format!("unknown key `{}`", entry.key))?;
    let read = pairs(&entry.given, term.len).ok_or_else(|| {
        let what = match term.len {
            1 => "two numbers, [middlegame, endgame]".to_owned(),
            len => format!("{len} pairs of numbers, [[middlegame, endgame], ...]"),
        };
        format!(
            "invalid value for {}: allowed are {what}, from {} to {HEAVIEST}",
            entry.key, -HEAVIEST
        )
    })?;
    let weights = settings.weights.get_or_insert_with(|| Arc::new(WEIGHTS));
    let weights = Arc::make_mut(weights);
    for (index, [mg, eg]) in term.range().zip(read) {
        weights[index] = Tapered::new(mg, eg);
    }
    Ok(())
}

/// As many pairs as there must be.
fn pairs(given: &Given, len: usize) -> Option<Vec<[i32; 2]>> {
    let Given::List(values) = given else { return None };
    let all = if len == 1 && !matches!(values.first(), Some(Given::List(_))) {
        vec![pair(given)?]
    } else {
        values.iter().map(pair).collect::<Option<Vec<_>>>()?
    };
    (all.len() == len).then_some(all)
}

fn pair(given: &Given) -> Option<[i32; 2]> {
    let Given::List(values) = given else { return None };
    let number = |given: &Given| {
        given.whole().filter(|number| (-HEAVIEST..=HEAVIEST).contains(number)).map(|n| n as i32)
    };
    match values.as_slice() {
        [mg, eg] => Some([number(mg)?, number(eg)?]),
        _ => None,
    }
}

impl Key {
    pub fn option(&self) -> &'static UciOption {
        UciOption::find(self.option).expect("a test looks up every option")
    }

    fn value(&self, settings: &Settings) -> String {
        let value = self.option().value(settings).unwrap_or_default();
        let plain = value.parse::<i64>().is_ok() || value == "true" || value == "false";
        if plain && !self.option().is_text() { value } else { Given::Text(value).to_string() }
    }

    fn set(&self, settings: &mut Settings, given: &Given) -> Result<(), OptionError> {
        let option = self.option();
        let text = match given {
            Given::Text(text) if option.is_text() => Some(text.clone()),
            Given::List(paths) if option.takes_list() => join(paths),
            _ if option.is_text() => None,
            // The quotes keep a string from being taken for a number.
            other => Some(other.to_string()),
        };
        let text = text.ok_or_else(|| OptionError::NotAllowed {
            name: self.name.to_owned(),
            value: kind(given),
            allowed: if option.takes_list() {
                "a quoted string, or a list of them".to_owned()
            } else {
                "a quoted string".to_owned()
            },
        })?;
        option.set(settings, self.name, Some(&text))
    }
}

/// What a value is, where it is of the wrong kind.
fn kind(given: &Given) -> String {
    let kind = match given {
        Given::Text(_) => "string",
        Given::Whole(_) => "integer",
        Given::Decimal(_) => "float",
        Given::Switch(_) => "boolean",
        Given::List(_) => "array",
        Given::Other(kind) => kind,
    };
    format!("a TOML {kind}")
}

/// Joins several paths into one string, as the option takes them.
fn join(paths: &[Given]) -> Option<String> {
    let text = |given: &Given| match given {
        Given::Text(text) => Some(text.clone()),
        _ => None,
    };
    let paths: Vec<String> = paths.iter().map(text).collect::<Option<_>>()?;
    env::join_paths(paths).ok()?.into_string().ok()
}
