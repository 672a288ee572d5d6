//! `riga uci`: the engine for a chess program.

use std::process::ExitCode;

use anyhow::Result;
use clap::Args;
use engine::Engine;
use uci::Session;

use crate::config::ConfigFile;

/// Speak UCI, so that a chess program can use the engine
///
/// Give your chess program (Cute Chess, En Croissant, Arena, Banksia, fastchess ...) the command
/// `riga uci`. It then talks to the engine over standard input and output. Lines can also be
/// typed: `uci` shows the options, `d` the board, `eval` the evaluation term by term. Whatever
/// can't be understood is answered by `info string error: ...`.
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
    /// Make the numbers inside the search options, too, for a tuner
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
