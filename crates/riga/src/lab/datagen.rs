//! `riga lab datagen`: plays games and keeps them.

use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use ::lab::datagen::{Adjudication, Branches, Openings, Plan, Progress, Rules, run};
use anyhow::{Context, Result};
use clap::Args;
use engine::{Evaluation, Stop};
use indicatif::ProgressBar;
use serde_json::json;

use crate::arguments::{self, per_core};
use crate::show::{progress, thousands};

/// Let the engine play against itself and keep the games as training data
#[derive(Args)]
#[command(after_help = "Examples:
  riga lab datagen --out games.rdata --threads 0 --positions 20000000
  riga lab datagen --out games.rdata --nodes 8000 --games 1000 --seed 7

Games are added to the file if it exists; an unfinished block at its end, which a kill leaves
behind, is cut off first. Damaged blocks are reported and stay. --games and --positions count what is in the file already, so that the same command
goes on where it was stopped. Ctrl-C or SIGTERM ends it cleanly; a kill loses five seconds at most.")]
pub struct Datagen {
    /// File to add the games to
    #[arg(long)]
    out: PathBuf,
    /// Games at a time; 0 is one per core
    #[arg(long, default_value_t = 1, value_parser = arguments::threads_or_cores)]
    threads: usize,
    /// Go on until the file has so many games
    #[arg(long)]
    games: Option<u64>,
    /// Go on until the file has so many positions
    #[arg(long)]
    positions: Option<u64>,
    /// Seed of the random openings [default: from the clock]
    #[arg(long)]
    seed: Option<u64>,
    /// Nodes for each move; the iteration that has begun is completed
    #[arg(long, default_value_t = 5000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Nodes for each move at most [default: eight times --nodes]
    #[arg(long)]
    hard_nodes: Option<u64>,
    /// Mebibytes of hash table for each game
    #[arg(long, default_value_t = 8, value_parser = arguments::hash)]
    hash: usize,
    /// Network to judge with [default: the one inside the binary]
    #[arg(long, value_name = "FILE")]
    net: Option<PathBuf>,
    /// Judge by hand-written rules instead of a network
    #[arg(long, conflicts_with = "net")]
    by_hand: bool,
    /// Random moves at the beginning of a game, or one more
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u8).range(0..=100))]
    random_plies: u8,
    /// How many games in a hundred start from an array of Chess960
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u16).range(0..=100))]
    chess960: u16,
    /// Drop openings with a score beyond this
    #[arg(long, default_value_t = 400, value_parser = clap::value_parser!(i32).range(0..=30_000))]
    opening_score: i32,
    /// After how many games in a hundred to play one more that branches from it by a random move
    #[arg(long, default_value_t = 25, value_parser = clap::value_parser!(u16).range(0..=100))]
    branches: u16,
    /// Drop branches with a score beyond this
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(i32).range(0..=30_000))]
    branch_score: i32,
    /// How many won games in a hundred to play to their end, or to 400 plies
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u16).range(0..=100))]
    played_out: u16,
    /// Play all won and drawn games to their end, or to 400 plies
    #[arg(long)]
    no_adjudication: bool,
    /// Print one JSON object at the end
    #[arg(long)]
    json: bool,
}

/// How often progress is printed where no bar can be shown.
const LINE: Duration = Duration::from_secs(30);

impl Datagen {
    pub fn run(&self) -> Result<ExitCode> {
        let plan = self.plan();
        let stop = Stop::new();
        let pressed = stop.clone();
        ctrlc::set_handler(move || {
            // The second time somebody is in a hurry.
            if pressed.is_stopped() {
                std::process::exit(130);
            }
            pressed.stop();
        })
        .context("handling Ctrl-C")?;

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
        let mut rules = Rules::with_nodes(self.nodes);
        rules.hard_nodes = self.hard_nodes.unwrap_or(rules.hard_nodes).max(self.nodes);
        rules.engine.hash = self.hash;
        rules.engine.evaluation = match &self.net {
            _ if self.by_hand => Evaluation::Hand,
            None => Evaluation::Net,
            Some(path) => Evaluation::NetFile(path.clone()),
        };
        rules.openings = Openings {
            random_plies: self.random_plies,
            chess960_per_mille: self.chess960 * 10,
            highest_score: self.opening_score,
        };
        rules.branches =
            Branches { per_mille: self.branches * 10, highest_score: self.branch_score };
        rules.played_out_per_mille = self.played_out * 10;
        if self.no_adjudication {
            rules.adjudication = Adjudication::never();
        }
        Plan {
            out: self.out.clone(),
            threads: per_core(self.threads).get(),
            seed: self.seed,
            games: self.games,
            positions: self.positions,
            rules,
        }
    }
}

/// Shows progress as a bar on a terminal, as lines elsewhere.
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
            // With both goals the bar shows positions.
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

/// Says what the run starts from.
fn greet(progress: &Progress) {
    let found = progress.resumed;
    eprintln!("seed {}", progress.seed);
    if found.games > 0 {
        let (games, positions) = (thousands(found.games), thousands(found.positions));
        eprintln!("going on after {games} games, {positions} positions");
    }
    if found.cut > 0 {
        eprintln!("warning: an unfinished block of {} bytes was cut off", found.cut);
    }
    if found.damaged > 0 {
        eprintln!("warning: {} damaged bytes in the file are skipped", found.damaged);
    }
}

/// What was played, in one line.
fn summary(progress: &Progress) -> String {
    let [white, draws, black] = progress.results;
    format!(
        "{} positions, {} games (+{white} ={draws} -{black}), {} positions a second, {} per core",
        thousands(progress.positions),
        thousands(progress.games),
        thousands(progress.speed() as u64),
        thousands(progress.speed_per_core() as u64)
    )
}
