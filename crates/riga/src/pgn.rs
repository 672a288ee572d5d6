//! `riga pgn`: works with PGN files.

use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use chess::{Move, Position};
use clap::{Args, Subcommand};
use game::pgn::{Comment, ReadError, Reader, Remark, Visitor};
use serde_json::{Value, json};

use crate::show::{counted, millions_a_second, progress, thousands};

/// Work with PGN files
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

/// Read games, replay every move, and report errors
#[derive(Args)]
#[command(after_help = "Examples:
  riga pgn check games.pgn
  zstdcat lichess.pgn.zst | riga pgn check --json -

A game is kept as far as it can be read, with a warning about what was dropped. It is rejected if
nothing can be kept. The exit code is 1 if there are warnings or rejected games.")]
struct Check {
    /// PGN files; - for standard input
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Print every warning, not only the first 20 of each file
    #[arg(long)]
    all: bool,
    /// Print one JSON object per file
    #[arg(long)]
    json: bool,
}

/// Remarks printed per file without `--all`.
const SHOWN: usize = 20;

impl Check {
    fn run(&self) -> Result<ExitCode> {
        let mut sound = true;
        for path in &self.files {
            let report = self.read(path).with_context(|| path.display().to_string())?;
            sound &= report.remarks == 0;
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
            // A rejected game doesn't count at all.
            let mut tally = Tally::default();
            match reader.read(&mut tally) {
                Ok(true) => {
                    report.add(&tally, !reader.remarks().is_empty());
                    for remark in reader.remarks() {
                        report.remark(Fate::Kept, remark.clone(), self.all);
                    }
                }
                Ok(false) => break,
                Err(ReadError::Io(error)) => return Err(error.into()),
                Err(ReadError::Lost(remark)) => {
                    report.lost += 1;
                    report.remark(Fate::Lost, remark, self.all);
                }
            }
        }
        report.bytes = bytes;
        report.time = start.elapsed();
        Ok(report)
    }
}

/// Counts the bytes that pass through.
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

/// The contents of a game, counted.
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

/// What happened to a game with a remark.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Fate {
    Kept,
    Lost,
}

/// The contents of a file, counted.
#[derive(Default)]
struct Report {
    /// Games that were kept, with or without remarks.
    games: u64,
    remarked: u64,
    lost: u64,
    /// The number of remarks, and those that are printed.
    remarks: u64,
    shown: Vec<(Fate, Remark)>,
    sum: Tally,
    bytes: u64,
    time: Duration,
}

impl Report {
    fn remark(&mut self, fate: Fate, remark: Remark, all: bool) {
        self.remarks += 1;
        if all || self.shown.len() < SHOWN {
            self.shown.push((fate, remark));
        }
    }

    fn add(&mut self, tally: &Tally, remarked: bool) {
        self.games += 1;
        self.remarked += u64::from(remarked);
        self.sum.moves += tally.moves;
        self.sum.side_moves += tally.side_moves;
        self.sum.variations += tally.variations;
        self.sum.comments += tally.comments;
    }

    fn print(&self, path: &Path, out: &mut impl Write) -> std::io::Result<()> {
        let Self { games, remarked, lost, remarks, shown, sum, bytes, time } = self;
        writeln!(out, "{}", path.display())?;
        for (fate, remark) in shown {
            let lost = if *fate == Fate::Lost { " (rejected)" } else { "" };
            writeln!(out, "  {remark}{lost}")?;
        }
        let hidden = remarks - shown.len() as u64;
        if hidden > 0 {
            writeln!(out, "  and {} more; use --all to see them", thousands(hidden))?;
        }
        writeln!(
            out,
            "  {}, {} with warnings, {} rejected",
            counted(games - remarked, "valid game"),
            thousands(*remarked),
            thousands(*lost)
        )?;
        writeln!(
            out,
            "  {}, {} more in {}, {}",
            counted(sum.moves, "move"),
            thousands(sum.side_moves),
            counted(sum.variations, "variation"),
            counted(sum.comments, "comment")
        )?;
        writeln!(
            out,
            "  {:.1} MB in {:.3} s: {:.0} MB and {} games per second",
            *bytes as f64 / 1e6,
            time.as_secs_f64(),
            millions_a_second(*bytes, *time),
            thousands((*games as f64 / time.as_secs_f64().max(1e-9)) as u64)
        )
    }

    fn to_json(&self, path: &Path) -> Value {
        let remarks = |wanted: Fate| -> Vec<Value> {
            let shown = self.shown.iter().filter(|(fate, _)| *fate == wanted);
            shown
                .map(|(_, remark)| {
                    let reason = remark.reason.to_string();
                    json!({ "game": remark.game, "line": remark.line, "reason": reason })
                })
                .collect()
        };
        json!({
            "file": path.display().to_string(),
            "games": self.games,
            "remarked": self.remarked,
            "lost": self.lost,
            "remarks": remarks(Fate::Kept),
            "losses": remarks(Fate::Lost),
            "moves": self.sum.moves,
            "variation_moves": self.sum.side_moves,
            "variations": self.sum.variations,
            "comments": self.sum.comments,
            "bytes": self.bytes,
            "seconds": self.time.as_secs_f64(),
        })
    }
}
