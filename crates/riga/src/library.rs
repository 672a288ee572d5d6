//! `riga library`: collections of millions of games.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::{Args, Subcommand};
use library::{Library as Games, LibraryError, Source};

mod add;
mod adopt;
mod bench;
mod delete;
mod explore;
mod export;
mod filter;
mod find;
mod list;
mod listing;
mod player;
mod scid;

pub use filter::{Conditions, GameConditions};

/// Collections of millions of games: opening statistics, search, export
#[derive(Args)]
pub struct Library {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Add(add::Add),
    Adopt(adopt::Adopt),
    List(list::List),
    Explore(explore::Explore),
    Find(find::Find),
    Player(player::Player),
    Merge(add::Merge),
    Check(list::Check),
    Export(export::Export),
    Delete(delete::Delete),
    Bench(bench::Bench),
}

impl Library {
    pub fn run(&self) -> Result<ExitCode> {
        match &self.command {
            Command::Add(add) => add.run(),
            Command::Adopt(adopt) => adopt.run(),
            Command::List(list) => list.run(),
            Command::Explore(explore) => explore.run(),
            Command::Find(find) => find.run(),
            Command::Player(player) => player.run(),
            Command::Merge(merge) => merge.run(),
            Command::Check(check) => check.run(),
            Command::Export(export) => export.run(),
            Command::Delete(delete) => delete.run(),
            Command::Bench(bench) => bench.run(),
        }
    }
}

/// When a segment is checked, the positions of every so many games are looked up in its index.
pub const STEP: u32 = 64;

/// Opens PGN files; `-` is standard input.
pub fn open_sources(files: &[PathBuf]) -> Result<Vec<Source>, LibraryError> {
    let open = |path: &PathBuf| match path.to_str() {
        Some("-") => Ok(Source::stream(Path::new("standard input"), std::io::stdin())),
        _ => Source::open(path),
    };
    files.iter().map(open).collect()
}

/// The folder of a library.
#[derive(Args)]
struct Folder {
    /// Folder of the library
    library: PathBuf,
}

impl Folder {
    fn open(&self) -> Result<Games> {
        Ok(Games::open(&self.library)?)
    }

    fn path(&self) -> &Path {
        &self.library
    }
}

/// Parses a position from the words of a command line; none is the start position.
fn position(words: &[String]) -> Result<chess::Position> {
    if words.is_empty() {
        return Ok(chess::Position::default());
    }
    words.join(" ").parse().context("FEN")
}
