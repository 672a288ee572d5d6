//! `riga match`: plays engine matches.

use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Result, bail};
use clap::{Args, ValueEnum};
use engine::tablebase::{Tablebases, directories};
use lab::adjudication::{Adjudication, DrawRule, ResignRule};
use lab::openings::OpeningSuite;
use lab::sprt::Sprt;
use lab::tournament::{Contestant, Control, End, Format, Limit, SavedMatch, Standings, Tournament};

use crate::arguments::{Usage, misuse};
use crate::interrupt::stop_on_interrupt;
use crate::match_table;
use crate::show::progress;

/// Play engine matches and measure strength
///
/// Each opening is played twice, with colors swapped. Elo, its error bars (95 %), the likelihood of
/// superiority and the SPRT are computed from these pairs of games.
#[derive(Args)]
#[command(after_help = "An engine is a list of settings separated by commas:
  cmd=COMMAND      program and arguments; `self` for Riga itself, in this process
  name=NAME        name in tables and games
  dir=DIRECTORY    working directory of the program
  tc=TIME          time control in seconds: 8+0.08, 40/60 or 40/60+0.6
  st=SECONDS       time per move
  nodes=N depth=N  limits per move
  option.NAME=X    UCI option
A value with a comma needs double quotes. A text without any `=` is the command.

Examples:
  riga match --engine cmd=self,option.Hash=16 --engine stockfish --tc 8+0.08 --games 100
  riga match --engine cmd='gnuchess --uci',name=gnu,option.OwnBook=false --engine toga2 \\
      --tc 4+0.04 --games 200 --concurrency 2 --openings book.epd --order random --pgn out.pgn
  riga match --engine cmd=./new --engine cmd=./old --tc 8+0.08 --games 40000 --openings book.pgn \\
      --plies 16 --sprt elo0=0,elo1=5 --draw movenumber=40,movecount=8,score=8 \\
      --resign movecount=4,score=600 --state match.json --resume

Exit codes: 0 success, 1 unusable engine or unreadable file, 2 usage error, 130 interrupted.")]
pub struct Match {
    /// An engine: cmd=COMMAND,name=NAME,option.NAME=VALUE,tc=TIME,... (at least two)
    #[arg(long = "engine", short, required = true, value_name = "SETTINGS")]
    engines: Vec<String>,
    /// Time control in seconds for engines that don't set their own, such as 8+0.08 or 40/60
    #[arg(long, value_name = "TIME")]
    tc: Option<String>,
    /// Seconds per move
    #[arg(long, value_name = "SECONDS", conflicts_with = "tc")]
    st: Option<String>,
    /// Nodes per move
    #[arg(long)]
    nodes: Option<String>,
    /// Search depth
    #[arg(long)]
    depth: Option<String>,
    /// Games per pairing, an even number
    #[arg(long, default_value_t = 100)]
    games: usize,
    /// Pairings
    #[arg(long, value_enum, default_value_t = FormatArg::RoundRobin)]
    format: FormatArg,
    /// Concurrent games
    #[arg(long, short, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    concurrency: u16,
    /// Openings: a .pgn file, or EPD or FEN with one position per line
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Order of the openings
    #[arg(long, value_enum, default_value_t = Order::Sequential)]
    order: Order,
    /// Plies to use from each PGN game [default: all]
    #[arg(long)]
    plies: Option<usize>,
    /// Seed of the random order
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Number of openings to skip
    #[arg(long, default_value_t = 0, value_name = "N")]
    skip: usize,
    /// Adjudicate draws: movenumber=40,movecount=8,score=8 (these are the defaults)
    #[arg(long, value_name = "RULE", num_args = 0..=1, default_missing_value = "")]
    draw: Option<DrawRule>,
    /// Adjudicate losses: movecount=4,score=600,twosided=true (these are the defaults)
    #[arg(long, value_name = "RULE", num_args = 0..=1, default_missing_value = "")]
    resign: Option<ResignRule>,
    /// Adjudicate a draw after this many plies
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    max_plies: Option<u32>,
    /// Adjudicate with Syzygy tablebases in these directories, separated as in PATH
    #[arg(long, value_name = "FOLDERS")]
    tables: Option<String>,
    /// Time margin in milliseconds before a loss on time; 100 more for a fixed time per move
    #[arg(long, default_value_t = 0, value_name = "MS")]
    margin_ms: u64,
    /// Stop when an SPRT has decided: elo0=0,elo1=5,alpha=0.05,beta=0.05,model=logistic|normalised
    #[arg(long, value_name = "TEST")]
    sprt: Option<Sprt>,
    /// PGN file to append the games to, with scores, depths and times
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
    /// PGN event name
    #[arg(long, default_value = "Riga match")]
    event: String,
    /// State file of the match
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,
    /// Resume from the state file, if there is one
    #[arg(long, requires = "state")]
    resume: bool,
    /// Game pairs between status lines if the output is not a terminal; 0 for none
    #[arg(long, default_value_t = 10, value_name = "N")]
    report_every: u64,
    /// Print one JSON object at the end
    #[arg(long)]
    json: bool,
}

#[derive(Copy, Clone, ValueEnum)]
enum FormatArg {
    /// Round robin
    RoundRobin,
    /// Gauntlet: the first engine against all others
    Gauntlet,
}

#[derive(Copy, Clone, ValueEnum)]
enum Order {
    /// In file order
    Sequential,
    /// Shuffled
    Random,
}

impl Match {
    pub fn run(&self) -> Result<ExitCode> {
        let tournament = self.tournament()?;
        let saved = self.saved(&tournament)?;
        let stop = stop_on_interrupt()?;
        let total = tournament.pairs() as u64 * 2;
        let bar = progress(total, "{msg}\n{wide_bar} {pos} of {len} games, {elapsed}, {eta} to go");
        let terminal = std::io::stderr().is_terminal();
        let played_before = saved.as_ref().map_or(0, |saved| saved.pairs.len() as u64 * 2);
        bar.set_position(played_before);
        bar.reset_eta();
        bar.enable_steady_tick(Duration::from_millis(500));
        let mut heard = 0;
        let (standings, end) = tournament.run(saved, &stop, &mut |standings, pair, played| {
            heard += 1;
            bar.set_position(standings.games());
            for (game, played) in pair.games.iter().zip(played) {
                if game.fault.is_some() {
                    let text = played.ending.to_string();
                    if terminal { bar.println(text) } else { eprintln!("{text}") }
                }
            }
            if terminal {
                bar.set_message(match_table::text(&tournament, standings));
            } else if self.report_every > 0 && heard % self.report_every == 0 {
                eprintln!("{}", match_table::line(&tournament, standings));
            }
        });
        bar.finish_and_clear();
        self.print(&tournament, &standings, end.as_ref().ok())?;
        Ok(match end? {
            End::Finished | End::Decided(_) => ExitCode::SUCCESS,
            End::Stopped => ExitCode::from(130),
        })
    }

    fn print(
        &self,
        tournament: &Tournament,
        standings: &Standings,
        end: Option<&End>,
    ) -> Result<()> {
        let mut out = std::io::stdout().lock();
        if self.json {
            writeln!(out, "{}", match_table::json(tournament, standings, end))?;
        } else {
            writeln!(out, "{}", match_table::text(tournament, standings))?;
            if end == Some(&End::Stopped) {
                writeln!(out, "Interrupted.")?;
            }
        }
        Ok(())
    }

    fn tournament(&self) -> Result<Tournament> {
        let mut control = Control::default();
        let limits = [
            (Limit::Clock, &self.tc),
            (Limit::MoveTime, &self.st),
            (Limit::Nodes, &self.nodes),
            (Limit::Depth, &self.depth),
        ];
        for (limit, value) in limits {
            if let Some(value) = value {
                control.set(limit, value).map_err(|error| Usage(error.to_string()))?;
            }
        }
        let contestant = |text: &String| {
            let read = Contestant::parse(text, &control);
            read.map_err(|error| Usage(format!("--engine {text}: {error}")))
        };
        if self.engines.len() < 2 {
            return misuse("a match needs at least two engines: repeat --engine");
        }
        if self.games == 0 || self.games % 2 == 1 {
            let games = self.games;
            return misuse(format!(
                "--games {games}: must be even: each opening is played with both colors"
            ));
        }
        if self.sprt.is_some() && self.engines.len() != 2 {
            return misuse("--sprt needs exactly two engines");
        }
        let contestants: Vec<Contestant> =
            self.engines.iter().map(contestant).collect::<Result<_, _>>()?;
        let mut tournament = Tournament {
            contestants,
            format: match self.format {
                FormatArg::RoundRobin => Format::RoundRobin,
                FormatArg::Gauntlet => Format::Gauntlet,
            },
            rounds: self.games / 2,
            openings: self.suite()?,
            concurrency: self.concurrency.into(),
            adjudication: Adjudication {
                draw: self.draw,
                resign: self.resign,
                max_plies: self.max_plies,
            },
            margin: Duration::from_millis(self.margin_ms),
            tablebases: self.open_tables()?,
            sprt: self.sprt,
            event: self.event.clone(),
            pgn: self.pgn.clone(),
            state: self.state.clone(),
        };
        tournament.tell_names_apart();
        Ok(tournament)
    }

    fn suite(&self) -> Result<OpeningSuite> {
        let mut suite = match &self.openings {
            None => OpeningSuite::default(),
            Some(path) => OpeningSuite::read(path, self.plies)?,
        };
        if let Some(first) = suite.skipped.first() {
            eprintln!("warning: {} openings can't be used; {first}", suite.skipped.len());
        }
        if matches!(self.order, Order::Random) {
            suite.shuffle(self.seed);
        }
        suite.skip(self.skip);
        Ok(suite)
    }

    fn open_tables(&self) -> Result<Option<Arc<Tablebases>>> {
        let Some(text) = &self.tables else { return Ok(None) };
        let (tables, messages) = Tablebases::open(&directories(text));
        if tables.men() == 0 {
            let what = ["no tablebases found".to_owned()];
            bail!("--tables {text}: {}", [&what[..], &messages].concat().join("; "));
        }
        for message in messages {
            eprintln!("warning: {message}");
        }
        Ok(Some(Arc::new(tables)))
    }

    fn saved(&self, tournament: &Tournament) -> Result<Option<SavedMatch>> {
        let Some(path) = self.state.as_ref().filter(|path| path.exists()) else { return Ok(None) };
        if !self.resume {
            bail!("{} exists: use --resume, or remove it", path.display());
        }
        Ok(Some(SavedMatch::read(path, tournament)?))
    }
}
