//! `riga uci`: the engine for a chess GUI.

use std::process::ExitCode;

use anyhow::Result;
use clap::Args;
use engine::Engine;
use uci::Session;

use crate::config::ConfigFile;

/// Run as a UCI engine for a chess GUI
///
/// Enter `riga uci` as the engine's command in your GUI (Cute Chess, En Croissant, Arena, Banksia,
/// fastchess ...). You can also type commands: `uci` shows the options, `d` the board, `eval` the
/// evaluation term by term. Invalid input is answered with `info string error: ...`.
#[derive(Args)]
#[command(after_long_help = "Examples:
  riga uci
  riga uci --config tournament.toml
  (echo 'position startpos moves e2e4'; echo 'go movetime 1000'; sleep 2) | riga uci

The search ends with the input: keep it open for as long as the engine shall think.
Options of the chess program count more than the configuration file.")]
pub struct Uci {
    #[command(flatten)]
    config: ConfigFile,
    /// Expose the search parameters as options, for tuners
    #[arg(long)]
    tuning: bool,
}

impl Uci {
    pub fn run(&self) -> Result<ExitCode> {
        let settings = self.config.settings()?;
        let session = Session::new(Engine::default, settings, std::io::stdout());
        session.tuning(self.tuning).run(std::io::stdin().lock())?;
        Ok(ExitCode::SUCCESS)
    }
}
