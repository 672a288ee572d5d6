//! Search speed compared with other engines in the same run, as ratios.
//!
//! Every engine has one thread and the same hash size, and searches the same positions in turn:
//! first for the same time, which gives nodes per second, then to the same depth. Neither is
//! comparable between engines, depth even less than nodes.

use std::path::{Path, PathBuf};
use std::time::Duration;

use chess::{CastlingMode, Line, Position};
use engine::bench::POSITIONS;
use engine::{Analyst, Limits, Question, Stop};
use uci::{Client, EngineCommand, Patience};

/// The peers, as Debian packages them.
const PEERS: [&str; 2] = ["stockfish", "ethereal-chess"];
const HASH: &str = "64";

struct Contender {
    name: String,
    client: Client,
    nodes: u64,
    time: Duration,
    /// Logarithms of the seconds to a depth, summed.
    to_depth: f64,
}

fn main() {
    let number = |name: &str, usual: u64| {
        std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
    };
    let (millis, depth) = (number("MILLIS", 800), number("DEPTH", 16) as u32);
    let positions: Vec<Line> = POSITIONS
        .iter()
        .map(|fen| fen.parse::<Position>().expect("the positions are legal"))
        .filter(|position| position.castling_mode() == CastlingMode::Standard)
        .filter(|position| position.occupied().count() > 5)
        .map(Line::new)
        .collect();
    let mut contenders = vec![start(Path::new(env!("CARGO_BIN_EXE_riga")), &["uci"])];
    for peer in PEERS {
        match find(peer) {
            Some(path) => contenders.push(start(&path, &[])),
            None => println!("{peer} is missing. Type: sudo apt-get install {peer}"),
        }
    }
    for line in &positions {
        for contender in &mut contenders {
            contender.look(line, &Limits::move_time(Duration::from_millis(millis)));
        }
    }
    for line in &positions {
        for contender in &mut contenders {
            contender.dive(line, depth);
        }
    }

    let count = positions.len();
    println!("search, {count} positions, one thread, {HASH} MiB: {millis} ms, then depth {depth}");
    println!(
        "{:<22}{:>16}{:>10}{:>16}{:>10}",
        "", "nodes a second", "riga : it", "time to depth", "riga : it"
    );
    let own = (contenders[0].speed(), contenders[0].seconds(count));
    for contender in &contenders {
        let (speed, seconds) = (contender.speed(), contender.seconds(count));
        println!(
            "{:<22}{speed:>16.0}{:>10.2}{:>13.0} ms{:>10.2}",
            contender.name,
            own.0 / speed,
            1000.0 * seconds,
            own.1 / seconds
        );
    }
}

fn find(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let games = PathBuf::from("/usr/games");
    let mut folders = std::env::split_paths(&path).chain([games]);
    folders.find_map(|folder| Some(folder.join(program)).filter(|path| path.is_file()))
}

fn start(program: &Path, arguments: &[&str]) -> Contender {
    let mut command = EngineCommand::new(program);
    command.arguments = arguments.iter().map(|&text| text.to_owned()).collect();
    let mut client = Client::start(command, Patience::default()).expect("the engine starts");
    // A configuration file may have other values.
    for (name, value) in [("Hash", HASH), ("Threads", "1"), ("Evaluation", "net")] {
        if client.option(name).is_some() {
            client.set_option(name, value).expect("an allowed value");
        }
    }
    let name = client.name().to_owned();
    Contender { name, client, nodes: 0, time: Duration::ZERO, to_depth: 0.0 }
}

impl Contender {
    /// Adds nodes and time of a search.
    fn look(&mut self, line: &Line, limits: &Limits) {
        self.client.new_game().expect("the engine runs");
        let mut last = None;
        let question = Question::new(line.clone()).limits(*limits);
        self.client
            .analyse(&question, &Stop::new(), &mut |report| last = Some(report))
            .expect("the engine finds a move");
        let last = last.expect("the engine says what it does");
        self.nodes += last.nodes;
        self.time += last.time;
    }

    /// Adds the time to a depth.
    fn dive(&mut self, line: &Line, depth: u32) {
        self.client.new_game().expect("the engine runs");
        let question = Question::new(line.clone()).limits(Limits::depth(depth));
        let verdict = self.client.decide(&question, &Stop::new()).expect("the engine finds a move");
        self.to_depth += verdict.time.as_secs_f64().max(1e-4).ln();
    }

    /// Nodes per second over all positions.
    fn speed(&self) -> f64 {
        self.nodes as f64 / self.time.as_secs_f64()
    }

    /// Geometric mean of the seconds to the depth.
    fn seconds(&self, positions: usize) -> f64 {
        (self.to_depth / positions as f64).exp()
    }
}
