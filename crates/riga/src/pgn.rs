//! `riga pgn`: work on files of games.

use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use chess::{Move, Position};
use clap::{Args, Subcommand};
use game::pgn::{Comment, Damaged, ReadError, Reader, Visitor};
use serde_json::{Value, json};

use crate::show::{millions_a_second, progress, thousands};

/// Work on files of games
#[derive(Args)]
pub struct Pgn {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Check(Check),
}

impl Pgn {
    pub fn run(&self) -> Result<ExitCode> {
        match &self.command {
            Command::Check(check) => check.run(),
        }
    }
}

/// Read games, play every move, and report what is damaged
#[derive(Args)]
#[command(after_help = "Examples:
  riga pgn check games.pgn
  zstdcat lichess.pgn.zst | riga pgn check --json -

The exit code is 1 when a game is damaged.")]
struct Check {
    /// Files to read; - is standard input
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Name every damaged game, not only the first 20 of each file
    #[arg(long)]
    all: bool,
    /// Print one JSON object for each file
    #[arg(long)]
    json: bool,
}

/// So many damaged games are named unless all are wanted.
const SHOWN: usize = 20;

impl Check {
    fn run(&self) -> Result<ExitCode> {
        let mut sound = true;
        for path in &self.files {
            let report = self.read(path).with_context(|| path.display().to_string())?;
            sound &= report.damaged == 0;
            let mut out = std::io::stdout().lock();
            if self.json {
                writeln!(out, "{}", report.to_json(path))?;
            } else {
                report.print(path, &mut out)?;
            }
        }
        Ok(if sound { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }

    fn read(&self, path: &Path) -> Result<Report> {
        if path == Path::new("-") {
            let bar = progress(0, "{spinner} {bytes} {bytes_per_sec}");
            return self.read_from(bar.wrap_read(std::io::stdin().lock()));
        }
        let file = File::open(path)?;
        let bar =
            progress(file.metadata()?.len(), "{wide_bar} {bytes} of {total_bytes}, {eta} left");
        self.read_from(bar.wrap_read(file))
    }

    fn read_from(&self, source: impl Read) -> Result<Report> {
        let start = Instant::now();
        let mut bytes = 0;
        let mut reader = Reader::new(Counted { source, bytes: &mut bytes });
        let mut report = Report::default();
        loop {
            // What a damaged game has told before its damage doesn't count.
            let mut tally = Tally::default();
            match reader.read(&mut tally) {
                Ok(true) => report.add(&tally),
                Ok(false) => break,
                Err(ReadError::Io(error)) => return Err(error.into()),
                Err(ReadError::Damaged(damaged)) => {
                    report.damaged += 1;
                    if self.all || report.shown.len() < SHOWN {
                        report.shown.push(damaged);
                    }
                }
            }
        }
        report.bytes = bytes;
        report.time = start.elapsed();
        Ok(report)
    }
}

/// Counts the bytes that go through.
struct Counted<'a, R> {
    source: R,
    bytes: &'a mut u64,
}

impl<R: Read> Read for Counted<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let read = self.source.read(buffer)?;
        *self.bytes += read as u64;
        Ok(read)
    }
}

/// What one game holds.
#[derive(Default)]
struct Tally {
    depth: u32,
    moves: u64,
    side_moves: u64,
    variations: u64,
    comments: u64,
}

impl Visitor for Tally {
    fn play(&mut self, _: &Position, _: Move) {
        if self.depth == 0 {
            self.moves += 1;
        } else {
            self.side_moves += 1;
        }
    }

    fn comment(&mut self, _: Comment<'_>) {
        self.comments += 1;
    }

    fn open(&mut self) {
        self.depth += 1;
        self.variations += 1;
    }

    fn close(&mut self) {
        self.depth -= 1;
    }
}

/// What a file holds.
#[derive(Default)]
struct Report {
    games: u64,
    damaged: u64,
    shown: Vec<Damaged>,
    sum: Tally,
    bytes: u64,
    time: Duration,
}

impl Report {
    fn add(&mut self, tally: &Tally) {
        self.games += 1;
        self.sum.moves += tally.moves;
        self.sum.side_moves += tally.side_moves;
        self.sum.variations += tally.variations;
        self.sum.comments += tally.comments;
    }

    fn print(&self, path: &Path, out: &mut impl Write) -> std::io::Result<()> {
        let Self { games, damaged, shown, sum, bytes, time } = self;
        writeln!(out, "{}", path.display())?;
        for damage in shown {
            writeln!(out, "  {damage}")?;
        }
        let hidden = damaged - shown.len() as u64;
        if hidden > 0 {
            writeln!(out, "  and {} more; --all names them", thousands(hidden))?;
        }
        writeln!(out, "  {} sound games, {} damaged", thousands(*games), thousands(*damaged))?;
        writeln!(
            out,
            "  {} moves, {} more in {} variations, {} comments",
            thousands(sum.moves),
            thousands(sum.side_moves),
            thousands(sum.variations),
            thousands(sum.comments)
        )?;
        writeln!(
            out,
            "  {:.1} MB in {:.3} s: {:.0} MB and {} games a second",
            *bytes as f64 / 1e6,
            time.as_secs_f64(),
            millions_a_second(*bytes, *time),
            thousands((*games as f64 / time.as_secs_f64().max(1e-9)) as u64)
        )
    }

    fn to_json(&self, path: &Path) -> Value {
        let damaged = |damage: &Damaged| json!({ "game": damage.game, "line": damage.line, "reason": damage.reason.to_string() });
        json!({
            "file": path.display().to_string(),
            "games": self.games,
            "damaged": self.damaged,
            "damage": self.shown.iter().map(damaged).collect::<Vec<_>>(),
            "moves": self.sum.moves,
            "variation_moves": self.sum.side_moves,
            "variations": self.sum.variations,
            "comments": self.sum.comments,
            "bytes": self.bytes,
            "seconds": self.time.as_secs_f64(),
        })
    }
}
