//! `riga library player`: a player's results, openings and repertoire.

use std::io::Write;
use std::process::ExitCode;

use anyhow::{Result, ensure};
use chess::{Color, Position};
use clap::Args;
use game::Openings;
use library::{Branch, Breadth, PlayerPage, Score};
use serde_json::{Value, json};

use super::Folder;
use super::filter::Conditions;
use super::listing::{score_columns, score_json, shown};
use crate::show::counted;

/// Show a player's results by color and opening, and the moves they play
#[derive(Args)]
#[command(after_help = "Examples:
  riga library player twic 'Carlsen,M'
  riga library player twic 'Carlsen,M' --from 2020 --plies 12 --min-games 20
  riga library player twic Car

Names are compared exactly. If nobody has the name, those that start with it are listed, and the exit
code is 1. Percentages are White's wins, draws and Black's wins.")]
pub struct Player {
    #[command(flatten)]
    folder: Folder,
    /// The player's name, as written in the games
    name: String,
    #[command(flatten)]
    conditions: Conditions,
    /// Plies of the repertoire
    #[arg(long, default_value_t = 6, value_name = "PLIES",
        value_parser = clap::value_parser!(u16).range(0..=40))]
    plies: u16,
    /// Leave moves of fewer games out
    #[arg(long, default_value_t = 2, value_name = "GAMES")]
    min_games: u64,
    /// Number of openings to show
    #[arg(long, default_value_t = 20, value_name = "COUNT")]
    openings: usize,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Names offered instead of an unknown one.
const OFFERED: usize = 20;

impl Player {
    pub fn run(&self) -> Result<ExitCode> {
        let library = self.folder.open()?;
        let filter = self.conditions.filter();
        ensure!(filter.player.is_none(), "--player: the player's name comes after the library");
        let page = match library.player(&self.name, &Openings::new(), &filter) {
            Err(error @ library::LibraryError::UnknownPlayer(_)) => {
                let names = library.players(&self.name, OFFERED);
                if names.is_empty() {
                    return Err(error.into());
                }
                eprintln!("{}; names that start like this:", shown(&error.to_string()));
                for name in names {
                    eprintln!("  {}", shown(&name));
                }
                return Ok(ExitCode::FAILURE);
            }
            page => page?,
        };
        let breadth = Breadth { plies: usize::from(self.plies), least: self.min_games };
        let tree = |color| library.repertoire(&self.name, color, breadth, &filter);
        let trees = [tree(Color::White)?, tree(Color::Black)?];
        let mut out = std::io::stdout().lock();
        if self.json {
            writeln!(out, "{}", to_json(&self.name, &page, &trees))?;
        } else {
            self.print(&page, &trees, &mut out)?;
        }
        Ok(ExitCode::SUCCESS)
    }

    fn print(
        &self,
        page: &PlayerPage,
        trees: &[Vec<Branch>; 2],
        out: &mut impl Write,
    ) -> Result<()> {
        let games = counted(page.white.games + page.black.games, "game");
        writeln!(out, "{}: {games}", shown(&self.name))?;
        for (color, score) in [(Color::White, &page.white), (Color::Black, &page.black)] {
            let row = score_columns(score);
            writeln!(out, "{:<8}{} {}", color.name(), row.trim_end(), points(score, color))?;
        }
        let shown = page.openings.iter().take(self.openings);
        for opening in shown {
            let name = opening.opening.map_or_else(
                || "no name".to_owned(),
                |opening| format!("{} {}", opening.eco, opening.name),
            );
            let score = &opening.score;
            writeln!(
                out,
                "{:<8}{:>12}  {}  {name}",
                opening.color.name(),
                score.games,
                points(score, opening.color)
            )?;
        }
        for (color, tree) in [Color::White, Color::Black].into_iter().zip(trees) {
            if !tree.is_empty() {
                writeln!(out, "\nMoves with {}", color.name())?;
                print_tree(tree, &Position::default(), 0, color, out)?;
            }
        }
        Ok(())
    }
}

/// The player's share of the points in games with a result.
fn points(score: &Score, color: Color) -> String {
    let won = if color == Color::White { score.white_wins } else { score.black_wins };
    let decided = score.white_wins + score.draws + score.black_wins;
    if decided == 0 {
        return "    -".to_owned();
    }
    format!("{:>4.0}%", (won as f64 + score.draws as f64 / 2.0) / decided as f64 * 100.0)
}

fn print_tree(
    tree: &[Branch],
    position: &Position,
    depth: usize,
    color: Color,
    out: &mut impl Write,
) -> Result<()> {
    for branch in tree {
        let (number, san) = (position.move_number(), position.san(branch.m));
        let text = format!("{:indent$}{number} {san}", "", indent = 2 * depth);
        let (games, share) = (branch.score.games, points(&branch.score, color));
        writeln!(out, "{text:<40}{games:>8} {share}")?;
        print_tree(&branch.next, &position.after(branch.m), depth + 1, color, out)?;
    }
    Ok(())
}

fn to_json(name: &str, page: &PlayerPage, trees: &[Vec<Branch>; 2]) -> Value {
    let openings: Vec<Value> = page
        .openings
        .iter()
        .map(|one| {
            let mut value = score_json(&one.score);
            value["color"] = one.color.as_str().into();
            value["eco"] = one.opening.map(|opening| opening.eco).into();
            value["opening"] = one.opening.map(|opening| opening.name).into();
            value
        })
        .collect();
    let start = Position::default();
    json!({
        "name": name,
        "white": score_json(&page.white), "black": score_json(&page.black),
        "openings": openings,
        "repertoire": {
            "white": tree_json(&trees[0], &start), "black": tree_json(&trees[1], &start),
        },
    })
}

fn tree_json(tree: &[Branch], position: &Position) -> Vec<Value> {
    let branch = |branch: &Branch| {
        let mut value = score_json(&branch.score);
        value["san"] = position.san(branch.m).to_string().into();
        value["uci"] = branch.m.to_uci(position, position.castling_mode()).to_string().into();
        value["next"] = tree_json(&branch.next, &position.after(branch.m)).into();
        value
    };
    tree.iter().map(branch).collect()
}
