//! `riga library find`: games by position, material and conditions.

use std::io::Write;
use std::process::ExitCode;

use anyhow::Result;
use clap::Args;
use library::{Endgame, Found, Library, Listed, Material};
use serde_json::{Value, json};

use super::filter::Conditions;
use super::listing::{Part, game_json, game_line, print_games};
use super::{Folder, position};

/// List games: all, or those with a position, some material, or other conditions
#[derive(Args)]
#[command(after_help = "Examples:
  riga library find twic --player 'Carlsen,M' --opponent 'Anand,V' --order strongest
  riga library find twic --material KRPvKR --plies 10 --min-rating 2500
  riga library find twic 'rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2' --skip 20

Material is found with either color; the list says after which move it was first on the board. The
exit code is 1 if no game is found.")]
pub struct Find {
    #[command(flatten)]
    folder: Folder,
    /// A position the games must have reached, as FEN, quoted or not [default: any]
    fen: Vec<String>,
    #[command(flatten)]
    conditions: Conditions,
    /// Material the games must have had, such as `KRPvKR`
    #[arg(long, value_name = "PIECES")]
    material: Option<Material>,
    /// For how many plies in a row the material must have been on the board
    #[arg(long, default_value_t = 1, value_name = "PLIES", requires = "material")]
    plies: u32,
    /// Number of games to list
    #[arg(long, default_value_t = 20, value_name = "COUNT")]
    count: usize,
    #[command(flatten)]
    part: Part,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl Find {
    pub fn run(&self) -> Result<ExitCode> {
        let position = match self.fen.as_slice() {
            [] => None,
            words => Some(position(words)?),
        };
        let (position, filter) = (position.as_ref(), self.conditions.filter());
        let page = self.part.page(self.count);
        let library = self.folder.open()?;
        let mut out = std::io::stdout().lock();
        let games: Vec<Value> = if let Some(material) = self.material {
            let wanted = Endgame::either_color(material, self.plies);
            let found = library.with_material(&wanted, position, &filter, self.part.order, page)?;
            if !self.json {
                for found in &found {
                    let after = after(&library, found)?;
                    writeln!(out, "{} {after}", game_line(&found.game, None))?;
                }
            }
            let value = |found: &Found| {
                let mut value = game_json(&found.game, None);
                value["ply"] = found.ply.into();
                value
            };
            found.iter().map(value).collect()
        } else {
            let found = library.games(position, &filter, self.part.order, page)?;
            if !self.json {
                print_games(&found, position, &mut out)?;
            }
            found.iter().map(|game: &Listed| game_json(game, position)).collect()
        };
        if self.json {
            writeln!(out, "{}", json!({ "games": games }))?;
        }
        Ok(if games.is_empty() { ExitCode::FAILURE } else { ExitCode::SUCCESS })
    }
}

/// The move after which the material was on the board, such as `41... Rxe4`.
fn after(library: &Library, found: &Found) -> Result<String> {
    let line = library.game(found.game.id)?.line();
    let Some(before) = found.ply.checked_sub(1) else { return Ok("start".to_owned()) };
    let mut steps = line.positions().zip(line.moves()).skip(before as usize);
    let step = steps.next();
    let step = step.map(|(position, m)| format!("{} {}", position.move_number(), position.san(m)));
    Ok(step.unwrap_or_default())
}
