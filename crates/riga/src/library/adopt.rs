//! `riga library adopt`: segments that were built elsewhere.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::Args;
use library::Library;

use super::{Folder, STEP};
use crate::show::{counted, thousands};

/// Add copies of the segments of another library, creating the library if needed
#[derive(Args)]
#[command(after_help = "Examples:
  ssh big 'riga library add month month.pgn.zst' && rsync -a big:month /tmp
  riga library adopt lichess /tmp/month
  riga library adopt lichess /tmp/month/segment-1

Every checksum is verified and every game replayed before a segment belongs to the library; a
damaged one is refused. The PGN is not needed.")]
pub struct Adopt {
    #[command(flatten)]
    folder: Folder,
    /// Folders of libraries, or of single segments
    #[arg(required = true)]
    from: Vec<PathBuf>,
    /// Look up the positions of every n-th game in the index; 1 for all games
    #[arg(long, default_value_t = STEP, value_name = "N",
        value_parser = clap::value_parser!(u32).range(1..))]
    step: u32,
}

impl Adopt {
    pub fn run(&self) -> Result<ExitCode> {
        let library = Library::create(self.folder.path())?;
        let mut games = 0;
        for from in &self.from {
            games += library.add_segments(from, self.step)?;
        }
        println!("{} added; {} in the library", counted(games, "game"), thousands(library.len()));
        Ok(ExitCode::SUCCESS)
    }
}
