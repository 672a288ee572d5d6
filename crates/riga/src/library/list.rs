//! `riga library list` and `check`.

use std::io::Write;
use std::process::ExitCode;

use anyhow::Result;
use clap::Args;
use library::SegmentInfo;
use serde_json::{Value, json};

use super::{Folder, STEP};
use crate::show::{counted, progress, thousands};

/// List the segments of a library
#[derive(Args)]
pub struct List {
    #[command(flatten)]
    folder: Folder,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl List {
    pub fn run(&self) -> Result<ExitCode> {
        let library = self.folder.open()?;
        let segments = library.info();
        let mut out = std::io::stdout().lock();
        if self.json {
            let segments: Vec<Value> = segments.iter().map(to_json).collect();
            writeln!(out, "{}", json!({ "games": library.len(), "segments": segments }))?;
            return Ok(ExitCode::SUCCESS);
        }
        let heads =
            ["segment", "games", "deleted", "plies", "positions", "players", "bytes a game"];
        writeln!(
            out,
            "{:>8}{:>14}{:>10}{:>16}{:>16}{:>12}{:>14}",
            heads[0], heads[1], heads[2], heads[3], heads[4], heads[5], heads[6]
        )?;
        for info in &segments {
            writeln!(
                out,
                "{:>8}{:>14}{:>10}{:>16}{:>16}{:>12}{:>14.1}",
                info.number,
                thousands(info.games),
                thousands(info.deleted),
                thousands(info.plies),
                thousands(info.shared + info.singles),
                thousands(info.players),
                info.size as f64 / (info.games + info.deleted).max(1) as f64
            )?;
        }
        writeln!(out, "{}", counted(library.len(), "game"))?;
        Ok(ExitCode::SUCCESS)
    }
}

fn to_json(info: &SegmentInfo) -> Value {
    json!({
        "segment": info.number, "games": info.games, "deleted": info.deleted, "plies": info.plies,
        "shared_positions": info.shared, "single_positions": info.singles, "players": info.players,
        "bytes": info.size,
    })
}

/// Verify all checksums, replay all games, and test the index
#[derive(Args)]
pub struct Check {
    #[command(flatten)]
    folder: Folder,
    /// Look up the positions of every n-th game in the index; 1 for all games
    #[arg(long, default_value_t = STEP, value_name = "N",
        value_parser = clap::value_parser!(u32).range(1..))]
    step: u32,
}

impl Check {
    pub fn run(&self) -> Result<ExitCode> {
        let library = self.folder.open()?;
        let bar = progress(library.len(), "{wide_bar} {pos} of {len} games, {eta} left");
        let checked = library.check(self.step, &|games| bar.set_position(games))?;
        bar.finish_and_clear();
        println!(
            "sound: {}, {}, {} looked up",
            counted(checked.games, "game"),
            counted(checked.pages, "page"),
            counted(checked.positions, "position")
        );
        Ok(ExitCode::SUCCESS)
    }
}
