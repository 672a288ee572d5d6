//! `riga suite`: runs EPD test suites.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use anyhow::{Context, bail};
use clap::Args;
use engine::{Engine, Limits, Options, Params, search_thread};
use lab::epd;
use lab::suite::{Answer, Exercise, ExerciseError};
use serde_json::json;

use crate::arguments;
use crate::show::progress;

/// Run an EPD test suite: best moves, moves to avoid, mates
#[derive(Args)]
#[command(after_help = "Examples:
  riga suite wac.epd --time-ms 1000 --hash 64
  riga suite mates.epd --nodes 1000000 --jobs 2 --json")]
pub struct Suite {
    /// EPD file with bm, am or dm; `dm 3` is solved by a mate in at most 3 moves
    file: PathBuf,
    /// Milliseconds per position
    #[arg(long, conflicts_with_all = ["nodes", "depth"], value_parser = arguments::milliseconds)]
    time_ms: Option<u64>,
    /// Nodes per position
    #[arg(long, conflicts_with = "depth", value_parser = arguments::nodes)]
    nodes: Option<u64>,
    /// Depth per position
    #[arg(long, value_parser = arguments::depth)]
    depth: Option<u32>,
    /// Size of the hash table in MiB
    #[arg(long, default_value_t = 16, value_parser = arguments::hash)]
    hash: usize,
    /// Search threads
    #[arg(long, default_value_t = 1, value_parser = arguments::threads)]
    threads: usize,
    /// Positions to solve concurrently
    #[arg(long, default_value_t = 1, value_parser = arguments::threads)]
    jobs: usize,
    /// Set a search parameter, such as `rfp_margin=90` (repeatable)
    #[arg(long = "param", value_name = "NAME=VALUE", value_parser = read_param)]
    params: Vec<(String, i32)>,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

impl Suite {
    pub fn run(&self) -> anyhow::Result<ExitCode> {
        let bytes = std::fs::read(&self.file)
            .with_context(|| format!("reading {}", self.file.display()))?;
        let Reading { exercises, bad } = Reading::of(&String::from_utf8_lossy(&bytes));
        if exercises.is_empty() && bad.is_empty() {
            bail!("{} has no positions", self.file.display());
        }
        if !self.json {
            for (number, error) in &bad {
                eprintln!("{}:{number}: {error}", self.file.display());
            }
        }
        let answers = self.solve(&exercises)?;
        let mut out = std::io::stdout().lock();
        if self.json {
            writeln!(out, "{}", as_json(&exercises, &answers, &bad))?;
        } else {
            tell(&mut out, &exercises, &answers, &bad)?;
        }
        Ok(if bad.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
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
        let solve = || -> anyhow::Result<()> {
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
        };
        std::thread::scope(|scope| {
            let start = |_| search_thread("suite").spawn_scoped(scope, solve);
            let jobs = (0..self.jobs).map(start).collect::<Result<Vec<_>, _>>();
            if jobs.is_err() {
                // Those that have started need not go on.
                next.store(exercises.len(), Ordering::Relaxed);
            }
            let jobs = jobs.context("starting a thread")?;
            jobs.into_iter().try_for_each(|job| job.join().expect("no thread panics"))
        })?;
        bar.finish_and_clear();
        let answers = answers.into_inner().expect("no thread panics");
        answers.into_iter().map(|answer| answer.context("every position was solved")).collect()
    }
}

/// The exercises of a file. An invalid line doesn't affect the others.
struct Reading {
    exercises: Vec<Exercise>,
    /// The numbers of the lines that can't be read, with the reasons.
    bad: Vec<(usize, ExerciseError)>,
}

impl Reading {
    fn of(text: &str) -> Self {
        let mut reading = Self { exercises: Vec::new(), bad: Vec::new() };
        for (number, line) in epd::lines(text) {
            match line.parse() {
                Ok(exercise) => reading.exercises.push(exercise),
                Err(error) => reading.bad.push((number, error)),
            }
        }
        reading
    }
}

/// Totals over all answers.
struct Sums {
    solved: usize,
    false_mates: usize,
    nodes: u64,
}

impl Sums {
    fn of(answers: &[Answer]) -> Self {
        Self {
            solved: answers.iter().filter(|answer| answer.solved).count(),
            false_mates: answers.iter().filter(|answer| answer.false_mate).count(),
            nodes: answers.iter().map(|answer| answer.nodes).sum(),
        }
    }
}

fn as_json(
    exercises: &[Exercise],
    answers: &[Answer],
    bad: &[(usize, ExerciseError)],
) -> serde_json::Value {
    let Sums { solved, false_mates, nodes } = Sums::of(answers);
    let missed: Vec<_> = exercises
        .iter()
        .zip(answers)
        .filter(|(_, answer)| !answer.solved)
        .map(|(exercise, answer)| {
            json!({ "fen": exercise.position.to_string(), "name": exercise.name,
                    "goal": exercise.goal_in_words(), "played": played(exercise, answer) })
        })
        .collect();
    let bad: Vec<_> = bad
        .iter()
        .map(|(number, error)| json!({ "line": number, "error": error.to_string() }))
        .collect();
    json!({ "positions": exercises.len(), "solved": solved, "false_mates": false_mates,
            "nodes": nodes, "missed": missed, "bad_lines": bad })
}

fn tell(
    out: &mut impl Write,
    exercises: &[Exercise],
    answers: &[Answer],
    bad: &[(usize, ExerciseError)],
) -> std::io::Result<()> {
    for (exercise, answer) in exercises.iter().zip(answers) {
        if !answer.solved || answer.false_mate {
            let name = exercise.name.as_deref().unwrap_or("");
            let why = if answer.false_mate { "false mate" } else { "missed" };
            let (goal, played) = (exercise.goal_in_words(), played(exercise, answer));
            writeln!(out, "{why} {name} {}: {goal}, {played}", exercise.position)?;
        }
    }
    let Sums { solved, false_mates, nodes } = Sums::of(answers);
    let positions = exercises.len();
    let bad = match bad.len() {
        0 => String::new(),
        1 => ", 1 bad line left out".to_owned(),
        bad => format!(", {bad} bad lines left out"),
    };
    writeln!(
        out,
        "{solved} of {positions} solved, {false_mates} false mate lines, {nodes} nodes{bad}"
    )
}

fn read_param(text: &str) -> Result<(String, i32), String> {
    let (name, value) = text.split_once('=').ok_or("not of the form name=value")?;
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
