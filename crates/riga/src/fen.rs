//! `riga fen`: checks a position and describes it.

use std::io::{BufRead, Write};
use std::process::ExitCode;

use anyhow::Result;
use chess::{CastlingMode, CastlingSide, Color, FenError, Piece, Position};
use clap::Args;
use game::Openings;
use serde_json::{Value, json};

/// Check a FEN and describe the position, or explain what is wrong with it
#[derive(Args)]
#[command(after_help = "Examples:
  riga fen 'r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1'
  riga fen --json < positions.txt     one FEN per line; exit code 1 if one is invalid")]
pub struct Fen {
    /// The FEN, quoted or not; without it, FENs are read from standard input, one per line
    fen: Vec<String>,
    /// Print one JSON object per FEN
    #[arg(long)]
    json: bool,
}

impl Fen {
    pub fn run(&self) -> Result<ExitCode> {
        let openings = Openings::new();
        let mut all_legal = true;
        if self.fen.is_empty() {
            for line in std::io::stdin().lock().lines() {
                let line = line?;
                if !line.trim().is_empty() {
                    all_legal &= self.check(&line, &openings)?;
                }
            }
        } else {
            all_legal = self.check(&self.fen.join(" "), &openings)?;
        }
        Ok(if all_legal { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }

    fn check(&self, text: &str, openings: &Openings) -> Result<bool> {
        let parsed: Result<Position, FenError> = text.parse();
        let mut out = std::io::stdout().lock();
        match &parsed {
            _ if self.json => writeln!(out, "{}", to_json(text, &parsed, openings))?,
            Ok(position) => write!(out, "{}", explain(position, openings))?,
            Err(error) => {
                writeln!(out, "{}", game::printable_line(&format!("{}: {error}", text.trim())))?;
            }
        }
        Ok(parsed.is_ok())
    }
}

fn to_json(text: &str, parsed: &Result<Position, FenError>, openings: &Openings) -> Value {
    match parsed {
        Err(error) => json!({ "text": text.trim(), "legal": false, "error": error.to_string() }),
        Ok(position) => json!({
            "text": text.trim(),
            "legal": true,
            "fen": position.to_string(),
            "turn": position.turn().name(),
            "check": position.is_check(),
            "outcome": position.outcome().map(|outcome| outcome.to_string()),
            "moves": moves(position),
            "key": format!("{:016x}", position.key()),
            "polyglot": format!("{:016x}", position.polyglot_key()),
            "opening": openings.name(position).map(|opening| opening.name),
        }),
    }
}

fn moves(position: &Position) -> Vec<String> {
    let mut moves: Vec<String> =
        position.legal_moves().into_iter().map(|m| position.san(m).to_string()).collect();
    moves.sort();
    moves
}

fn explain(position: &Position, openings: &Openings) -> String {
    let mut lines = vec![
        ("FEN", position.to_string()),
        ("To move", format!("{}, move {}", position.turn().name(), position.fullmoves())),
        ("Castling", castling(position)),
    ];
    if position.castling_mode() == CastlingMode::Chess960 {
        lines.push(("Shredder", position.to_shredder_fen()));
    }
    if let Some(number) = position.chess960_number() {
        lines.push(("Chess960", format!("position {number}")));
    }
    if let Some(square) = position.en_passant() {
        lines.push(("En passant", format!("a pawn can capture on {square}")));
    }
    if position.halfmoves() > 0 {
        lines.push((
            "Quiet",
            format!("{} plies without capture or pawn move", position.halfmoves()),
        ));
    }
    lines.push((
        "Material",
        format!("{} - {}", material(position, Color::White), material(position, Color::Black)),
    ));
    if let Some(outcome) = position.outcome() {
        lines.push(("Outcome", outcome.to_string()));
    } else if position.is_check() {
        lines.push(("Check", format!("{} is in check", position.turn().name())));
    }
    if let Some(opening) = openings.name(position) {
        lines.push(("Opening", format!("{} {}", opening.eco, opening.name)));
    }
    let moves = moves(position);
    if !moves.is_empty() {
        lines.push(("Moves", format!("{}: {}", moves.len(), moves.join(" "))));
    }
    lines.push((
        "Key",
        format!("{:016x}, Polyglot {:016x}", position.key(), position.polyglot_key()),
    ));

    let facts = lines.iter().map(|(name, value)| format!("{name:<11}{value}\n"));
    format!("{}\n{}", position.diagram(), facts.collect::<String>())
}

fn castling(position: &Position) -> String {
    let mut ways = Vec::new();
    for color in Color::ALL {
        for side in CastlingSide::ALL {
            if let Some(rook) = position.castling_rook(color, side) {
                ways.push(format!("{} {} (rook {rook})", color.name(), side.san()));
            }
        }
    }
    if ways.is_empty() { "no castling rights".to_owned() } else { ways.join(", ") }
}

/// The pieces of a side, strongest first: `KQRRBBNN8P`.
fn material(position: &Position, color: Color) -> String {
    let mut text = String::new();
    for piece in Piece::ALL.into_iter().rev().filter(|piece| piece.color() == color) {
        let count = position.pieces(piece).count();
        let letter = piece.role().letter();
        if count > 2 {
            text.push_str(&count.to_string());
            text.push(letter);
        } else {
            text.extend((0..count).map(|_| letter));
        }
    }
    text
}
