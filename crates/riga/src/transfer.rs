//! `riga import` and `riga export`: games to and from the database, as PGN.

use std::fs::File;
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context, Result};
use clap::Args;
use game::pgn::{Games, ReadError, Reader};
use indicatif::ProgressBar;
use serde_json::json;
use store::{
    Export as Walk, GameFilter, GameOrder, NewGame, Options, Pace, Store, StoreError, UserId,
};

use crate::database::{Database, runtime};
use crate::show::{counted, progress, thousands};

/// Import games from PGN files into the database
#[derive(Args)]
#[command(after_help = "Examples:
  riga import games.pgn
  riga import --user Misha lichess_*.pgn
  zstdcat games.pgn.zst | riga import -

Games that their owner already has are skipped. Damaged games are kept as far as they can be read,
with a warning about what was dropped. The exit code is 1 if a game was rejected altogether.")]
pub struct Import {
    /// PGN files; - for standard input
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Owner of the games; the profile is created if it doesn't exist
    #[arg(long)]
    user: Option<String>,
    #[command(flatten)]
    database: Database,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl Import {
    pub fn run(&self) -> Result<ExitCode> {
        let runtime = runtime()?;
        runtime.block_on(async {
            // Open the files first: a mistyped name must not leave anything behind.
            let files: Vec<Source> =
                self.files.iter().map(|path| Source::open(path)).collect::<Result<_>>()?;
            let store = self.database.open(&Options::TOOL).await?;
            let owner = match &self.user {
                Some(name) => Some(owner(&*store, name).await?),
                None => None,
            };
            let start = Instant::now();
            let (mut kept, mut doubled, mut remarked, mut lost) = (0, 0, 0, 0);
            for file in files {
                let mut games = Reading::new(file, owner);
                let imported = store.import(&mut games, Pace::Fast).await?;
                games.end()?;
                kept += imported.kept;
                doubled += imported.doubled;
                remarked += games.remarked;
                lost += games.lost + imported.refused;
            }
            store.close().await;
            let seconds = start.elapsed().as_secs_f64();
            let speed = (kept + doubled) as f64 / seconds.max(1e-6);
            if self.json {
                let report = json!({
                    "imported": kept, "known": doubled, "remarked": remarked, "lost": lost,
                    "seconds": seconds, "games_per_second": speed,
                });
                println!("{report}");
            } else {
                println!(
                    "{} imported, {}, {} with warnings, {} rejected; {seconds:.1} s, {} \
                     games per second",
                    thousands(kept),
                    counted(doubled, "duplicate"),
                    thousands(remarked),
                    thousands(lost),
                    thousands(speed as u64),
                );
            }
            Ok(if lost == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
        })
    }
}

async fn owner(store: &dyn Store, name: &str) -> Result<UserId> {
    Ok(match store.user_by_name(name).await {
        Err(StoreError::NotFound(_)) => store.create_user(name).await?.id,
        found => found?.id,
    })
}

/// The games of a file. Read errors go to standard error.
struct Reading {
    games: Games<Box<dyn Read + Send>>,
    name: String,
    owner: Option<UserId>,
    remarked: u64,
    lost: u64,
    failed: Option<io::Error>,
    bar: ProgressBar,
}

/// An open file, or standard input.
struct Source {
    name: String,
    bytes: Box<dyn Read + Send>,
    len: Option<u64>,
}

impl Source {
    fn open(path: &Path) -> Result<Self> {
        let name = path.display().to_string();
        if path == Path::new("-") {
            return Ok(Self { name, bytes: Box::new(io::stdin()), len: None });
        }
        let file = File::open(path).with_context(|| name.clone())?;
        let len = file.metadata().map(|data| data.len()).ok();
        Ok(Self { name, bytes: Box::new(file), len })
    }
}

impl Reading {
    fn new(Source { name, bytes, len }: Source, owner: Option<UserId>) -> Self {
        let bar = progress(len, "{wide_bar} {bytes} of {total_bytes}, {eta} left");
        let source: Box<dyn Read + Send> = Box::new(bar.wrap_read(bytes));
        let games = Reader::new(source).games();
        Self { games, name, owner, remarked: 0, lost: 0, failed: None, bar }
    }

    /// Fails if the file could not be read to the end.
    fn end(&mut self) -> Result<()> {
        self.bar.finish_and_clear();
        match self.failed.take() {
            Some(error) => Err(error).with_context(|| self.name.clone()),
            None => Ok(()),
        }
    }
}

impl Iterator for Reading {
    type Item = NewGame;

    fn next(&mut self) -> Option<NewGame> {
        loop {
            match self.games.next()? {
                Ok(game) => {
                    if let [first, more @ ..] = self.games.remarks() {
                        self.remarked += 1;
                        let more = match more.len() {
                            0 => String::new(),
                            more => format!("; {more} more warnings"),
                        };
                        self.bar.suspend(|| eprintln!("{}: {first} (kept{more})", self.name));
                    }
                    let mut new = NewGame::imported(&game);
                    new.owner = self.owner;
                    return Some(new);
                }
                Err(ReadError::Io(error)) => {
                    self.failed = Some(error);
                    return None;
                }
                Err(ReadError::Lost(remark)) => {
                    self.lost += 1;
                    self.bar.suspend(|| eprintln!("{}: {remark} (rejected)", self.name));
                }
            }
        }
    }
}

/// Export games from the database as PGN
#[derive(Args)]
#[command(after_help = "Examples:
  riga export > all.pgn
  riga export --user Misha --out misha.pgn

Damaged games are skipped; the exit code is then 1.")]
pub struct Export {
    /// Owner of the games [default: everybody]
    #[arg(long)]
    user: Option<String>,
    /// The file to write [default: standard output]
    #[arg(long)]
    out: Option<PathBuf>,
    #[command(flatten)]
    database: Database,
}

impl Export {
    pub fn run(&self) -> Result<ExitCode> {
        let runtime = runtime()?;
        runtime.block_on(async {
            let store = self.database.open_existing().await?;
            let mut filter = GameFilter { order: GameOrder::Oldest, ..GameFilter::default() };
            if let Some(name) = &self.user {
                filter.user = Some(store.user_by_name(name).await?.id);
            }
            let mut out: Box<dyn Write> = match &self.out {
                Some(path) => {
                    let file = File::create(path).with_context(|| path.display().to_string())?;
                    Box::new(BufWriter::new(file))
                }
                None => Box::new(BufWriter::new(io::stdout().lock())),
            };
            let mut games = Walk::new(&*store, filter);
            let (mut count, mut damaged) = (0, 0);
            while let Some(game) = games.next().await? {
                match game.to_game() {
                    Ok(game) => {
                        writeln!(out, "{game}")?;
                        count += 1;
                    }
                    Err(error) => {
                        eprintln!("{error}");
                        damaged += 1;
                    }
                }
            }
            out.flush()?;
            eprintln!("{}, {} damaged", counted(count, "game"), thousands(damaged));
            Ok(if damaged == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
        })
    }
}
