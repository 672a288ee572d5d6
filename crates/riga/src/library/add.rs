//! `riga library add` and `merge`.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Mutex;
use std::time::Instant;

use anyhow::Result;
use clap::Args;
use indicatif::ProgressBar;
use library::{Added, Library, Progress, Stage};
use serde_json::json;

use super::listing::shown;
use super::{Folder, open_sources};
use crate::arguments::{self, per_core};
use crate::show::{counted, progress, thousands};

/// Add the games of PGN files, creating the library if needed
#[derive(Args)]
#[command(after_help = "Examples:
  riga library add twic twic*.pgn
  riga library add lichess lichess_db_standard_rated_2025-05.pgn.zst
  curl https://example.org/games.pgn.gz | riga library add games -

Files may be compressed with zstd, gzip or bzip2. Damaged games are kept as far as they can be read,
with a warning. If the command is interrupted, the library is as before. The exit code is 1 if a game
was rejected altogether.")]
pub struct Add {
    #[command(flatten)]
    folder: Folder,
    /// PGN files; - for standard input
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Threads; 0 for one per core
    #[arg(long, default_value_t = 0, value_parser = arguments::threads_or_cores)]
    threads: usize,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Warnings printed.
const SHOWN: usize = 20;

impl Add {
    pub fn run(&self) -> Result<ExitCode> {
        // Open the files first: a mistyped name must not leave anything behind.
        let sources = open_sources(&self.files)?;
        let library = Library::create(self.folder.path())?;
        let start = Instant::now();
        let bar = Bar::new();
        let added = library.add(sources, per_core(self.threads).get(), &|at| bar.show(at))?;
        bar.finish();
        let seconds = start.elapsed().as_secs_f64();
        self.print(&added, &library, seconds);
        Ok(if added.rejected == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }

    fn print(&self, added: &Added, library: &Library, seconds: f64) {
        let speed = added.games as f64 / seconds.max(1e-6);
        for trouble in added.troubles.iter().take(SHOWN) {
            let fate = if trouble.rejected { "rejected" } else { "kept" };
            let source = trouble.source.to_string_lossy();
            let (source, reason) = (shown(&source), trouble.reason.to_string());
            let (game, line, reason) = (trouble.game, trouble.line, shown(&reason));
            eprintln!("{source}: game {game}, line {line}: {reason} ({fate})");
        }
        if added.troubles.len() > SHOWN {
            eprintln!("{} more warnings", thousands((added.troubles.len() - SHOWN) as u64));
        }
        if self.json {
            let report = json!({
                "added": added.games, "rejected": added.rejected, "warnings": added.troubles.len(),
                "games": library.len(), "seconds": seconds, "games_per_second": speed,
            });
            println!("{report}");
        } else {
            println!(
                "{} added, {} rejected; {} in the library; {seconds:.1} s, {} games per second",
                counted(added.games, "game"),
                thousands(added.rejected),
                thousands(library.len()),
                thousands(speed as u64)
            );
        }
    }
}

/// Merge segments of similar size; deleted games are removed for good
#[derive(Args)]
pub struct Merge {
    #[command(flatten)]
    folder: Folder,
    /// Merge all segments into one
    #[arg(long)]
    all: bool,
    /// Threads; 0 for one per core
    #[arg(long, default_value_t = 0, value_parser = arguments::threads_or_cores)]
    threads: usize,
}

impl Merge {
    pub fn run(&self) -> Result<ExitCode> {
        let library = self.folder.open()?;
        let bar = Bar::new();
        let left = library.merge(self.all, per_core(self.threads).get(), &|at| bar.show(at))?;
        bar.finish();
        println!("{}, {}", counted(left as u64, "segment"), counted(library.len(), "game"));
        Ok(ExitCode::SUCCESS)
    }
}

/// A progress bar for each stage of a build.
pub struct Bar(Mutex<Option<(Stage, ProgressBar)>>);

impl Bar {
    pub const fn new() -> Self {
        Self(Mutex::new(None))
    }

    /// Shows how far a build is.
    pub fn show(&self, at: Progress) -> bool {
        let mut shown = self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if shown.as_ref().is_none_or(|(stage, _)| *stage != at.stage) {
            if let Some((_, bar)) = shown.take() {
                bar.finish_and_clear();
            }
            let template = match at.stage {
                Stage::Reading if at.of == 0 => "{spinner} {msg} read",
                Stage::Reading => "{wide_bar} {msg} read, {eta} left",
                Stage::Sorting => "{wide_bar} sorting, {eta} left",
                Stage::Indexing => "{wide_bar} indexing, {eta} left",
            };
            *shown = Some((at.stage, progress(at.of, template)));
        }
        if let Some((_, bar)) = &*shown {
            bar.set_message(counted(at.games, "game"));
            bar.set_position(at.done);
        }
        true
    }

    pub fn finish(&self) {
        if let Some((_, bar)) =
            self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner).take()
        {
            bar.finish_and_clear();
        }
    }
}
