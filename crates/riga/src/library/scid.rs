//! SCID as a peer: the same PGN imported, the same positions asked for, by a script of its own interpreter.

use std::fmt::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result};
use chess::Position;
use serde_json::{Value, json};

/// Positions that SCID is asked about; it takes long.
pub const POSITIONS: usize = 20;

/// Where Debian has it, if it is not on the path.
const PLACES: [&str; 2] = ["tkscid", "/usr/games/tkscid"];

/// Measures SCID with a PGN file; null if it is not installed or fails.
pub fn measure(pgn: &Path, scratch: &Path, positions: &[Position]) -> Result<Value> {
    let script = scratch.join("scid.tcl");
    std::fs::write(&script, text(pgn, scratch, positions)).context("script for SCID")?;
    let run = |program: &&str| {
        let output = Command::new(program).arg(&script).stdin(Stdio::null()).output().ok()?;
        output.status.success().then_some(output.stdout)
    };
    let Some(output) = PLACES.iter().find_map(run) else { return Ok(Value::Null) };
    let output = String::from_utf8_lossy(&output);
    let values = |name: &str| -> Vec<f64> {
        output.lines().filter_map(|line| line.strip_prefix(name)?.trim().parse().ok()).collect()
    };
    let mut trees = values("tree ");
    trees.sort_by(f64::total_cmp);
    let (&[games], &[import], Some(&longest)) =
        (&values("games ")[..], &values("import ")[..], trees.last())
    else {
        return Ok(Value::Null);
    };
    let size = |ending: &str| {
        std::fs::metadata(scratch.join(format!("peer.{ending}"))).map_or(0, |file| file.len())
    };
    let bytes = size("si4") + size("sg4") + size("sn4");
    Ok(json!({
        "games": games,
        "import_games_per_second": games * 1e3 / import.max(1.0),
        "bytes_per_game": bytes as f64 / games.max(1.0),
        "median_ms": trees[trees.len() / 2],
        "longest_ms": longest,
    }))
}

/// The script: prints the number of games, and the milliseconds of the import and of each search. An import
/// ends early after half a million sites or a million players, which is all that SCID's format has room for.
fn text(pgn: &Path, scratch: &Path, positions: &[Position]) -> String {
    let mut script = format!(
        "set start [clock milliseconds]\n\
         set base [sc_base create SCID4 {{{}}}]\n\
         catch {{sc_base import $base {{{}}}}}\n\
         puts \"import [expr {{[clock milliseconds] - $start}}]\"\n\
         puts \"games [sc_base numGames $base]\"\n",
        scratch.join("peer").display(),
        pgn.display()
    );
    for position in positions {
        write!(
            script,
            "sc_game startBoard {{{position}}}\n\
             set start [clock microseconds]\n\
             sc_filter search $base tree board\n\
             sc_tree stats $base tree 0 frequency\n\
             puts \"tree [expr {{([clock microseconds] - $start) / 1000.0}}]\"\n"
        )
        .expect("a string takes any text");
    }
    script.push_str("exit 0\n");
    script
}
