//! `riga suite`: how many positions of a test suite the engine solves.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use anyhow::{Context, bail};
use clap::Args;
use engine::{Engine, Limits, Options, Params};
use lab::epd;
use lab::suite::{Answer, Exercise};
use serde_json::json;

use crate::arguments;
use crate::show::progress;

/// Solve the positions of an EPD file: best moves, moves to avoid, mates
#[derive(Args)]
#[command(after_help = "Examples:
  riga suite wac.epd --time-ms 1000 --hash 64
  riga suite mates.epd --nodes 1000000 --jobs 2 --json")]
pub struct Suite {
    /// EPD file with bm, am or dm
    file: PathBuf,
    /// Milliseconds for each position
    #[arg(long, conflicts_with_all = ["nodes", "depth"])]
    time_ms: Option<u64>,
    /// Nodes for each position
    #[arg(long, conflicts_with = "depth")]
    nodes: Option<u64>,
    /// Depth for each position
    #[arg(long)]
    depth: Option<u32>,
    /// Size of the hash table in MiB
    #[arg(long, default_value_t = 16, value_parser = arguments::hash)]
    hash: usize,
    /// Threads of the engine
    #[arg(long, default_value_t = 1, value_parser = arguments::threads)]
    threads: usize,
    /// Positions solved at the same time
    #[arg(long, default_value_t = 1)]
    jobs: usize,
    /// Another value for a number of the search, such as `rfp_margin=90` (any number of times)
    #[arg(long = "param", value_name = "NAME=VALUE", value_parser = read_param)]
    params: Vec<(String, i32)>,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

impl Suite {
    pub fn run(&self) -> anyhow::Result<ExitCode> {
        let text = std::fs::read_to_string(&self.file)
            .with_context(|| format!("reading {}", self.file.display()))?;
        let mut exercises: Vec<Exercise> = Vec::new();
        for (number, line) in epd::lines(&text) {
            let place = || format!("{}:{number}", self.file.display());
            exercises.push(line.parse().with_context(place)?);
        }
        if exercises.is_empty() {
            bail!("{} has no positions", self.file.display());
        }
        let answers = self.solve(&exercises)?;
        let solved = answers.iter().filter(|answer| answer.solved).count();
        let false_mates = answers.iter().filter(|answer| answer.false_mate).count();
        let nodes: u64 = answers.iter().map(|answer| answer.nodes).sum();
        let mut out = std::io::stdout().lock();
        if self.json {
            let missed: Vec<_> = exercises
                .iter()
                .zip(&answers)
                .filter(|(_, answer)| !answer.solved)
                .map(|(exercise, answer)| {
                    json!({ "fen": exercise.position.to_string(), "name": exercise.name,
                            "goal": exercise.goal_in_words(),
                            "played": played(exercise, answer) })
                })
                .collect();
            writeln!(
                out,
                "{}",
                json!({ "positions": exercises.len(), "solved": solved,
                        "false_mates": false_mates, "nodes": nodes, "missed": missed })
            )?;
        } else {
            for (exercise, answer) in exercises.iter().zip(&answers) {
                if !answer.solved || answer.false_mate {
                    let name = exercise.name.as_deref().unwrap_or("");
                    let why = if answer.false_mate { "false mate" } else { "missed" };
                    let played = played(exercise, answer);
                    let goal = exercise.goal_in_words();
                    writeln!(out, "{why} {name} {}: {goal}, {played}", exercise.position)?;
                }
            }
            writeln!(
                out,
                "{solved} of {} solved, {false_mates} false mate lines, {nodes} nodes",
                exercises.len()
            )?;
        }
        Ok(ExitCode::SUCCESS)
    }

    fn solve(&self, exercises: &[Exercise]) -> anyhow::Result<Vec<Answer>> {
        let limits = match (self.nodes, self.depth) {
            (Some(nodes), _) => Limits::nodes(nodes),
            (_, Some(depth)) => Limits::depth(depth),
            _ => Limits::move_time(Duration::from_millis(self.time_ms.unwrap_or(1000))),
        };
        let options = Options { hash: self.hash, threads: self.threads, ..Options::default() };
        let mut params = Params::default();
        for (name, value) in &self.params {
            params.set(name, *value)?;
        }
        let bar = progress(exercises.len() as u64, "{wide_bar} {pos}/{len}");
        let next = AtomicUsize::new(0);
        let answers = Mutex::new(vec![None; exercises.len()]);
        std::thread::scope(|scope| {
            let jobs: Vec<_> = (0..self.jobs.max(1))
                .map(|_| {
                    scope.spawn(|| {
                        let mut engine = Engine::new(options.clone());
                        engine.set_params(params.clone());
                        loop {
                            let index = next.fetch_add(1, Ordering::Relaxed);
                            let Some(exercise) = exercises.get(index) else { return Ok(()) };
                            let answer = exercise
                                .solve(&mut engine, &limits)
                                .with_context(|| exercise.position.to_string())?;
                            answers.lock().expect("no thread panics")[index] = Some(answer);
                            bar.inc(1);
                        }
                    })
                })
                .collect();
            jobs.into_iter().try_for_each(|job| job.join().expect("no thread panics"))
        })
        .map_err(|error: anyhow::Error| error)?;
        bar.finish_and_clear();
        let answers = answers.into_inner().expect("no thread panics");
        answers.into_iter().map(|answer| answer.context("every position was solved")).collect()
    }
}

fn read_param(text: &str) -> Result<(String, i32), String> {
    let (name, value) = text.split_once('=').ok_or("write it as name=value")?;
    let value = value.parse().map_err(|_| format!("`{value}` is not a number"))?;
    Ok((name.to_owned(), value))
}

fn played(exercise: &Exercise, answer: &Answer) -> String {
    let san = exercise.position.san(answer.played);
    match answer.score {
        Some(score) => format!("played {san} ({score})"),
        None => format!("played {san}"),
    }
}
