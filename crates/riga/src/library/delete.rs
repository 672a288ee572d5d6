//! `riga library delete`: removes games.

use std::process::ExitCode;

use anyhow::{Result, ensure};
use clap::{ArgGroup, Args};
use library::GameId;

use super::Folder;
use super::filter::{CONDITIONS, Conditions};
use crate::show::counted;

/// Delete games by number, by condition, or duplicates
#[derive(Args)]
#[command(after_help = "Examples:
  riga library delete twic 1-2345
  riga library delete lichess --speed bullet --speed ultrabullet
  riga library merge --all twic && riga library delete twic --duplicates

Deleted games no longer count; they take space until their segment is merged. Duplicates are games of the
same segment with the same moves, players, result and date: one of them stays.")]
#[command(group(
    ArgGroup::new("what").args(["games", "duplicates"]).args(CONDITIONS).required(true).multiple(true)
))]
pub struct Delete {
    #[command(flatten)]
    folder: Folder,
    /// Numbers of games, as `riga library explore --games` shows them
    #[arg(conflicts_with = "duplicates", conflicts_with_all = CONDITIONS)]
    games: Vec<GameId>,
    /// Delete games that repeat another one
    #[arg(long, conflicts_with_all = CONDITIONS)]
    duplicates: bool,
    #[command(flatten)]
    conditions: Conditions,
}

impl Delete {
    pub fn run(&self) -> Result<ExitCode> {
        let library = self.folder.open()?;
        let filter = self.conditions.filter();
        let games = if !self.games.is_empty() {
            self.games.clone()
        } else if self.duplicates {
            library.duplicates()?
        } else {
            // The command line has one of them; without a condition all games would go.
            ensure!(!filter.is_empty(), "there is no condition");
            library.matching(&filter)?
        };
        library.delete(&games)?;
        println!(
            "{} deleted, {} left",
            counted(games.len() as u64, "game"),
            counted(library.len(), "game")
        );
        Ok(ExitCode::SUCCESS)
    }
}
