//! `riga.toml`: the user's configuration.
//!
//! What is typed counts more than the environment, the environment more than the file, the file more
//! than the defaults. Sections about the engine make its [`Settings`]; the others are flags of commands.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::{env, fs};

use anyhow::{Context, Result};
use clap::{Args, Command};
use uci::Settings;

mod check;
mod engine;
mod entries;
mod flags;
mod show;

#[cfg(feature = "server")]
use entries::Given;
use entries::{Entry, Mistake, Place};
pub use show::Config;

/// Where the configuration comes from.
#[derive(Args)]
pub struct ConfigFile {
    /// Configuration file [default: `$RIGA_CONFIG`, or `riga/riga.toml` in `$XDG_CONFIG_HOME` or
    /// `~/.config` if it exists]
    #[arg(long = "config", value_name = "FILE")]
    path: Option<PathBuf>,
}

/// A configuration without mistakes.
#[derive(Debug, Default)]
pub struct Configuration {
    /// The file, if there is one.
    pub path: Option<PathBuf>,
    /// Everything that is set; what counts more comes later.
    pub entries: Vec<Entry>,
    /// The settings of the engine.
    pub settings: Settings,
}

impl ConfigFile {
    /// The engine's settings; the defaults where nothing is set.
    pub fn settings(&self) -> Result<Settings> {
        Ok(self.read()?.settings)
    }

    /// The worker token that is configured, or the file it names.
    #[cfg(feature = "server")]
    pub fn worker_token(&self) -> Result<Option<String>> {
        let entries = self.read()?.entries;
        let is_token = |entry: &&Entry| entry.section == "server" && entry.key == "worker_token";
        Ok(entries.iter().rev().find(is_token).and_then(|entry| match &entry.given {
            Given::Text(text) => Some(text.clone()),
            _ => None,
        }))
    }

    /// Everything that the file and the environment say.
    fn read(&self) -> Result<Configuration> {
        let path = self.named().or_else(|| usual_place().filter(|path| path.exists()));
        let text = match &path {
            Some(path) => fs::read_to_string(path).with_context(|| path.display().to_string())?,
            None => String::new(),
        };
        let environment = sections().into_iter().flat_map(|section| {
            let keys = keys(&section);
            keys.into_iter().filter_map(move |key| entries::from_environment(&section, &key))
        });
        let configuration = understand(&text, environment.collect(), &crate::command());
        let mut configuration =
            configuration.map_err(|mistakes| told(&mistakes, path.as_deref()))?;
        configuration.path = path;
        Ok(configuration)
    }

    /// Everything that the file and the environment say, if the files it names are there as well, and
    /// nothing is left out that something else needs.
    fn read_strictly(&self) -> Result<Configuration> {
        let configuration = self.read()?;
        let mut mistakes = check::mistakes(&configuration.entries);
        mistakes.extend(check::unknown_variables());
        mistakes.sort();
        if mistakes.is_empty() {
            return Ok(configuration);
        }
        Err(told(&mistakes, configuration.path.as_deref()))
    }

    /// The file that somebody asked for.
    fn named(&self) -> Option<PathBuf> {
        let variable = || env::var_os("RIGA_CONFIG").filter(|name| !name.is_empty());
        self.path.clone().or_else(|| variable().map(PathBuf::from))
    }

    /// The file that would be read if it existed.
    pub fn path_or_usual(&self) -> Option<PathBuf> {
        self.named().or_else(usual_place)
    }
}

/// All mistakes, with their places.
fn told(mistakes: &[Mistake], path: Option<&Path>) -> anyhow::Error {
    let told = |mistake: &Mistake| match (&mistake.place, path) {
        (Place::Line(_), Some(path)) => format!("{}:{mistake}", path.display()),
        _ => mistake.to_string(),
    };
    anyhow::Error::msg(mistakes.iter().map(told).collect::<Vec<_>>().join("\n"))
}

/// The arguments of the process, with those flags that the file and the environment set.
pub fn arguments(args: Vec<OsString>) -> Result<Vec<OsString>> {
    let command = crate::command();
    let is_configured = |word: &OsString| {
        word.to_str().and_then(|name| command.find_subcommand(name)).is_some_and(|called| {
            called.get_arguments().any(|arg| arg.get_long() == Some("config"))
                || called.get_arguments().any(|arg| arg.get_long() == Some("database"))
        })
    };
    if !args.iter().skip(1).take(1).any(is_configured) {
        return Ok(args);
    }
    let path = args.iter().enumerate().find_map(|(place, word)| {
        let word = word.to_str()?;
        match word.strip_prefix("--config")? {
            "" => args.get(place + 1).map(PathBuf::from),
            rest => rest.strip_prefix('=').map(PathBuf::from),
        }
    });
    let configuration = ConfigFile { path }.read()?;
    for mistake in check::unknown_variables() {
        eprintln!("warning: {mistake}");
    }
    Ok(flags::insert(&command, &configuration.entries, args))
}

/// The file in the user's configuration directory.
fn usual_place() -> Option<PathBuf> {
    crate::places::configuration().map(|folder| folder.join("riga.toml"))
}

/// All sections, in the order of the example.
fn sections() -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for key in &engine::KEYS {
        if names.last().is_none_or(|last| last != key.section) {
            names.push(key.section.to_owned());
        }
    }
    let after = |names: &mut Vec<String>, before: &str, name: &str| {
        let place = names.iter().position(|known| known == before).map_or(names.len(), |i| i + 1);
        names.insert(place, name.to_owned());
    };
    after(&mut names, "search", engine::IDEAS);
    after(&mut names, "evaluation", engine::WEIGHING);
    names.extend(flags::SECTIONS.iter().map(|section| section.name.to_owned()));
    names
}

/// The keys of a section; none if there is no such section.
fn keys(section: &str) -> Vec<String> {
    match flags::SECTIONS.iter().find(|known| known.name == section) {
        Some(known) => known.keys.iter().map(|&key| key.to_owned()).collect(),
        None => engine::keys(section),
    }
}

/// What a file and the environment say; on failure, all mistakes in order.
fn understand(
    text: &str,
    environment: Vec<Entry>,
    command: &Command,
) -> Result<Configuration, Vec<Mistake>> {
    let mut entries = entries::read(text).map_err(|mistake| vec![mistake])?;
    entries.extend(environment);
    let mut settings = Settings::default();
    let mut mistakes = Vec::new();
    for entry in &entries {
        if let Err(text) = apply(&mut settings, entry, command) {
            mistakes.push(Mistake { place: entry.place.clone(), text });
        }
    }
    mistakes.sort();
    entries.retain(|entry| !entry.key.is_empty());
    if mistakes.is_empty() {
        Ok(Configuration { path: None, entries, settings })
    } else {
        Err(mistakes)
    }
}

fn apply(settings: &mut Settings, entry: &Entry, command: &Command) -> Result<(), String> {
    let Entry { section, key, .. } = entry;
    let known = keys(section);
    if known.is_empty() {
        // One mistake for a section, whatever is in it.
        let parent = section.rsplit_once('.').map(|(parent, _)| parent);
        let is_told = !section.is_empty() && !key.is_empty()
            || parent.is_some_and(|parent| keys(parent).is_empty());
        if is_told {
            return Ok(());
        }
        let names: Vec<String> = sections().iter().map(|name| format!("[{name}]")).collect();
        let name = if section.is_empty() { key } else { section };
        return Err(format!("unknown section [{name}]; known are {}", names.join(", ")));
    }
    if key.is_empty() {
        // The section itself.
        return Ok(());
    }
    if !known.contains(key) {
        let known = known.join(", ");
        return Err(format!("unknown key `{key}` in [{section}]; known are {known}"));
    }
    match flags::SECTIONS.iter().find(|known| known.name == section) {
        Some(known) => {
            let arg = flags::flag(command, known, key).expect("a test looks up every flag");
            flags::check(arg, entry)
        }
        None => engine::apply(settings, entry),
    }
}

#[cfg(test)]
mod tests;
