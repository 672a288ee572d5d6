//! `riga library export`: games as PGN.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, ensure};
use clap::Args;
use library::LibraryError;

use super::Folder;
use super::filter::Conditions;
use crate::show::counted;

/// Write games as PGN, with all tags, comments, clocks and variations
#[derive(Args)]
#[command(after_help = "Examples:
  riga library export twic --player 'Carlsen,M' --output carlsen.pgn
  riga library export twic --min-rating 2700 | riga pgn check -

Games come in the order of their moves.")]
pub struct Export {
    #[command(flatten)]
    folder: Folder,
    #[command(flatten)]
    conditions: Conditions,
    /// PGN file to write [default: standard output]
    #[arg(long, short)]
    output: Option<PathBuf>,
}

impl Export {
    pub fn run(&self) -> Result<ExitCode> {
        let library = self.folder.open()?;
        let filter = self.conditions.filter();
        let Some(path) = &self.output else {
            let mut out = BufWriter::new(std::io::stdout().lock());
            let name = Path::new("standard output");
            match library.export(&filter, name, &mut out) {
                // A pipe that its reader has closed is no failure, and known by its cause.
                Err(LibraryError::Io { path, cause }) if path == name => return Err(cause.into()),
                written => written?,
            };
            out.flush()?;
            return Ok(ExitCode::SUCCESS);
        };
        let folder = library.folder().canonicalize()?;
        let parent = path
            .parent()
            .map(|parent| Path::new(".").join(parent).canonicalize())
            .and_then(Result::ok);
        ensure!(
            parent.is_none_or(|parent| !parent.starts_with(&folder)),
            "{} is in the folder of the library: choose another place",
            path.display()
        );
        let file = File::create(path).with_context(|| path.display().to_string())?;
        let mut out = BufWriter::new(file);
        let count = library.export(&filter, path, &mut out)?;
        out.flush().with_context(|| path.display().to_string())?;
        println!("{} written", counted(count, "game"));
        Ok(ExitCode::SUCCESS)
    }
}
