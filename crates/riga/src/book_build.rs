//! `riga book build`: builds a book from games, a library or move lines.

use std::collections::HashSet;
use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use chess::{Color, Move, Position};
use clap::{Args, ValueEnum};
use engine::book::{BookBuilder, Ending, Scoring};
use game::GameResult;
use game::pgn::{ReadError, Reader, Visitor};
use library::{Filter, Library, Score};

use crate::arguments::misuse;
use crate::library::Conditions;
use crate::show::{counted, progress, thousands};

/// Build a Polyglot book from games or a library
#[derive(Args)]
#[command(after_help = "Examples:
  riga book build --pgn games.pgn --out games.bin
  riga book build --pgn a.pgn b.pgn --plies 30 --min-games 10 --scoring games --out deep.bin
  riga book build --library twic --min-rating 2500 --min-games 20 --out masters.bin
  riga book build --lines openings.txt --out openings.bin

A line is a list of moves from the start position after the number of games it counts for:
3: e4 e5 Nf3 Nc6. Text after a # is ignored.")]
pub struct Build {
    /// PGN files; - for standard input
    #[arg(long, num_args = 1.., required_unless_present_any = ["lines", "library"])]
    pgn: Vec<PathBuf>,
    /// A library, whose games that meet the conditions are used
    #[arg(long, value_name = "FOLDER", conflicts_with = "pgn")]
    library: Option<PathBuf>,
    #[command(flatten)]
    conditions: Conditions,
    /// Files of move lines; every move is used, regardless of --min-games
    #[arg(long, num_args = 1.., conflicts_with_all = ["pgn", "library", "plies", "min_games", "scoring"])]
    lines: Vec<PathBuf>,
    /// The book file to write
    #[arg(long)]
    out: PathBuf,
    /// Plies to use from each game
    #[arg(long, default_value_t = 20)]
    plies: usize,
    /// Minimum number of games for a move
    #[arg(long, default_value_t = 3)]
    min_games: u64,
    /// How moves are weighted
    #[arg(long, value_enum, default_value_t = By::Points)]
    scoring: By,
}

#[derive(Copy, Clone, ValueEnum)]
enum By {
    /// Two points per win and one per draw of the side to move
    Points,
    /// One point per game
    Games,
}

impl From<By> for Scoring {
    fn from(by: By) -> Self {
        match by {
            By::Points => Self::Points,
            By::Games => Self::Games,
        }
    }
}

/// Counts of the games in all files.
#[derive(Default)]
struct Count {
    used: u64,
    without_result: u64,
    remarked: u64,
    lost: u64,
}

impl Build {
    pub fn run(&self) -> Result<ExitCode> {
        let mut builder = BookBuilder::default();
        let mut out = std::io::stdout().lock();
        let filter = self.conditions.filter();
        if self.library.is_none() && !filter.is_empty() {
            return misuse("conditions such as --min-rating need --library");
        }
        let book = if let Some(folder) = &self.library {
            let library = Library::open(folder)?;
            let positions = self.gather(&library, &filter, &mut builder)?;
            writeln!(out, "{} looked up", counted(positions, "position"))?;
            builder.book(self.min_games, self.scoring.into())
        } else if self.lines.is_empty() {
            let mut count = Count::default();
            for path in &self.pgn {
                self.read(path, &mut builder, &mut count)
                    .with_context(|| path.display().to_string())?;
            }
            writeln!(
                out,
                "{}, {} more without a result, {} with warnings, {} rejected",
                counted(count.used, "game"),
                thousands(count.without_result),
                thousands(count.remarked),
                thousands(count.lost)
            )?;
            builder.book(self.min_games, self.scoring.into())
        } else {
            for path in &self.lines {
                let name = || path.display().to_string();
                let text = std::fs::read_to_string(path).with_context(name)?;
                let lines = builder.add_lines(&text).with_context(name)?;
                writeln!(out, "{} lines in {}", thousands(lines as u64), name())?;
            }
            builder.book(1, Scoring::Games)
        };
        if book.is_empty() {
            bail!("no move has enough games: nothing to write");
        }
        std::fs::write(&self.out, book.as_bytes())
            .with_context(|| self.out.display().to_string())?;
        writeln!(
            out,
            "{} moves of {} positions written to {}",
            thousands(book.len() as u64),
            thousands(book.positions() as u64),
            self.out.display()
        )?;
        Ok(ExitCode::SUCCESS)
    }

    /// Follows all moves of enough games from the start position, and adds what a library knows of each
    /// position. Returns how many there are.
    fn gather(&self, library: &Library, filter: &Filter, builder: &mut BookBuilder) -> Result<u64> {
        let bar = progress(0, "{spinner} {pos} positions");
        let mut seen = HashSet::from([Position::default().key()]);
        let mut level = vec![Position::default()];
        // A bar that isn't shown doesn't count.
        let mut asked = 0;
        for _ in 0..self.plies {
            let mut next = Vec::new();
            for position in &level {
                bar.inc(1);
                asked += 1;
                for tally in library.tallies(position, filter)?.moves {
                    let Score { white_wins, draws, black_wins, .. } = tally.score;
                    if white_wins + draws + black_wins < self.min_games.max(1) {
                        continue;
                    }
                    let (won, lost) = match position.turn() {
                        Color::White => (white_wins, black_wins),
                        Color::Black => (black_wins, white_wins),
                    };
                    let endings =
                        [(Ending::Won, won), (Ending::Drawn, draws), (Ending::Lost, lost)];
                    for (ending, times) in endings {
                        builder.add_times(position, tally.m, ending, times);
                    }
                    let after = position.after(tally.m);
                    if seen.insert(after.key()) {
                        next.push(after);
                    }
                }
            }
            level = next;
        }
        bar.finish_and_clear();
        Ok(asked)
    }

    fn read(&self, path: &Path, builder: &mut BookBuilder, count: &mut Count) -> Result<()> {
        if path == Path::new("-") {
            let bar = progress(0, "{spinner} {bytes} {bytes_per_sec}");
            return self.read_from(bar.wrap_read(std::io::stdin().lock()), builder, count);
        }
        let file = File::open(path)?;
        let bar =
            progress(file.metadata()?.len(), "{wide_bar} {bytes} of {total_bytes}, {eta} left");
        self.read_from(bar.wrap_read(file), builder, count)
    }

    fn read_from(
        &self,
        source: impl Read,
        builder: &mut BookBuilder,
        count: &mut Count,
    ) -> Result<()> {
        let mut reader = Reader::new(source);
        let mut opening = Opening { plies: self.plies, ..Opening::default() };
        loop {
            opening.moves.clear();
            opening.depth = 0;
            match reader.read(&mut opening) {
                Ok(true) => {
                    opening.add_to(builder, count);
                    count.remarked += u64::from(!reader.remarks().is_empty());
                }
                Ok(false) => return Ok(()),
                Err(ReadError::Io(error)) => return Err(error.into()),
                Err(ReadError::Lost(_)) => count.lost += 1,
            }
        }
    }
}

/// The first moves of a game and its result.
#[derive(Default)]
struct Opening {
    plies: usize,
    moves: Vec<(Position, Move)>,
    depth: u32,
    result: GameResult,
}

impl Opening {
    fn add_to(&self, builder: &mut BookBuilder, count: &mut Count) {
        let winner = match self.result {
            GameResult::WhiteWins => Some(Color::White),
            GameResult::BlackWins => Some(Color::Black),
            GameResult::Draw => None,
            GameResult::Unknown => {
                count.without_result += 1;
                return;
            }
        };
        count.used += 1;
        for (position, m) in &self.moves {
            let ending = match winner {
                None => Ending::Drawn,
                Some(color) if color == position.turn() => Ending::Won,
                Some(_) => Ending::Lost,
            };
            builder.add(position, *m, ending);
        }
    }
}

impl Visitor for Opening {
    fn play(&mut self, position: &Position, m: Move) {
        if self.depth == 0 && self.moves.len() < self.plies {
            self.moves.push((position.clone(), m));
        }
    }

    fn open(&mut self) {
        self.depth += 1;
    }

    fn close(&mut self) {
        self.depth -= 1;
    }

    fn end(&mut self, result: GameResult) {
        self.result = result;
    }
}
