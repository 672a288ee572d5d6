//! `riga analyse`: the engine's opinion of a position.

use std::fmt::Write as _;
use std::fs::File;
use std::io::Write as _;
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use chess::{Color, Line, Move, Position};
use clap::Args;
use engine::eval::explain;
use engine::{Analyst, Engine, Limits, OpeningBook, Options, Question, Report, Score, Stop};
use game::pgn::Reader;
use serde_json::{Value, json};

use crate::arguments;
use crate::config::ConfigFile;
use crate::show::{progress, thousands};

/// Analyse a position: best lines, score, chances, and the terms of the evaluation that matter most
#[derive(Args)]
#[command(after_help = "Examples:
  riga analyse
  riga analyse 'r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1' --lines 3
  riga analyse game.pgn --ply 23 --time 10
  riga analyse --json 8/8/1k6/8/1P6/1K6/8/8 w - - 0 1

Scores are in pawns, positive if White is better; chances are win, draw and loss for White in percent.
Hash, threads, tablebases and evaluation come from the configuration file unless they are given. A
whole game with explanations is `riga review`.")]
pub struct Analyse {
    /// A FEN, quoted or not, or a PGN file [default: the start position]
    what: Vec<String>,
    /// Which game of the file
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    game: u32,
    /// The position after this many plies of the game [default: the last one]
    #[arg(long, value_name = "N")]
    ply: Option<usize>,
    /// Number of lines
    #[arg(long, value_name = "N", value_parser = arguments::lines)]
    lines: Option<usize>,
    /// Seconds to think [default: 5 without another limit]
    #[arg(long, value_name = "SECONDS", value_parser = arguments::seconds)]
    time: Option<Duration>,
    /// Nodes to search
    #[arg(long, value_parser = arguments::nodes)]
    nodes: Option<u64>,
    /// Depth to search
    #[arg(long, value_parser = arguments::depth)]
    depth: Option<u32>,
    /// Hash table in MiB
    #[arg(long, value_parser = arguments::hash)]
    hash: Option<usize>,
    /// Search threads
    #[arg(long, value_parser = arguments::threads)]
    threads: Option<usize>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    config: ConfigFile,
}

/// Thinking time without any limit.
const USUAL: Duration = Duration::from_secs(5);
/// The most terms of the evaluation that are named, and the least centipawns each.
const TERMS: usize = 4;
const WORTH_NAMING: i32 = 10;

impl Analyse {
    pub fn run(&self) -> Result<ExitCode> {
        let line = self.line()?;
        let position = line.position().clone();
        let mut out = std::io::stdout().lock();
        if let Some(outcome) = position.outcome() {
            if self.json {
                let fen = position.to_string();
                writeln!(
                    out,
                    "{}",
                    json!({ "fen": fen, "outcome": outcome.to_string(), "lines": [] })
                )?;
            } else {
                writeln!(out, "{}\nThe game is over: {outcome}.", position.diagram())?;
            }
            return Ok(ExitCode::SUCCESS);
        }
        let reports = self.search(line)?;
        if self.json {
            writeln!(out, "{}", to_json(&position, &reports))?;
        } else {
            write!(out, "{}", to_text(&position, &reports))?;
        }
        Ok(ExitCode::SUCCESS)
    }

    /// The position, with the moves that led to it.
    fn line(&self) -> Result<Line> {
        let text = self.what.join(" ");
        if text.is_empty() {
            return Ok(Line::default());
        }
        let fault = match text.parse::<Position>() {
            Ok(position) => return Ok(Line::new(position)),
            Err(fault) => fault,
        };
        let path = Path::new(&text);
        if !path.exists() {
            bail!("{text}: neither a file nor a legal position ({fault})");
        }
        let file = File::open(path).with_context(|| text.clone())?;
        let game = Reader::new(file).games().nth(self.game as usize - 1);
        let game = game.with_context(|| format!("{text}: there is no game {}", self.game))?;
        let mut line = game.with_context(|| text.clone())?.line();
        if let Some(ply) = self.ply {
            if ply > line.len() {
                bail!("{text}: the game has {} plies, --ply is {ply}", line.len());
            }
            line.truncate(ply);
        }
        Ok(line)
    }

    fn search(&self, line: Line) -> Result<Vec<Report>> {
        let settings = self.config.settings()?;
        let mut options = Options { book: OpeningBook::None, ..settings.options() };
        options.hash = self.hash.unwrap_or(options.hash);
        options.threads = self.threads.unwrap_or(options.threads);
        let mut engine = Engine::new(options);
        for message in engine.take_messages() {
            eprintln!("warning: {message}");
        }
        let question = Question::new(line)
            .limits(self.limits())
            .lines(self.lines.unwrap_or(settings.multi_pv));
        let bar = progress(0, "{spinner} {elapsed} {msg}");
        let verdict = engine.analyse(&question, &Stop::new(), &mut |report: Report| {
            bar.set_message(format!("depth {}, {} nodes", report.depth, thousands(report.nodes)));
            bar.tick();
        })?;
        bar.finish_and_clear();
        Ok(verdict.lines)
    }

    fn limits(&self) -> Limits {
        let none = self.time.is_none() && self.nodes.is_none() && self.depth.is_none();
        let time = self.time.or_else(|| none.then_some(USUAL));
        let mut limits = time.map_or_else(Limits::default, Limits::move_time);
        limits.nodes = self.nodes;
        limits.depth = self.depth;
        limits
    }
}

/// Moves with their numbers.
fn written(position: &Position, moves: &[Move]) -> String {
    let mut here = position.clone();
    let mut text = String::new();
    for (i, &m) in moves.iter().enumerate() {
        if i > 0 {
            text.push(' ');
        }
        if let Some(number) = here.move_number().in_line(i == 0) {
            let _ = write!(text, "{number} ");
        }
        let _ = write!(text, "{}", here.san(m));
        here.play_unchecked(m);
    }
    text
}

/// What speaks for whom by the hand-written evaluation: groups of terms in centipawns for White, the
/// largest first.
fn reasons(position: &Position) -> Vec<(&'static str, i32)> {
    let explanation = explain(position);
    let phase = explanation.balance.phase;
    let mut reasons: Vec<(&str, i32)> =
        explanation.rows.iter().map(|row| (row.group.name(), row.blend(phase))).collect();
    reasons.retain(|(_, value)| value.abs() >= WORTH_NAMING);
    reasons.sort_by_key(|(_, value)| std::cmp::Reverse(value.abs()));
    reasons.truncate(TERMS);
    reasons
}

fn to_text(position: &Position, reports: &[Report]) -> String {
    let turn = position.turn();
    let mut out = format!("{}\n", position.diagram());
    for report in reports {
        let wdl = if turn == Color::White { report.wdl } else { -report.wdl };
        let percent = |part: u16| format!("{:.0}", f64::from(part) / 10.0);
        let _ = writeln!(
            out,
            "{:>7}  {:>3}/{}/{} %  {}",
            report.score.for_white(turn).to_string(),
            percent(wdl.win),
            percent(wdl.draw),
            percent(wdl.loss),
            written(position, &report.pv)
        );
    }
    if let Some(best) = reports.first() {
        let _ = writeln!(
            out,
            "\nDepth {}, {} nodes, {} nodes per second.",
            best.depth,
            thousands(best.nodes),
            thousands(best.speed())
        );
    }
    let reasons = reasons(position);
    if !reasons.is_empty() {
        let named = |(name, value): &(&str, i32)| {
            let side = if *value > 0 { "White" } else { "Black" };
            format!("{} ({side} {:.2})", name.to_lowercase(), f64::from(value.abs()) / 100.0)
        };
        let named: Vec<String> = reasons.iter().map(named).collect();
        let _ = writeln!(out, "On the board: {}.", named.join(", "));
    }
    out
}

fn to_json(position: &Position, reports: &[Report]) -> Value {
    let turn = position.turn();
    let lines: Vec<Value> = reports
        .iter()
        .map(|report| {
            let mut here = position.clone();
            let moves: Vec<Value> = report
                .pv
                .iter()
                .map(|&m| {
                    let uci = m.to_uci(&here, position.castling_mode()).to_string();
                    let san = here.san(m).to_string();
                    here.play_unchecked(m);
                    json!({ "uci": uci, "san": san })
                })
                .collect();
            let wdl = if turn == Color::White { report.wdl } else { -report.wdl };
            let (cp, mate) = match report.score.for_white(turn) {
                Score::Cp(cp) => (Some(cp), None),
                Score::Mate(plies) => (None, Some(plies.moves())),
            };
            json!({
                "cp": cp,
                "mate": mate,
                "wdl": [wdl.win, wdl.draw, wdl.loss],
                "depth": report.depth,
                "moves": moves,
            })
        })
        .collect();
    let reasons: Vec<Value> = reasons(position)
        .iter()
        .map(|(name, value)| json!({ "term": name, "cp": value }))
        .collect();
    json!({
        "fen": position.to_string(),
        "nodes": reports.first().map(|best| best.nodes),
        "lines": lines,
        "terms": reasons,
    })
}
