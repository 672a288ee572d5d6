//! The engines that review: ours, or another one behind UCI. Each thread has its own.

use std::fmt::Write;

use ::review::{own_name, own_options};
use anyhow::{Context, Result, bail};
use engine::tablebase::{Tablebases, directories};
use engine::{Analyst, Engine, Options};
use uci::{Client, EngineCommand, Patience};

/// How to make an analyst.
pub struct Maker {
    kind: Kind,
    name: String,
}

enum Kind {
    Own(Options),
    Program { command: EngineCommand, options: Vec<(&'static str, String)> },
}

/// What can be set.
pub struct Setup<'a> {
    /// A program, or Riga itself.
    pub engine: Option<&'a EngineCommand>,
    /// MiB of hash.
    pub hash: usize,
    /// Directories with tablebases.
    pub syzygy: Option<&'a str>,
}

impl Maker {
    /// Checks that an analyst can be made, and what it is called in reports.
    pub fn new(setup: &Setup<'_>) -> Result<Self> {
        match setup.engine {
            None => Self::own(setup),
            Some(command) => Self::program(setup, command),
        }
    }

    fn own(setup: &Setup<'_>) -> Result<Self> {
        let mut options = Options { hash: setup.hash, ..own_options() };
        // Everything that changes reports is in the name.
        let mut name = own_name(engine::embedded_net().checksum());
        if setup.hash != Options::default().hash {
            let _ = write!(name, ", {} MiB hash", setup.hash);
        }
        if let Some(text) = setup.syzygy {
            options.syzygy_path = directories(text);
            let (tables, messages) = Tablebases::open(&options.syzygy_path);
            if tables.men() == 0 {
                let what = ["no tablebases found".to_owned()];
                bail!("--syzygy {text}: {}", [&what[..], &messages].concat().join("; "));
            }
            let _ = write!(name, ", tablebases of {} men", tables.men());
            for message in messages {
                eprintln!("warning: {message}");
            }
        }
        Ok(Self { kind: Kind::Own(options), name })
    }

    fn program(setup: &Setup<'_>, command: &EngineCommand) -> Result<Self> {
        let client = Client::start(command.clone(), Patience::default())?;
        let mut options = vec![("Hash", setup.hash.to_string()), ("Threads", "1".to_owned())];
        options.extend(setup.syzygy.map(|text| ("SyzygyPath", text.to_owned())));
        // Not every engine has them.
        options.retain(|(name, _)| client.option(name).is_some());
        if setup.syzygy.is_some() && client.option("SyzygyPath").is_none() {
            bail!("--syzygy: {} has no option SyzygyPath", client.name());
        }
        let name = client.name().to_owned();
        Ok(Self { kind: Kind::Program { command: command.clone(), options }, name })
    }

    /// What it is called in reports.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Makes an analyst.
    pub fn make(&self) -> Result<Box<dyn Analyst>> {
        match &self.kind {
            Kind::Own(options) => {
                let mut engine = Engine::new(options.clone());
                match engine.take_messages() {
                    messages if messages.is_empty() => Ok(Box::new(engine)),
                    messages => bail!("{}", messages.join("; ")),
                }
            }
            Kind::Program { command, options } => {
                let mut client = Client::start(command.clone(), Patience::default())?;
                for (name, value) in options {
                    client.set_option(name, value)?;
                }
                client.ready().context("starting the engine")?;
                Ok(Box::new(client))
            }
        }
    }
}
