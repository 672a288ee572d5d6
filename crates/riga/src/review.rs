//! `riga review`: reviews the games of PGN files.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use ::review::words::Language;
use ::review::{Effort, Mode, Plan, Steps};
use anyhow::{Context, Result, bail};
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use engine::Options;
use uci::EngineCommand;

use crate::arguments::{self, misuse, per_core};
use crate::config::ConfigFile;
use crate::interrupt::stop_on_interrupt;
use crate::show::counted;

mod analyst;
mod census;
mod collected;
mod crew;
mod entry;
mod input;
mod outputs;
mod player;
mod saved;
mod screen;
mod theory;
mod verify;

use analyst::{Maker, Setup};
use census::Census;
use collected::{Chosen, Collected};
use crew::{Crew, Done, Job, Task};
use entry::Settings;
use input::{Input, Numbered};
use outputs::{Finished, Outputs, Targets};
use player::Player;
use saved::Saved;
use screen::Screen;
use theory::Known;

/// Review games: label every move and explain the mistakes
#[derive(Args)]
#[command(after_help = "Examples:
  riga review game.pgn
  riga review games.pgn --player Misha --nodes 400000 --html report.html
  riga review all.pgn --pgn annotated.pgn --json all.jsonl
  riga review all.pgn --json all.jsonl --resume
  riga review all.pgn --verify all.jsonl
  riga review game.pgn --engine stockfish --time 0.5 --language de
  riga review game.pgn --theory masters
  riga review --library twic --player Carlsen --from 2024 --count 20 --html carlsen.html

Without --pgn, --json and --html the reports are printed; `-` writes one of them to standard output.
With a node limit, reports are the same on every machine and with any number of threads. JSON is one
object per line and game; --resume goes on after its last complete line, and the other files are
written again from all reports. A damaged game is reviewed as far as it can be read.

Exit codes: 0 success, 1 a game was skipped, a report differs, or a file or engine can't be used, 2
usage error, 130 interrupted.")]
pub struct Review {
    /// PGN files; - for standard input
    #[arg(required_unless_present = "library")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    collected: Collected,
    /// Say how long each game follows the games of a library, and what is new
    #[arg(long, value_name = "FOLDER", conflicts_with = "verify")]
    theory: Option<PathBuf>,
    /// Nodes per position [default: 100000]
    #[arg(long, value_parser = arguments::nodes)]
    nodes: Option<u64>,
    /// Seconds per position instead of nodes
    #[arg(long, value_name = "SECONDS", conflicts_with = "nodes", value_parser = arguments::seconds)]
    time: Option<Duration>,
    /// UCI engine to use instead of Riga: a program, with arguments if needed
    #[arg(long, value_name = "COMMAND")]
    engine: Option<EngineCommand>,
    /// Rules for labels [default: riga]
    #[arg(long, value_parser = modes())]
    mode: Option<Mode>,
    /// Points of expected score from which a move is called good, an inaccuracy, a mistake, a blunder,
    /// in mode riga [default: 2,5,10,20]
    #[arg(long, value_name = "A,B,C,D")]
    steps: Option<Steps>,
    /// Only games of this player, whose figures come first: a part of the name
    #[arg(long, value_name = "NAME")]
    player: Option<Player>,
    /// Games to review concurrently; 0 for one per core
    #[arg(long, default_value_t = 0, value_parser = arguments::threads_or_cores)]
    threads: usize,
    /// Hash table per game, in MiB
    #[arg(long, default_value_t = Options::default().hash, value_parser = arguments::hash)]
    hash: usize,
    /// Directories with Syzygy tablebases, separated as in PATH
    #[arg(long, value_name = "FOLDERS")]
    syzygy: Option<String>,
    /// Language of reports
    #[arg(long, default_value = Language::English.as_str(), value_parser = languages())]
    language: Language,
    /// Write the games with scores, comments and better lines
    #[arg(long, value_name = "FILE", conflicts_with = "verify")]
    pgn: Option<PathBuf>,
    /// Write the reports as JSON Lines
    #[arg(long, value_name = "FILE", conflicts_with = "verify")]
    json: Option<PathBuf>,
    /// Write the reports as a web page
    #[arg(long, value_name = "FILE", conflicts_with = "verify")]
    html: Option<PathBuf>,
    /// Go on with the JSON file, if there is one
    #[arg(long, requires = "json")]
    resume: bool,
    /// Review again, and compare with the reports of a JSON file
    #[arg(long, value_name = "FILE", conflicts_with = "time")]
    verify: Option<PathBuf>,
    /// Print nothing but warnings
    #[arg(long, short)]
    quiet: bool,
    #[command(flatten)]
    config: ConfigFile,
}

/// Nodes per position.
const NODES: u64 = 100_000;

impl Review {
    pub fn run(&self) -> Result<ExitCode> {
        self.targets().check(&self.files)?;
        if self.files.iter().filter(|path| *path == Path::new("-")).count() > 1 {
            return misuse("standard input can be read only once");
        }
        let setup =
            Setup { engine: self.engine.as_ref(), hash: self.hash, syzygy: self.syzygy.as_deref() };
        let maker = Maker::new(&setup)?;
        let chosen = self.collected.choose(self.player.as_ref())?;
        let total = match &chosen {
            Some(chosen) => Some(chosen.census()?),
            None => Census::of(&self.files, self.player.as_ref())?,
        };
        let stop = stop_on_interrupt()?;
        let screen = Screen::new(total, self.quiet);
        let threads = per_core(self.threads);
        let crew = Crew { threads, maker: &maker, screen: &screen, stop: &stop };
        let ended = match &self.verify {
            Some(path) => self.verify(&crew, path, chosen.as_ref()),
            None => self.review(&crew, chosen.as_ref()),
        };
        screen.clear();
        let is_sound = ended? && screen.count_skipped() == 0;
        if stop.is_stopped() {
            if !self.quiet {
                let hint = if self.json.is_some() { "; use --resume to go on" } else { "" };
                eprintln!("interrupted{hint}");
            }
            return Ok(ExitCode::from(130));
        }
        Ok(if is_sound { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }

    fn targets(&self) -> Targets<'_> {
        Targets { pgn: self.pgn.as_deref(), json: self.json.as_deref(), html: self.html.as_deref() }
    }

    fn plan(&self) -> Plan {
        let effort = match self.time {
            Some(time) => Effort::Time(time),
            None => Effort::Nodes(self.nodes.unwrap_or(NODES)),
        };
        Plan {
            effort,
            mode: self.mode.unwrap_or_default(),
            steps: self.steps.unwrap_or_default(),
            ..Plan::default()
        }
    }

    /// Reviews all games and writes their reports.
    fn review(&self, crew: &Crew<'_>, chosen: Option<&Chosen>) -> Result<bool> {
        let start = Instant::now();
        let known = self.theory.as_deref().map(Known::open).transpose()?;
        let plan = self.plan();
        let mut saved = self.saved()?;
        let mut outputs = Outputs::open(self.targets(), self.language, self.quiet)?;
        let input = Input::new(&self.files, self.player.as_ref(), crew.screen);
        let mut input = input.with(chosen);
        let nodes = if let Effort::Nodes(nodes) = plan.effort { Some(nodes) } else { None };
        let engine = crew.maker.name().to_owned();
        let settings = Settings { engine, nodes, mode: plan.mode, steps: plan.steps };
        let source = || loop {
            let Some(Numbered { index, game }) = input.next()? else {
                saved.as_mut().map_or(Ok(()), Saved::finish)?;
                return Ok(None);
            };
            let task = match &mut saved {
                None => Task::Review,
                Some(saved) => match saved.entry(index)? {
                    Some(entry) => {
                        entry.check(&game).with_context(|| saved.place())?;
                        entry.check_settings(&settings).with_context(|| saved.place())?;
                        Task::Keep(Box::new(entry.report))
                    }
                    None if saved.is_at_end()? => Task::Review,
                    // It failed the last time, and later ones are already written.
                    None => {
                        let text = format!("game {index}: no report in {}", saved.place());
                        crew.screen.skipped(&text);
                        continue;
                    }
                },
            };
            return Ok(Some(Job { index, game, plan, task }));
        };
        let mut count = 0;
        crew.run(source, &mut |Done { index, game, report, kept, .. }| {
            let Some(report) = report else { return Ok(()) };
            let first = self.player.as_ref().and_then(|player| player.side(&game));
            let first = first.unwrap_or_default();
            count += 1;
            crew.screen.finished();
            let theory = known.as_ref().map(|known| known.theory(&game)).transpose()?.flatten();
            outputs.add(Finished { index, game, report, first, theory, saved: kept }, crew.screen)
        })?;
        outputs.end()?;
        crew.screen.clear();
        if count == 0 && crew.screen.count_skipped() == 0 && !crew.stop.is_stopped() {
            match &self.player {
                Some(player) => bail!("no game of a player named {player}"),
                None => bail!("there are no games to review"),
            }
        }
        if !self.quiet {
            let (games, seconds) = (counted(count, "game"), start.elapsed().as_secs_f64());
            eprintln!("{games} reviewed in {seconds:.1} s");
        }
        Ok(true)
    }

    /// The reports of an earlier run.
    fn saved(&self) -> Result<Option<Saved>> {
        let Some(path) = self.json.as_deref().filter(|path| *path != Path::new("-")) else {
            if self.resume {
                return misuse("--resume needs a file, not standard output");
            }
            return Ok(None);
        };
        // An empty file is as good as none.
        if std::fs::metadata(path).map_or(true, |data| data.len() == 0) {
            return Ok(None);
        }
        if !self.resume {
            bail!("{} exists: use --resume, or remove it", path.display());
        }
        Ok(Some(Saved::open(path)?))
    }

    /// Reviews all games again, and says which reports differ from those in a file; returns whether
    /// all are the same.
    fn verify(&self, crew: &Crew<'_>, path: &Path, chosen: Option<&Chosen>) -> Result<bool> {
        let mut saved = Saved::open(path)?;
        let input = Input::new(&self.files, self.player.as_ref(), crew.screen);
        let mut input = input.with(chosen);
        let source = || loop {
            let Some(Numbered { index, game }) = input.next()? else {
                saved.finish()?;
                return Ok(None);
            };
            let Some(entry) = saved.entry(index)? else {
                let text = format!("game {index}: no report in {}", path.display());
                crew.screen.skipped(&text);
                continue;
            };
            entry.check(&game).with_context(|| saved.place())?;
            let report = entry.report;
            let Some(nodes) = self.nodes.or(report.nodes) else {
                bail!("{}: made by time, which can't be repeated", saved.place());
            };
            let plan = Plan {
                effort: Effort::Nodes(nodes),
                mode: self.mode.unwrap_or(report.mode),
                steps: self.steps.unwrap_or(report.steps),
                ..Plan::default()
            };
            return Ok(Some(Job { index, game, plan, task: Task::Compare(Box::new(report)) }));
        };
        let (mut same, mut differing) = (0, 0);
        crew.run(source, &mut |Done { index, game, report, old, .. }| {
            let (Some(new), Some(old)) = (report, old) else { return Ok(()) };
            crew.screen.finished();
            match verify::difference(&game, &old, &new) {
                None => same += 1,
                Some(text) => {
                    differing += 1;
                    let line = format!("game {index} differs: {text}");
                    crew.screen.suspend(|| writeln!(std::io::stdout(), "{line}"))?;
                }
            }
            Ok(())
        })?;
        crew.screen.clear();
        if !self.quiet {
            let same = counted(same, "report");
            writeln!(std::io::stdout(), "{same} confirmed, {differing} different")?;
        }
        Ok(differing == 0)
    }
}

fn modes() -> impl TypedValueParser<Value = Mode> {
    PossibleValuesParser::new(Mode::ALL.map(Mode::as_str)).try_map(|text| text.parse::<Mode>())
}

fn languages() -> impl TypedValueParser<Value = Language> {
    let names = Language::ALL.map(Language::as_str);
    PossibleValuesParser::new(names).try_map(|text| text.parse::<Language>())
}
