//! `riga perft`: counts leaf nodes.

use std::io::Write;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::thread;
use std::time::Instant;

use anyhow::{Context, Result};
use chess::{CastlingMode, Move, Position, perft};
use clap::Args;
use indicatif::ProgressBar;
use serde_json::json;

use crate::arguments::{self, per_core};
use crate::perft_suite;
use crate::show::{millions_a_second, progress, thousands};

/// Count leaf nodes (perft), to test and time the move generator
#[derive(Args)]
#[command(after_help = "Examples:
  riga perft 6
  riga perft --divide --fen '8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1' 5
  riga perft --suite standard.epd 5
  riga perft --chess960 --fen 'bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9' 5")]
pub struct Perft {
    /// Depth in plies
    #[arg(value_parser = clap::value_parser!(u32).range(0..=64), required_unless_present = "suite")]
    depth: Option<u32>,
    /// Position to start from [default: the start position]
    #[arg(long)]
    fen: Option<String>,
    /// File of positions with known counts, one per line (FEN ;D1 20 ;D2 400), checked up to DEPTH
    /// if given
    #[arg(long, conflicts_with_all = ["fen", "chess960", "divide", "threads", "json"])]
    suite: Option<PathBuf>,
    /// Write castling as king takes rook
    #[arg(long)]
    chess960: bool,
    /// Show the count below each move
    #[arg(long)]
    divide: bool,
    /// Number of threads; 0 for one per core
    #[arg(long, default_value_t = 1, value_parser = arguments::threads_or_cores)]
    threads: usize,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl Perft {
    pub fn run(&self) -> Result<ExitCode> {
        if let Some(suite) = &self.suite {
            return perft_suite::check(suite, self.depth.unwrap_or(u32::MAX));
        }
        let depth = self.depth.context("DEPTH is missing")?;
        let position: Position = match &self.fen {
            Some(fen) => fen.parse().context("--fen")?,
            None => Position::default(),
        };
        let threads = per_core(self.threads);
        let mode = if self.chess960 { CastlingMode::Chess960 } else { position.castling_mode() };

        let bar = progress(0, "{wide_bar} {percent}% {elapsed} of about {duration}");
        let start = Instant::now();
        let counts = divide(&position, depth, threads, &bar);
        let time = start.elapsed();
        bar.finish_and_clear();

        let leaves = if depth == 0 { 1 } else { counts.iter().map(|(_, count)| count).sum() };
        let mut divided: Vec<(String, u64)> = counts
            .iter()
            .map(|&(m, count)| (m.to_uci(&position, mode).to_string(), count))
            .collect();
        divided.sort();

        let mut out = std::io::stdout().lock();
        if self.json {
            let mut report = json!({
                "fen": position.to_string(),
                "depth": depth,
                "leaves": leaves,
                "seconds": time.as_secs_f64(),
            });
            if self.divide {
                report["divide"] = divided.into_iter().collect();
            }
            writeln!(out, "{report}")?;
        } else {
            if self.divide {
                for (m, count) in divided {
                    writeln!(out, "{m}: {count}")?;
                }
                writeln!(out)?;
            }
            writeln!(
                out,
                "{} leaves at depth {} in {:.3} s, {:.0} million per second",
                thousands(leaves),
                depth,
                time.as_secs_f64(),
                millions_a_second(leaves, time)
            )?;
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// The count below each legal move, using several threads. The work is split two plies deep, so
/// that the threads finish at about the same time.
fn divide(
    position: &Position,
    depth: u32,
    threads: NonZeroUsize,
    bar: &ProgressBar,
) -> Vec<(Move, u64)> {
    if depth < 3 {
        return chess::divide(position, depth);
    }
    let moves = position.legal_moves();
    let mut tasks = Vec::new();
    for (i, &m) in moves.iter().enumerate() {
        let after = position.after(m);
        tasks.extend(after.legal_moves().iter().map(|&reply| (i, after.after(reply))));
    }
    bar.set_length(tasks.len() as u64);
    let counts: Vec<AtomicU64> = moves.iter().map(|_| AtomicU64::new(0)).collect();
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        for _ in 0..threads.get().min(tasks.len()) {
            scope.spawn(|| {
                while let Some((i, position)) = tasks.get(next.fetch_add(1, Ordering::Relaxed)) {
                    counts[*i].fetch_add(perft(position, depth - 2), Ordering::Relaxed);
                    bar.inc(1);
                }
            });
        }
    });
    moves.into_iter().zip(counts.into_iter().map(AtomicU64::into_inner)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_count_the_same() {
        let position: Position =
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
                .parse()
                .expect("a legal FEN");
        for depth in 0..=4 {
            for threads in [1, 2, 7].map(|n| NonZeroUsize::new(n).expect("not zero")) {
                let counts = divide(&position, depth, threads, &ProgressBar::hidden());
                assert_eq!(counts, chess::divide(&position, depth), "{depth} {threads}");
            }
        }
    }
}
