//! `riga library bench`: how fast a library is built and asked, beside SCID if it is installed.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use clap::{ArgGroup, Args};
use library::sample::Sample;
use library::{Library, Source, Times};
use serde_json::{Value, json};

use super::scid;
use crate::arguments::{self, per_core};
use crate::show::thousands;

/// Test games that a thread makes at a time.
const PART: u64 = 10_000;

/// Measure import, size and answers of a library, beside SCID's
#[derive(Args)]
#[command(after_help = "Examples:
  riga library bench --generate 1000000
  riga library bench --generate 10000000 --towns --scratch /var/tmp
  riga library bench --pgn games.pgn
  riga library bench --library twic

Test games have the tags and lengths of games played online. Answers are measured in a process of their own, warm. SCID
is found as `tkscid`. Its search for a position is compared with all three kinds of answers, and the longest of 20 searches
with our p99.")]
#[command(group(ArgGroup::new("what").required(true)))]
pub struct Bench {
    /// Make this many test games and build a library of them
    #[arg(long, value_name = "GAMES", group = "what")]
    generate: Option<u64>,
    /// Test games played in a few towns; otherwise each has an address of its own, of which SCID takes half a million
    #[arg(long, requires = "generate")]
    towns: bool,
    /// Build a library of this PGN file
    #[arg(long, value_name = "FILE", group = "what")]
    pgn: Option<PathBuf>,
    /// Only ask an existing library
    #[arg(long, value_name = "FOLDER", group = "what")]
    library: Option<PathBuf>,
    /// Folder for temporary files [default: the system's]
    #[arg(long, value_name = "FOLDER")]
    scratch: Option<PathBuf>,
    /// Number of positions to ask about
    #[arg(long, default_value_t = 5000, value_name = "COUNT")]
    positions: usize,
    /// Seed of test games and positions
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Threads of the import; 0 for one per core
    #[arg(long, default_value_t = 0, value_parser = arguments::threads_or_cores)]
    threads: usize,
    /// Leave SCID out
    #[arg(long)]
    no_scid: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl Bench {
    pub fn run(&self) -> Result<ExitCode> {
        let report = match &self.library {
            Some(folder) => self.ask(folder)?,
            None => self.build()?,
        };
        let mut out = std::io::stdout().lock();
        if self.json {
            writeln!(out, "{report}")?;
        } else {
            print(&report, &mut out)?;
        }
        Ok(ExitCode::SUCCESS)
    }

    /// Asks a library in this process.
    fn ask(&self, folder: &Path) -> Result<Value> {
        let start = Instant::now();
        let library = Library::open(folder)?;
        let opened = start.elapsed();
        ensure!(!library.is_empty(), "the library has no games");
        let found = library.latencies(self.seed, self.positions)?;
        let shape = library.shape()?;
        let size: u64 = library.info().iter().map(|info| info.size).sum();
        let times = |times: Times| {
            let ms = |time: std::time::Duration| time.as_secs_f64() * 1e3;
            json!({ "median_ms": ms(times.median), "p99_ms": ms(times.p99), "longest_ms": ms(times.longest) })
        };
        Ok(json!({
            "games": library.len(),
            "bytes_per_game": size as f64 / library.len() as f64,
            "plies_per_game": shape.plies,
            "distinct_positions": shape.distinct,
            "positions_alone_per_game": shape.alone,
            "positions_in_common_per_game": shape.in_common,
            "ranges_per_game": shape.ranges,
            "open_ms": opened.as_secs_f64() * 1e3,
            "explorer": times(found.explorer),
            "filtered": times(found.filtered),
            "games_of_position": times(found.games),
            "serve_mb": peak_memory(),
        }))
    }

    /// Builds a library in a temporary folder, and asks it in another process.
    fn build(&self) -> Result<Value> {
        let scratch = match &self.scratch {
            Some(folder) => tempfile::tempdir_in(folder),
            None => tempfile::tempdir(),
        };
        let scratch = scratch.context("scratch folder")?;
        let made;
        let pgn = match (&self.pgn, self.generate) {
            (Some(pgn), _) => pgn,
            (None, Some(games)) => {
                made = scratch.path().join("games.pgn");
                self.write_games(games, &made)?;
                &made
            }
            (None, None) => unreachable!("one of the group is required"),
        };
        let folder = scratch.path().join("library");
        let before = processor_seconds();
        let start = Instant::now();
        let source = Source::open(pgn)?;
        let threads = per_core(self.threads).get();
        let added = Library::create(&folder)?.add(vec![source], threads, &|_| true)?;
        let seconds = start.elapsed().as_secs_f64();
        let used = processor_seconds().zip(before).map(|(after, before)| after - before);
        let memory = peak_memory();
        let mut report = self.ask_elsewhere(&folder)?;
        report["threads"] = threads.into();
        report["import_seconds"] = seconds.into();
        report["import_games_per_second"] = (added.games as f64 / seconds).into();
        report["import_cpu_us_per_game"] = used.map(|used| used * 1e6 / added.games as f64).into();
        report["build_mb"] = memory.into();
        if !self.no_scid {
            let positions = Library::open(&folder)?.some_positions(self.seed, scid::POSITIONS)?;
            report["scid"] = scid::measure(pgn, scratch.path(), &positions)?;
        }
        Ok(report)
    }

    fn write_games(&self, games: u64, path: &Path) -> Result<()> {
        let mut out = BufWriter::new(File::create(path).context("test games")?);
        let mut sample = Sample::new(self.seed, games);
        sample.towns = self.towns;
        let threads = per_core(self.threads).get() as u64;
        // Each thread writes some games to memory, then all of these go to the file.
        let mut done = 0;
        while done < games {
            let part = |at: u64| (done + at * PART).min(games)..(done + (at + 1) * PART).min(games);
            let write = |numbers| {
                let mut text = Vec::new();
                sample.write(numbers, &mut text).map(|()| text)
            };
            std::thread::scope(|scope| -> Result<()> {
                let parts: Vec<_> =
                    (0..threads).map(|at| scope.spawn(move || write(part(at)))).collect();
                for text in parts {
                    let text = text.join().expect("the generator doesn't panic");
                    out.write_all(&text.context("test games")?).context("test games")?;
                }
                Ok(())
            })?;
            done += threads * PART;
        }
        out.flush().context("test games")
    }

    fn ask_elsewhere(&self, folder: &Path) -> Result<Value> {
        let mut command = Command::new(std::env::current_exe().context("this program")?);
        command.args(["library", "bench", "--json", "--library"]).arg(folder);
        command.args([
            "--positions",
            &self.positions.to_string(),
            "--seed",
            &self.seed.to_string(),
        ]);
        let output = command.stderr(Stdio::inherit()).output().context("this program")?;
        ensure!(output.status.success(), "the process that asks the library has failed");
        serde_json::from_slice(&output.stdout).context("answers of the other process")
    }
}

/// The largest memory of this process so far, in megabytes, where the system tells.
fn peak_memory() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: f64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes / 1e3)
}

/// The processor time of this process, where the system tells.
fn processor_seconds() -> Option<f64> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    let fields: Vec<&str> = stat.rsplit(')').next()?.split_whitespace().collect();
    let ticks = |at: usize| fields.get(at)?.parse::<f64>().ok();
    // In hundredths of a second on every Linux system.
    Some((ticks(11)? + ticks(12)?) / 100.0)
}

fn print(report: &Value, out: &mut impl Write) -> Result<()> {
    let number = |value: &Value| value.as_f64();
    let scid = &report["scid"];
    let games = report["games"].as_u64().unwrap_or(0);
    writeln!(out, "{} games", thousands(games))?;
    let figure = |name: &str| number(&report[name]).unwrap_or(0.0);
    writeln!(
        out,
        "a game has {:.1} plies; {:.1} positions are its own, {:.1} are shared, in {:.1} ranges; {:.1} % are distinct",
        figure("plies_per_game"),
        figure("positions_alone_per_game"),
        figure("positions_in_common_per_game"),
        figure("ranges_per_game"),
        100.0 * figure("distinct_positions"),
    )?;
    if let Some(theirs) = number(&scid["games"]).filter(|&theirs| (theirs as u64) < games) {
        writeln!(out, "SCID has taken {} of them", thousands(theirs as u64))?;
    }
    writeln!(out, "{:<32}{:>14}{:>14}{:>10}", "", "riga", "SCID", "ratio")?;
    let mut row =
        |name: &str, ours: Option<f64>, theirs: Option<f64>, more_is_better: bool| -> Result<()> {
            let shown = |value: Option<f64>| match value {
                None => String::new(),
                Some(value) if value >= 1000.0 => thousands(value as u64),
                Some(value) => format!("{value:.2}"),
            };
            let ratio = ours
                .zip(theirs)
                .map(|(ours, theirs)| if more_is_better { ours / theirs } else { theirs / ours });
            let ratio = ratio.map_or_else(String::new, |ratio| format!("{ratio:.1}x"));
            Ok(writeln!(out, "{name:<32}{:>14}{:>14}{ratio:>10}", shown(ours), shown(theirs))?)
        };
    let (median, longest) = (number(&scid["median_ms"]), number(&scid["longest_ms"]));
    row(
        "import, games a second",
        number(&report["import_games_per_second"]),
        number(&scid["import_games_per_second"]),
        true,
    )?;
    row("import, CPU us a game", number(&report["import_cpu_us_per_game"]), None, false)?;
    row("bytes a game", number(&report["bytes_per_game"]), number(&scid["bytes_per_game"]), false)?;
    for (name, kind) in [
        ("explorer", "explorer"),
        ("filtered explorer", "filtered"),
        ("games of a position", "games_of_position"),
    ] {
        row(&format!("{name}, median ms"), number(&report[kind]["median_ms"]), median, false)?;
        row(&format!("{name}, p99 ms"), number(&report[kind]["p99_ms"]), longest, false)?;
    }
    row("open, ms", number(&report["open_ms"]), None, false)?;
    row("memory to serve, MB", number(&report["serve_mb"]), None, false)?;
    row("memory to build, MB", number(&report["build_mb"]), None, false)
}
