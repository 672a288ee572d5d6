//! `riga lab datagen`: generates training data by self-play.

use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use ::lab::datagen::{Adjudication, Branches, GamePlan, Openings, Plan, Progress, run};
use anyhow::Result;
use clap::Args;
use engine::Evaluation;
use indicatif::ProgressBar;
use serde_json::json;

use crate::arguments::{self, per_core};
use crate::interrupt::stop_on_interrupt;
use crate::show::{progress, thousands};

/// Generate training data by self-play
#[derive(Args)]
#[command(after_help = "Examples:
  riga lab datagen --out games.rdata --threads 0 --positions 20000000
  riga lab datagen --out games.rdata --nodes 8000 --games 1000 --seed 7

Games are appended to the file if it exists; an unfinished block at its end, left by a kill, is cut
off first. Damaged blocks are reported and stay. --games and --positions include what is already in
the file, so the same command resumes a stopped run. Ctrl-C or SIGTERM ends the run cleanly; a kill
loses at most five seconds.")]
pub struct Datagen {
    /// File to append the games to
    #[arg(long)]
    out: PathBuf,
    /// Concurrent games; 0 for one per core
    #[arg(long, default_value_t = 1, value_parser = arguments::threads_or_cores)]
    threads: usize,
    /// Stop when the file has this many games
    #[arg(long)]
    games: Option<u64>,
    /// Stop when the file has this many positions
    #[arg(long)]
    positions: Option<u64>,
    /// Seed of the random openings [default: from the clock]
    #[arg(long)]
    seed: Option<u64>,
    /// Soft node limit per move: the current iteration is completed
    #[arg(long, default_value_t = 5000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Hard node limit per move [default: eight times --nodes]
    #[arg(long)]
    hard_nodes: Option<u64>,
    /// Hash table per game, in MiB
    #[arg(long, default_value_t = 8, value_parser = arguments::hash)]
    hash: usize,
    /// Network file [default: the embedded network]
    #[arg(long, value_name = "FILE")]
    net: Option<PathBuf>,
    /// Use the hand-written evaluation instead of a network
    #[arg(long, conflicts_with = "net")]
    by_hand: bool,
    /// Random plies at the start of a game, or one more
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u8).range(0..=100))]
    random_plies: u8,
    /// Percentage of games from a Chess960 start position
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u16).range(0..=100))]
    chess960: u16,
    /// Drop openings with a score beyond this
    #[arg(long, default_value_t = 400, value_parser = clap::value_parser!(i32).range(0..=30_000))]
    opening_score: i32,
    /// Percentage of games followed by one that branches off with random moves
    #[arg(long, default_value_t = 25, value_parser = clap::value_parser!(u16).range(0..=100))]
    branches: u16,
    /// Drop branches with a score beyond this
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(i32).range(0..=30_000))]
    branch_score: i32,
    /// Percentage of won games to play to the end instead of adjudicating, up to 400 plies
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u16).range(0..=100))]
    played_out: u16,
    /// Play all games to the end instead of adjudicating, up to 400 plies
    #[arg(long)]
    no_adjudication: bool,
    /// Print one JSON object at the end
    #[arg(long)]
    json: bool,
}

/// Time between progress lines when no bar can be shown.
const LINE: Duration = Duration::from_secs(30);

impl Datagen {
    pub fn run(&self) -> Result<ExitCode> {
        let plan = self.plan();
        let stop = stop_on_interrupt()?;
        let mut screen = Screen::new(&plan);
        let done = run(&plan, &stop, &mut |progress| screen.show(progress))?;
        screen.bar.finish_and_clear();
        let mut out = std::io::stdout().lock();
        if self.json {
            let [white, draws, black] = done.results;
            let report = json!({
                "file": self.out.display().to_string(),
                "seed": done.seed,
                "games": done.games,
                "positions": done.positions,
                "white_wins": white,
                "draws": draws,
                "black_wins": black,
                "all_games": done.all_games(),
                "all_positions": done.all_positions(),
                "seconds": done.time.as_secs_f64(),
                "positions_per_second": done.speed(),
                "positions_per_second_per_core": done.speed_per_core(),
                "stopped": stop.is_stopped(),
            });
            writeln!(out, "{report}")?;
        } else {
            writeln!(out, "{}", summary(&done))?;
            writeln!(
                out,
                "{} games, {} positions in {}",
                thousands(done.all_games()),
                thousands(done.all_positions()),
                self.out.display()
            )?;
        }
        Ok(ExitCode::SUCCESS)
    }

    fn plan(&self) -> Plan {
        let mut game_plan = GamePlan::with_nodes(self.nodes);
        game_plan.hard_nodes = self.hard_nodes.unwrap_or(game_plan.hard_nodes).max(self.nodes);
        game_plan.engine.hash = self.hash;
        game_plan.engine.evaluation = match &self.net {
            _ if self.by_hand => Evaluation::Hand,
            None => Evaluation::Net,
            Some(path) => Evaluation::NetFile(path.clone()),
        };
        game_plan.openings = Openings {
            random_plies: self.random_plies,
            chess960_per_mille: self.chess960 * 10,
            highest_score: self.opening_score,
        };
        game_plan.branches =
            Branches { per_mille: self.branches * 10, highest_score: self.branch_score };
        game_plan.played_out_per_mille = self.played_out * 10;
        if self.no_adjudication {
            game_plan.adjudication = Adjudication::never();
        }
        Plan {
            out: self.out.clone(),
            threads: per_core(self.threads).get(),
            seed: self.seed,
            games: self.games,
            positions: self.positions,
            game_plan,
        }
    }
}

/// Shows progress as a bar on a terminal, otherwise as lines.
struct Screen {
    bar: ProgressBar,
    games: Option<u64>,
    printed: Option<Instant>,
    terminal: bool,
}

impl Screen {
    fn new(plan: &Plan) -> Self {
        let goal = plan.positions.or(plan.games);
        let template =
            if goal.is_some() { "{wide_bar} {percent}% {msg}" } else { "{spinner} {msg}" };
        Self {
            bar: progress(goal.unwrap_or(0), template),
            // If both goals are given, the bar shows positions.
            games: plan.games.filter(|_| plan.positions.is_none()),
            printed: None,
            terminal: std::io::stderr().is_terminal(),
        }
    }

    fn show(&mut self, progress: &Progress) {
        let Some(printed) = self.printed else {
            greet(progress);
            self.printed = Some(Instant::now());
            return;
        };
        if self.terminal {
            let done = self.games.map_or(progress.all_positions(), |_| progress.all_games());
            self.bar.set_position(done);
            self.bar.set_message(summary(progress));
        } else if printed.elapsed() >= LINE {
            eprintln!("{}", summary(progress));
            self.printed = Some(Instant::now());
        }
    }
}

/// Prints what the run starts from.
fn greet(progress: &Progress) {
    let found = progress.resumed;
    eprintln!("seed {}", progress.seed);
    if found.games > 0 {
        let (games, positions) = (thousands(found.games), thousands(found.positions));
        eprintln!("resuming after {games} games, {positions} positions");
    }
    if found.cut > 0 {
        eprintln!("warning: an unfinished block of {} bytes was cut off", found.cut);
    }
    if found.damaged > 0 {
        eprintln!("warning: {} damaged bytes in the file are skipped", found.damaged);
    }
}

/// A summary in one line.
fn summary(progress: &Progress) -> String {
    let [white, draws, black] = progress.results;
    format!(
        "{} positions, {} games (+{white} ={draws} -{black}), {} positions per second, {} per core",
        thousands(progress.positions),
        thousands(progress.games),
        thousands(progress.speed() as u64),
        thousands(progress.speed_per_core() as u64)
    )
}
