//! `riga book`: probes, counts and builds opening books.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};
use chess::Position;
use clap::{Args, Subcommand};
use engine::book::Book as Entries;
use game::Openings;
use serde_json::{Value, json};

use crate::book_build::Build;
use crate::show::thousands;

/// Build and query opening books
#[derive(Args)]
pub struct Book {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Build(Box<Build>),
    Probe(Probe),
    Stat(Stat),
}

impl Book {
    pub fn run(&self) -> Result<ExitCode> {
        match &self.command {
            Command::Build(build) => build.run(),
            Command::Probe(probe) => probe.run(),
            Command::Stat(stat) => stat.run(),
        }
    }
}

/// Show the book moves of a position
#[derive(Args)]
#[command(after_help = "Examples:
  riga book probe
  riga book probe --book games.bin 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1'

The exit code is 1 if the position is not in the book.")]
struct Probe {
    /// The position as FEN, quoted or not [default: the start position]
    fen: Vec<String>,
    /// Polyglot book file [default: the embedded book]
    #[arg(long)]
    book: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl Probe {
    fn run(&self) -> Result<ExitCode> {
        let position: Position = if self.fen.is_empty() {
            Position::default()
        } else {
            self.fen.join(" ").parse().context("FEN")?
        };
        let moves = open(self.book.as_deref())?.moves(&position);
        let total: u64 = moves.iter().map(|known| u64::from(known.weight)).sum();
        let mode = position.castling_mode();
        let openings = Openings::new();
        let mut out = std::io::stdout().lock();
        if self.json {
            let moves: Vec<Value> = moves
                .iter()
                .map(|known| {
                    json!({
                        "uci": known.m.to_uci(&position, mode).to_string(),
                        "san": position.san(known.m).to_string(),
                        "weight": known.weight,
                    })
                })
                .collect();
            writeln!(out, "{}", json!({ "fen": position.to_string(), "moves": moves }))?;
        } else {
            for known in &moves {
                let san = position.san(known.m).to_string();
                let share = 100.0 * f64::from(known.weight) / (total as f64).max(1.0);
                let name = openings.name(&position.after(known.m)).map_or("", |named| named.name);
                let row = format!("{san:<8}{:>6} {share:>5.1} %  {name}", known.weight);
                writeln!(out, "{}", row.trim_end())?;
            }
            if moves.is_empty() {
                writeln!(out, "The position is not in the book")?;
            }
        }
        Ok(if moves.is_empty() { ExitCode::FAILURE } else { ExitCode::SUCCESS })
    }
}

/// Show statistics of a book
#[derive(Args)]
#[command(after_help = "Examples:
  riga book stat
  riga book stat --book games.bin --json")]
struct Stat {
    /// Polyglot book file [default: the embedded book]
    #[arg(long)]
    book: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl Stat {
    fn run(&self) -> Result<ExitCode> {
        let book = open(self.book.as_deref())?;
        let reach = Reach::of(&book);
        let mut out = std::io::stdout().lock();
        if self.json {
            let report = json!({
                "entries": book.len(),
                "positions": book.positions(),
                "reached": reach.positions,
                "moves": reach.moves,
                "plies": reach.plies,
            });
            writeln!(out, "{report}")?;
        } else {
            let count = |number: usize| thousands(number as u64);
            writeln!(
                out,
                "{} entries for {} positions",
                count(book.len()),
                count(book.positions())
            )?;
            writeln!(
                out,
                "{} positions with {} moves can be reached from the start, up to {} plies",
                count(reach.positions),
                count(reach.moves),
                reach.plies
            )?;
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// The part of a book that can be reached from the start position by its own moves.
#[derive(Default)]
struct Reach {
    positions: usize,
    moves: usize,
    plies: usize,
}

impl Reach {
    fn of(book: &Entries) -> Self {
        let mut reach = Self::default();
        let mut seen = std::collections::HashSet::from([Position::default().key()]);
        let mut level = vec![Position::default()];
        while !level.is_empty() {
            let mut next = Vec::new();
            let mut known = false;
            for position in &level {
                let moves = book.moves(position);
                reach.positions += usize::from(!moves.is_empty());
                reach.moves += moves.len();
                known |= !moves.is_empty();
                let afters = moves.iter().map(|entry| position.after(entry.m));
                next.extend(afters.filter(|after| seen.insert(after.key())));
            }
            reach.plies += usize::from(known);
            level = next;
        }
        reach
    }
}

/// A book from a file, or the embedded one.
fn open(path: Option<&Path>) -> Result<Entries> {
    match path {
        Some(path) => Entries::open(path).with_context(|| path.display().to_string()),
        None => Ok(Entries::embedded()),
    }
}
