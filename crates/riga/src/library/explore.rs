//! `riga library explore`: what was played in a position.

use std::io::Write;
use std::process::ExitCode;

use anyhow::Result;
use chess::Position;
use clap::Args;
use library::{Listed, Tallies};
use serde_json::{Value, json};

use super::filter::Conditions;
use super::listing::{Part, game_json, print_games, score_columns, score_json};
use super::{Folder, position};
use crate::show::counted;

/// Show what was played in a position, and the games
#[derive(Args)]
#[command(after_help = "Examples:
  riga library explore twic
  riga library explore twic --min-rating 2600 --from 2020
  riga library explore twic 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1' --games 10

A game counts once, at its first visit of the position, however it got there.")]
pub struct Explore {
    #[command(flatten)]
    folder: Folder,
    /// The position as FEN, quoted or not [default: the start position]
    fen: Vec<String>,
    #[command(flatten)]
    conditions: Conditions,
    /// Also list this many games
    #[arg(long, default_value_t = 0, value_name = "COUNT")]
    games: usize,
    #[command(flatten)]
    part: Part,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl Explore {
    pub fn run(&self) -> Result<ExitCode> {
        let position = position(&self.fen)?;
        let library = self.folder.open()?;
        let filter = self.conditions.filter();
        let tallies = library.tallies(&position, &filter)?;
        let page = self.part.page(self.games);
        let games = match self.games {
            0 => Vec::new(),
            _ => library.games(Some(&position), &filter, self.part.order, page)?,
        };
        let mut out = std::io::stdout().lock();
        if self.json {
            writeln!(out, "{}", to_json(&position, &tallies, &games))?;
        } else {
            print(&position, &tallies, &games, &mut out)?;
        }
        Ok(ExitCode::SUCCESS)
    }
}

fn print(
    position: &Position,
    tallies: &Tallies,
    games: &[Listed],
    out: &mut impl Write,
) -> Result<()> {
    writeln!(out, "{}", counted(tallies.total.games, "game"))?;
    for tally in &tallies.moves {
        let row = score_columns(&tally.score);
        writeln!(out, "{:<8}{}", position.san(tally.m).to_string(), row.trim_end())?;
    }
    print_games(games, Some(position), out)
}

fn to_json(position: &Position, tallies: &Tallies, games: &[Listed]) -> Value {
    let mode = position.castling_mode();
    let moves: Vec<Value> = tallies
        .moves
        .iter()
        .map(|tally| {
            let mut value = score_json(&tally.score);
            value["uci"] = tally.m.to_uci(position, mode).to_string().into();
            value["san"] = position.san(tally.m).to_string().into();
            value
        })
        .collect();
    let games: Vec<Value> = games.iter().map(|game| game_json(game, Some(position))).collect();
    json!({ "total": score_json(&tallies.total), "moves": moves, "games": games })
}
