//! `riga config`: what is configured, and where.

use std::fmt::Write as _;
use std::io::Write as _;
use std::process::ExitCode;

use anyhow::Result;
use clap::{Args, Subcommand};
use serde_json::{Map, Value, json};

use super::entries::Place;
use super::{ConfigFile, Configuration, engine, flags};

/// Show and check the configuration
#[derive(Args)]
#[command(after_help = "Examples:
  riga config show
  riga config show --json | jq .search.hash_mb.value
  riga config check --config tournament.toml
  riga config path

Command-line options override environment variables, which override the file, which overrides \
the defaults. The variable of a key has the names of section and key: RIGA_SEARCH_HASH_MB=64, \
RIGA_SERVER_PORT=8080. riga.example.toml describes every key.")]
pub struct Config {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// Print every value in force, and where it comes from, as a configuration file
    Show {
        #[command(flatten)]
        file: ConfigFile,
        /// Print JSON: values and their origins by section and key
        #[arg(long)]
        json: bool,
    },
    /// Print the path of the configuration file, whether it exists or not
    Path {
        #[command(flatten)]
        file: ConfigFile,
    },
    /// Check the configuration file and the environment
    Check {
        #[command(flatten)]
        file: ConfigFile,
    },
}

/// A value in force.
struct Line {
    key: String,
    /// As TOML; none if nothing is set and there is no default.
    value: Option<String>,
    /// Where it was set; none for a default.
    origin: Option<String>,
}

impl Config {
    pub fn run(&self) -> Result<ExitCode> {
        let mut out = std::io::stdout().lock();
        match &self.what {
            What::Show { file, json } => {
                let sections = lines(&file.read()?);
                if *json {
                    writeln!(out, "{:#}", as_json(&sections))?;
                } else {
                    write!(out, "{}", as_toml(&sections))?;
                }
            }
            What::Path { file } => match file.path_or_usual() {
                Some(path) => writeln!(out, "{}", path.display())?,
                None => anyhow::bail!("there is no home directory; use --config FILE"),
            },
            What::Check { file } => {
                let configuration = file.read_strictly()?;
                let count =
                    configuration.entries.iter().filter(|entry| !entry.key.is_empty()).count();
                let place = match &configuration.path {
                    Some(path) => path.display().to_string(),
                    None => "no file".to_owned(),
                };
                let values = if count == 1 { "value" } else { "values" };
                writeln!(out, "{place}: {count} {values}, no mistakes")?;
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// Every key of every section, with its value.
fn lines(configuration: &Configuration) -> Vec<(String, Vec<Line>)> {
    let origin = |section: &str, key: &str| {
        let set = configuration.entries.iter().rev();
        let entry = set.into_iter().find(|entry| entry.section == section && entry.key == key)?;
        Some(match &entry.place {
            Place::Line(line) => {
                let path = configuration.path.as_deref().map(|path| path.display().to_string());
                format!("{}:{line}", path.unwrap_or_default())
            }
            Place::Variable(name) => format!("${name}"),
        })
    };
    let command = crate::command();
    super::sections()
        .into_iter()
        .map(|section| {
            let from_flags = flags::SECTIONS.iter().find(|known| known.name == section);
            let keys = super::keys(&section);
            let line = |key: String| {
                let origin = origin(&section, &key);
                let value = match from_flags {
                    None => Some(engine::value(&configuration.settings, &section, &key)),
                    Some(known) => {
                        let set = configuration.entries.iter().rev();
                        let set = set.into_iter().find(|e| e.section == section && e.key == key);
                        let default =
                            || flags::flag(&command, known, &key).and_then(flags::default);
                        set.map(|entry| entry.given.to_string()).or_else(default)
                    }
                };
                Line { key, value, origin }
            };
            let lines = keys.into_iter().map(line).collect();
            (section, lines)
        })
        .collect()
}

fn as_toml(sections: &[(String, Vec<Line>)]) -> String {
    let mut out = String::new();
    for (section, lines) in sections {
        if !out.is_empty() {
            out.push('\n');
        }
        let _ = writeln!(out, "[{section}]");
        for Line { key, value, origin } in lines {
            let origin = origin.as_deref().unwrap_or("default");
            let _ = match value {
                Some(value) => writeln!(out, "{key} = {value}  # {origin}"),
                None => writeln!(out, "# {key} =  # not set"),
            };
        }
    }
    out
}

fn as_json(sections: &[(String, Vec<Line>)]) -> Value {
    let mut all = Map::new();
    for (section, lines) in sections {
        let values = lines.iter().map(|Line { key, value, origin }| {
            let value = value.as_ref().map_or(Value::Null, |value| {
                // Numbers, switches, texts and lists are written alike in both.
                serde_json::from_str(value).unwrap_or_else(|_| Value::String(value.clone()))
            });
            (
                key.clone(),
                json!({ "value": value, "origin": origin.as_deref().unwrap_or("default") }),
            )
        });
        all.insert(section.clone(), Value::Object(values.collect()));
    }
    Value::Object(all)
}
