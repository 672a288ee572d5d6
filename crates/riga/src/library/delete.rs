//! `riga library delete`: removes games.

use std::process::ExitCode;

use anyhow::{Result, ensure};
use clap::Args;
use library::GameId;

use super::Folder;
use super::filter::Conditions;
use crate::show::counted;

/// Delete games by number, by condition, or duplicates
#[derive(Args)]
#[command(after_help = "Examples:
  riga library delete twic 1-2345
  riga library delete lichess --speed bullet --speed ultrabullet
  riga library merge --all twic && riga library delete twic --duplicates

Deleted games no longer count; they take space until their segment is merged. Duplicates are games of the
same segment with the same moves, players, result and date: one of them stays.")]
pub struct Delete {
    #[command(flatten)]
    folder: Folder,
    /// Numbers of games, as `riga library explore --games` shows them
    games: Vec<GameId>,
    /// Delete games that repeat another one
    #[arg(long)]
    duplicates: bool,
    #[command(flatten)]
    conditions: Conditions,
}

impl Delete {
    pub fn run(&self) -> Result<ExitCode> {
        let library = self.folder.open()?;
        let filter = self.conditions.filter();
        let by_condition = !filter.is_empty();
        let chosen = [!self.games.is_empty(), self.duplicates, by_condition];
        ensure!(
            chosen.iter().filter(|&&chosen| chosen).count() == 1,
            "give either numbers of games, or --duplicates, or conditions such as --player"
        );
        let games = if by_condition {
            library.matching(&filter)?
        } else if self.duplicates {
            library.duplicates()?
        } else {
            self.games.clone()
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
