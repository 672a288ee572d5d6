//! `riga eval`: the static evaluation of a position and its terms.

use std::io::Write;
use std::process::ExitCode;

use anyhow::{Context, Result};
use chess::Position;
use clap::Args;
use engine::Score;
use engine::eval::{Explanation, Tapered, explain};
use serde_json::{Value, json};

/// Show the hand-written evaluation of a position term by term, and the network's score
#[derive(Args)]
#[command(after_help = "Examples:
  riga eval
  riga eval 'r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1'
  riga eval --json '8/8/1k6/8/1P6/1K6/8/8 w - - 0 1'

MG and EG are the middlegame and endgame values of a term; the remaining pieces decide how they are
mixed. The last line is the score of the embedded network, which the engine plays with; it has no
terms to show. JSON is in centipawns, positive if White is better.")]
pub struct Eval {
    /// The FEN, quoted or not [default: the start position]
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
