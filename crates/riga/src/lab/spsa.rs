//! `riga lab spsa`: tunes search parameters by playing games.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use ::lab::adjudication::Adjudication;
use ::lab::openings::OpeningSuite;
use ::lab::replace;
use ::lab::spsa::{Plan, State, select};
use ::lab::tournament::{Control, Limit};
use anyhow::{Context, Result};
use clap::Args;

use crate::arguments;
use crate::interrupt::stop_on_interrupt;
use crate::show::progress;

/// Tune search parameters by self-play (SPSA)
#[derive(Args)]
#[command(after_help = "Examples:
  riga lab spsa --params 'lmr_*' --params futility_margin --openings book.epd --nodes 20000 \\
      --pairs 5000 --concurrency 2 --state lmr.json
  riga lab spsa --params 'time_*' --openings book.epd --tc 4+0.04 --option nodestime=150 \
      --pairs 3000 --state time.json

The state is written every few seconds; the same command resumes from it. At the end the values are
printed, ready to be verified with `riga match`. `riga uci --tuning` lists the parameters.")]
pub struct Spsa {
    /// A parameter, or all with a prefix: 'lmr_*' (repeatable)
    #[arg(long, required = true)]
    params: Vec<String>,
    /// Openings: a .pgn file, or EPD or FEN with one position per line
    #[arg(long, value_name = "FILE")]
    openings: PathBuf,
    /// Nodes per move
    #[arg(long, required_unless_present = "tc")]
    nodes: Option<String>,
    /// Time control in seconds, such as 2+0.02
    #[arg(long, conflicts_with = "nodes", value_name = "TIME")]
    tc: Option<String>,
    /// An option of the engine (repeatable)
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = option)]
    options: Vec<(String, String)>,
    /// Total number of game pairs
    #[arg(long, default_value_t = 5000, value_parser = clap::value_parser!(u64).range(1..))]
    pairs: u64,
    /// Concurrent pairs
    #[arg(long, short, default_value_t = 1, value_parser = arguments::threads)]
    concurrency: usize,
    /// Final perturbation of a parameter (c), as a fraction of its range
    #[arg(long, default_value_t = 0.05)]
    shift: f64,
    /// Final step (the ratio R), as a fraction of the perturbation
    #[arg(long, default_value_t = 0.002)]
    step: f64,
    /// Seed of the perturbations
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// State file of the run
    #[arg(long, value_name = "FILE")]
    state: PathBuf,
}

/// How often the state is written.
const SAVE: Duration = Duration::from_secs(5);

impl Spsa {
    pub fn run(&self) -> Result<ExitCode> {
        let plan = self.plan()?;
        let state = match fs::read(&self.state) {
            Ok(bytes) => {
                serde_json::from_slice(&bytes).with_context(|| self.state.display().to_string())?
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => plan.start(),
            Err(error) => return Err(error).context(self.state.display().to_string()),
        };
        save(&self.state, &state)?;
        let stop = stop_on_interrupt()?;
        let bar = progress(plan.pairs, "{wide_bar} {pos}/{len} pairs, {eta} left");
        let saved = Mutex::new(Instant::now());
        let done = plan.run(state, &stop, &|state| {
            bar.set_position(state.pairs);
            let mut saved = saved.lock().expect("no panic while locked");
            if saved.elapsed() >= SAVE {
                *saved = Instant::now();
                if let Err(error) = save(&self.state, state) {
                    eprintln!("warning: {error:#}");
                }
            }
        })?;
        bar.finish_and_clear();
        save(&self.state, &done)?;
        let mut out = std::io::stdout().lock();
        writeln!(out, "after {} of {} pairs:", done.pairs, plan.pairs)?;
        for (param, (name, value)) in plan.params.iter().zip(&done.values) {
            writeln!(out, "{name:24} {:>6} -> {:>6.0}", param.default, value)?;
        }
        let options = done.values.iter().map(|(name, value)| format!("option.{name}={value:.0}"));
        writeln!(out, "riga match -e self,{} ...", options.collect::<Vec<_>>().join(","))?;
        Ok(ExitCode::SUCCESS)
    }

    fn plan(&self) -> Result<Plan> {
        let mut control = Control::default();
        for (limit, value) in [(Limit::Nodes, &self.nodes), (Limit::Clock, &self.tc)] {
            if let Some(value) = value {
                control.set(limit, value)?;
            }
        }
        control.check()?;
        let mut openings = OpeningSuite::read(&self.openings, None)?;
        if let Some(first) = openings.skipped.first() {
            eprintln!("warning: {} openings can't be used; {first}", openings.skipped.len());
        }
        openings.shuffle(self.seed);
        Ok(Plan {
            params: select(&self.params)?,
            pairs: self.pairs,
            last_shift: self.shift,
            last_step: self.step,
            openings,
            control,
            concurrency: self.concurrency,
            adjudication: Adjudication {
                draw: Some("".parse().expect("all defaults")),
                resign: Some("".parse().expect("all defaults")),
                ..Adjudication::default()
            },
            options: self.options.clone(),
            seed: self.seed,
        })
    }
}

fn option(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("an option is given as NAME=VALUE")?;
    Ok((name.trim().to_owned(), value.trim().to_owned()))
}

fn save(path: &Path, state: &State) -> Result<()> {
    let text = serde_json::to_vec_pretty(state)?;
    replace(path, &text).with_context(|| path.display().to_string())
}
