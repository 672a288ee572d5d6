//! `riga lab show`: prints training data as text.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use ::lab::datagen::{sample_line, to_pgn};
use anyhow::{Context, Result};
use clap::{Args, ValueEnum};
use nnue::data::{DataError, Quiet, Reader};

use super::{code, warn};

/// Print games of training data as PGN, or their positions
#[derive(Args)]
#[command(after_help = "Examples:
  riga lab show games.rdata
  riga lab show games.rdata --game 1000 --count 5
  riga lab show games.rdata --count 0 --format fen --quiet > positions.txt

A line of --format fen is FEN;result;score: the result is 1.0, 0.5 or 0.0, the score in centipawns
(2773 for a mate), both from White's point of view.")]
pub struct Show {
    /// Training data file
    file: PathBuf,
    /// The first game to show, from 1
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    game: u64,
    /// Number of games to show; 0 for all
    #[arg(long, default_value_t = 1)]
    count: u64,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Pgn)]
    format: Format,
    /// Print only quiet positions: not in check, and the best move is neither a capture nor a
    /// promotion
    #[arg(long)]
    quiet: bool,
    /// With --quiet, also skip scores beyond this
    #[arg(long, default_value_t = Quiet::default().highest_score)]
    highest_score: i16,
    /// With --quiet, also skip positions before this ply
    #[arg(long, default_value_t = Quiet::default().first_ply)]
    first_ply: u16,
}

#[derive(Copy, Clone, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Games with scores in comments
    Pgn,
    /// One line per position
    Fen,
}

impl Show {
    pub fn run(&self) -> Result<ExitCode> {
        self.print().with_context(|| self.file.display().to_string())
    }

    fn print(&self) -> Result<ExitCode> {
        let quiet = Quiet { first_ply: self.first_ply, highest_score: self.highest_score };
        let mut out = BufWriter::new(std::io::stdout().lock());
        let (mut number, mut shown, mut damaged) = (0, 0, 0);
        for game in Reader::new(File::open(&self.file)?)?.games() {
            let game = match game {
                Ok(game) => game,
                Err(DataError::Damaged(damage)) => {
                    damaged += 1;
                    warn(&self.file, &damage);
                    continue;
                }
                Err(error) => return Err(error.into()),
            };
            number += 1;
            if number < self.game {
                continue;
            }
            match self.format {
                Format::Pgn if shown == 0 => write!(out, "{}", to_pgn(&game, number))?,
                Format::Pgn => write!(out, "\n{}", to_pgn(&game, number))?,
                Format::Fen => {
                    let wanted = game.samples().filter(|s| !self.quiet || quiet.accepts(s));
                    for sample in wanted {
                        writeln!(out, "{}", sample_line(&sample))?;
                    }
                }
            }
            shown += 1;
            if shown == self.count {
                break;
            }
        }
        out.flush()?;
        anyhow::ensure!(shown > 0, "there are only {number} games");
        Ok(code(damaged))
    }
}
