//! `riga lab stat`: statistics of training data files.

use std::fmt::Write as _;
use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use ::lab::datagen::{SCORE_EDGES, Stat as Counts};
use anyhow::{Context, Result};
use clap::Args;
use nnue::data::Ending;
use serde_json::{Value, json};

use super::{Inputs, code, warn};
use crate::show::{progress, thousands};

/// Count games, positions, results and scores in training data files
#[derive(Args)]
#[command(after_help = "Examples:
  riga lab stat games.rdata
  riga lab stat --json *.rdata

Branches are games that start from a position of another game. Quiet positions are those used by
`riga lab stream` and `riga lab show --quiet`. The exit code is 1 if a file is damaged.")]
pub struct Stat {
    #[command(flatten)]
    inputs: Inputs,
    /// Print one JSON object per file
    #[arg(long)]
    json: bool,
}

impl Stat {
    pub fn run(&self) -> Result<ExitCode> {
        let mut damaged = 0;
        for path in self.inputs.files()? {
            let counts = read(path).with_context(|| path.display().to_string())?;
            for damage in &counts.damage {
                warn(path, damage);
            }
            damaged += counts.damaged;
            let mut out = std::io::stdout().lock();
            if self.json {
                writeln!(out, "{}", to_json(path, &counts))?;
            } else {
                write!(out, "{}\n{}", path.display(), table(&counts))?;
            }
        }
        Ok(code(damaged))
    }
}

fn read(path: &Path) -> Result<Counts> {
    let file = File::open(path)?;
    let bar = progress(file.metadata()?.len(), "{wide_bar} {bytes} of {total_bytes}, {eta} left");
    let counts = Counts::read(bar.wrap_read(file))?;
    bar.finish_and_clear();
    Ok(counts)
}

fn table(counts: &Counts) -> String {
    let mut text = String::new();
    let share = |count: u64, of: u64| 100.0 * count as f64 / of.max(1) as f64;
    let mut line = |name: &str, count: u64, of: u64| {
        let bar = "#".repeat((share(count, of) / 2.0).round() as usize);
        let row = format!("  {name:<20}{:>14} {:>5.1} % {bar}", thousands(count), share(count, of));
        let _ = writeln!(text, "{}", row.trim_end());
    };
    let Counts { games, positions, .. } = *counts;
    line("games", games, games);
    line("from Chess960", counts.chess960, games);
    line("branches", counts.branches, games);
    for (name, count) in ["White wins", "draws", "Black wins"].into_iter().zip(counts.results) {
        line(name, count, games);
    }
    for (ending, count) in Ending::ALL.into_iter().zip(counts.endings).filter(|(_, n)| *n > 0) {
        line(&format!("by {}", ending.name()), count, games);
    }
    for (i, &count) in counts.lengths.iter().enumerate().filter(|(_, n)| **n > 0) {
        let name = if i + 1 == counts.lengths.len() {
            format!("{} plies or more", i * 40)
        } else {
            format!("{} to {} plies", i * 40, i * 40 + 39)
        };
        line(&name, count, games);
    }
    line("positions", positions, positions);
    line("quiet positions", counts.quiet, positions);
    for (i, &count) in counts.scores.iter().enumerate() {
        line(&score_group(i), count, positions);
    }
    let _ = writeln!(
        text,
        "  {:.1} plies per game ({} to {}), {} bytes, {:.3} bytes per position",
        counts.moves as f64 / games.max(1) as f64,
        counts.shortest,
        counts.longest,
        thousands(counts.bytes),
        counts.bytes_per_position()
    );
    if counts.damaged > 0 {
        let (parts, bytes) = (thousands(counts.damaged), thousands(counts.damaged_bytes));
        let _ = writeln!(text, "  {parts} damaged parts, {bytes} bytes skipped");
    }
    text
}

/// The scores of a group, in centipawns from White's point of view.
fn score_group(group: usize) -> String {
    let last = SCORE_EDGES.len();
    match group {
        0 => "mate score for Black".to_owned(),
        group if group == last => "mate score for White".to_owned(),
        1 => format!("score below {}", SCORE_EDGES[1]),
        group if group + 1 == last => format!("score {} or more", SCORE_EDGES[group - 1]),
        group => format!("score {} to {}", SCORE_EDGES[group - 1], SCORE_EDGES[group] - 1),
    }
}

fn to_json(path: &Path, counts: &Counts) -> Value {
    let [white, draws, black] = counts.results;
    let endings: serde_json::Map<_, _> = Ending::ALL
        .into_iter()
        .zip(counts.endings)
        .map(|(ending, count)| (ending.name().to_owned(), count.into()))
        .collect();
    let damage = counts.damage.iter().map(|damage| {
        json!({ "offset": damage.offset, "bytes": damage.len, "message": damage.to_string() })
    });
    json!({
        "file": path.display().to_string(),
        "games": counts.games,
        "chess960": counts.chess960,
        "branches": counts.branches,
        "white_wins": white,
        "draws": draws,
        "black_wins": black,
        "endings": endings,
        "plies": counts.moves,
        "shortest": counts.shortest,
        "longest": counts.longest,
        "lengths": counts.lengths,
        "positions": counts.positions,
        "quiet": counts.quiet,
        "score_edges": SCORE_EDGES,
        "scores": counts.scores,
        "bytes": counts.bytes,
        "bytes_per_position": counts.bytes_per_position(),
        "damaged": counts.damaged,
        "damaged_bytes": counts.damaged_bytes,
        "damage": damage.collect::<Vec<_>>(),
    })
}
