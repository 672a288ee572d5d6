//! `riga tb`: probes Syzygy tablebases.

use std::io::Write;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use chess::{Line, Position};
use clap::Args;
use engine::tablebase::{NotInTables, RootMove, Shelf, TableWdl, Tablebases, directories};
use serde_json::{Value, json};

/// Probe Syzygy tablebases for a position and all its moves
#[derive(Args)]
#[command(after_help = "Examples:
  riga tb '4k3/8/8/8/8/8/8/4K2R w - - 0 1' --path tables
  riga tb --json --path tables/3-4-5:tables/6 '8/8/8/8/B7/N7/K2k4/8 b - - 0 1'

DTZ counts plies to the next capture, pawn move or mate: positive for the winning side. Results
take the fifty-move counter of the FEN into account: a cursed win and a blessed loss are draws by
that rule. A * marks the moves that the engine would choose from. The exit code is 1 if the
tablebases don't cover the position.")]
pub struct Tb {
    /// The position as FEN, quoted or not
    #[arg(required = true)]
    fen: Vec<String>,
    /// Directories with tablebases, separated by : (on Windows by ;)
    #[arg(long)]
    path: String,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl Tb {
    pub fn run(&self) -> Result<ExitCode> {
        let position: Position = self.fen.join(" ").parse().context("FEN")?;
        let (tables, mut messages) = Tablebases::open(&directories(&self.path));
        let line = Line::new(position);
        let answer = tables.probe_root(&line);
        messages.extend(tables.take_messages());
        for message in &messages {
            eprintln!("warning: {message}");
        }
        let mut out = std::io::stdout().lock();
        match answer {
            Ok(moves) if self.json => writeln!(out, "{}", to_json(&line, &moves, tables.shelf()))?,
            Ok(moves) => print(line.position(), &moves, &mut out)?,
            Err(NotInTables::TooManyMen { most: 0, .. }) => bail!("no tablebases in {}", self.path),
            Err(reason) => bail!("{reason}"),
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// Whether a move ranks as high as the first of the sorted moves.
fn is_best(m: &RootMove, moves: &[RootMove]) -> bool {
    moves.first().is_some_and(|best| best.rank == m.rank)
}

fn to_json(line: &Line, moves: &[RootMove], shelf: Shelf) -> Value {
    let position = line.position();
    let mode = position.castling_mode();
    let best = moves.first();
    let ranked: Vec<Value> = moves
        .iter()
        .map(|known| {
            json!({
                "uci": known.m.to_uci(position, mode).to_string(),
                "san": position.san(known.m).to_string(),
                "wdl": known.wdl.name(),
                "dtz": known.dtz,
                "best": is_best(known, moves),
            })
        })
        .collect();
    json!({
        "fen": position.to_string(),
        "wdl": best.map(|best| best.wdl.name()),
        "dtz": best.and_then(|best| best.dtz),
        "moves": ranked,
        "tables": { "wdl": shelf.wdl, "dtz": shelf.dtz, "men": shelf.men },
    })
}

fn print(position: &Position, moves: &[RootMove], out: &mut impl Write) -> std::io::Result<()> {
    writeln!(out, "{}", position.diagram())?;
    if let Some(best) = moves.first() {
        let meaning = match best.wdl {
            TableWdl::Win => "wins",
            TableWdl::CursedWin => "would win, but for the fifty-move rule",
            TableWdl::Draw => "draws",
            TableWdl::BlessedLoss => "would lose, but for the fifty-move rule",
            TableWdl::Loss => "loses",
        };
        writeln!(out, "{} to move {meaning}\n", position.turn().name())?;
    }
    writeln!(out, "  Move     Result        DTZ")?;
    for known in moves {
        let mark = if is_best(known, moves) { '*' } else { ' ' };
        let dtz = known.dtz.map_or_else(|| "?".to_owned(), |dtz| dtz.to_string());
        let san = position.san(known.m).to_string();
        writeln!(out, "{mark} {san:<8} {:<12}{dtz:>5}", known.wdl)?;
    }
    if moves.iter().any(|known| known.dtz.is_none()) {
        writeln!(out, "\nDTZ tables are missing: the results ignore the fifty-move counter")?;
    }
    Ok(())
}
