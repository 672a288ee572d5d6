//! `riga perft --suite`: compares counts with those in a file.

use std::io::Write;
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use chess::{Position, perft};

use crate::show::{counted, millions_a_second, progress, thousands};

/// Checks every count of a file up to a depth, and prints those that differ.
pub fn check(path: &Path, deepest: u32) -> Result<ExitCode> {
    let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
    let lines: Vec<(usize, &str)> = text
        .lines()
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'))
        .collect();
    let bar = progress(lines.len() as u64, "{wide_bar} {pos} of {len} positions, {eta} left");
    let mut out = std::io::stdout().lock();
    let (mut right, mut wrong, mut leaves) = (0, 0, 0);
    let start = Instant::now();
    for (i, line) in &lines {
        let known = parse(line).with_context(|| format!("{}, line {}", path.display(), i + 1))?;
        for &(depth, expected) in known.counts.iter().filter(|(depth, _)| *depth <= deepest) {
            let counted = perft(&known.position, depth);
            leaves += counted;
            if counted == expected {
                right += 1;
            } else {
                wrong += 1;
                writeln!(out, "line {}, depth {depth}: {counted} instead of {expected}", i + 1)?;
            }
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    let time = start.elapsed();
    writeln!(
        out,
        "{}, {right} counts right, {wrong} wrong; {} leaves in {:.1} s, {:.0} million per second",
        counted(lines.len() as u64, "position"),
        thousands(leaves),
        time.as_secs_f64(),
        millions_a_second(leaves, time)
    )?;
    Ok(if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// A position and its leaf count by depth.
struct Known {
    position: Position,
    counts: Vec<(u32, u64)>,
}

/// `FEN ;D1 20 ;D2 400`
fn parse(line: &str) -> Result<Known> {
    let mut parts = line.split(';');
    let position = parts.next().unwrap_or_default().parse()?;
    let counts = parts.map(|part| {
        let mut words = part.split_whitespace();
        match (words.next().and_then(|depth| depth.strip_prefix('D')), words.next()) {
            (Some(depth), Some(count)) => Ok((depth.parse()?, count.parse()?)),
            _ => bail!("`{}` is not a depth and a count such as D1 20", part.trim()),
        }
    });
    Ok(Known { position, counts: counts.collect::<Result<_>>()? })
}
