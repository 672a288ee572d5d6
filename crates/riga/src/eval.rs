//! `riga eval`: what a position is worth without searching, and why.

use std::io::Write;
use std::process::ExitCode;

use anyhow::{Context, Result};
use chess::Position;
use clap::Args;
use engine::Score;
use engine::eval::{Explanation, Tapered, explain};
use serde_json::{Value, json};

/// Show the hand-written evaluation of a position term by term, and the network's
#[derive(Args)]
#[command(after_help = "Examples:
  riga eval
  riga eval 'r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1'
  riga eval --json '8/8/1k6/8/1P6/1K6/8/8 w - - 0 1'

MG and EG are what a term is worth in the middlegame and in the endgame; how many pieces are left
decides between them. The last line is what the network in the binary says, by which the engine
plays; it has no terms to show. JSON counts in centipawns, White's advantage positive.")]
pub struct Eval {
    /// The FEN, quoted or not [default: the starting position]
    fen: Vec<String>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl Eval {
    pub fn run(&self) -> Result<ExitCode> {
        let position: Position = match self.fen.join(" ") {
            fen if fen.is_empty() => Position::default(),
            fen => fen.parse().context("FEN")?,
        };
        let explanation = explain(&position);
        let mut out = std::io::stdout().lock();
        if self.json {
            writeln!(out, "{}", to_json(&position, &explanation))?;
        } else {
            write!(out, "{}\n{explanation}", position.diagram())?;
        }
        Ok(ExitCode::SUCCESS)
    }
}

fn to_json(position: &Position, explanation: &Explanation) -> Value {
    let pair = |pair: Tapered| json!({ "mg": pair.mg(), "eg": pair.eg() });
    let terms = explanation.rows.iter().map(|row| {
        let [white, black] = row.sides.map(pair);
        json!({
            "name": row.group.name(),
            "white": white,
            "black": black,
            "total": pair(row.total()),
        })
    });
    json!({
        "fen": position.to_string(),
        "terms": terms.collect::<Vec<_>>(),
        "phase": explanation.balance.phase,
        "value": explanation.value(),
        "faded": explanation.faded(),
        "network": match explanation.network {
            Score::Cp(centipawns) => Some(centipawns),
            Score::Mate(_) => None,
        },
    })
}
