//! How much a review depends on its nodes: reviews games with N and 2N nodes and counts the moves
//! that change their group of labels, best moves with a mark, and mistakes without an explanation.
//!
//! `cargo run --release -p riga-review --example stability -- FILE.pgn [GAMES] [NODES] [THREADS] [SKIP]`;
//! `--plain` goes without second looks, `--once` reviews with N nodes only.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use engine::{
    Analyst, AnalystError, Engine, OpeningBook, Options, Question, Report, Stop, Verdict,
};
use game::Game;
use game::pgn::Reader;
use review::{Effort, GameReport, Group, Label, Motif, MoveReport, Plan, review};

/// Motifs that say in which respect the better line is better, and nothing more.
const VAGUE: [Motif; 6] = [
    Motif::KingSafety,
    Motif::Passer,
    Motif::Structure,
    Motif::Activity,
    Motif::KingActivity,
    Motif::BishopPair,
];

/// An engine whose nodes are counted.
struct Counted {
    engine: Engine,
    nodes: u64,
}

impl Analyst for Counted {
    fn analyse(
        &mut self,
        question: &Question,
        stop: &Stop,
        report: &mut dyn FnMut(Report),
    ) -> Result<Verdict, AnalystError> {
        let verdict = self.engine.analyse(question, stop, report)?;
        self.nodes += verdict.lines.first().map_or(0, |line| line.nodes);
        Ok(verdict)
    }

    fn new_game(&mut self) -> Result<(), AnalystError> {
        Analyst::new_game(&mut self.engine)
    }
}

/// What is counted over all games.
#[derive(Default)]
struct Count {
    /// Of the reviews with N nodes.
    nodes: u64,
    games: usize,
    moves: usize,
    same: usize,
    same_label: usize,
    best_marked: usize,
    /// Brilliant and great moves of either review, and of both.
    special: [usize; 2],
    /// Mistakes, misses and blunders; those without a claim, and with none but vague ones.
    bad: [usize; 3],
    motifs: BTreeMap<String, usize>,
}

impl Count {
    /// Adds a game, and says what is odd in it.
    fn add(&mut self, number: usize, once: &GameReport, twice: &GameReport) {
        self.games += 1;
        let before = (self.moves, self.same);
        for (ply, (a, b)) in once.moves.iter().zip(&twice.moves).enumerate() {
            self.moves += 1;
            self.same += usize::from(a.label.group() == b.label.group());
            self.same_label += usize::from(a.label == b.label);
            if a.label.group() != b.label.group() {
                println!(
                    "flip: game {number} ply {ply} {}: {} / {}",
                    a.played.san,
                    told(a),
                    told(b)
                );
            }
            let special = [a, b].map(|one| matches!(one.label, Label::Brilliant | Label::Great));
            self.special[0] += usize::from(special[0] || special[1]);
            self.special[1] += usize::from(special[0] && special[1]);
            for one in [a, b] {
                let is_best = one.best.first().is_some_and(|best| *best == one.played);
                self.best_marked += usize::from(is_best && one.label.is_marked());
            }
            self.explained(number, ply, a);
        }
        let (moves, same) = (self.moves - before.0, self.same - before.1);
        let [bad, bare, vague] = self.bad;
        println!(
            "game {number}: {moves} moves, {same} in the same group; {bad} {bare} {vague} so far"
        );
    }

    fn explained(&mut self, number: usize, ply: usize, one: &MoveReport) {
        if one.label == Label::Brilliant {
            println!("brilliant: game {number} ply {ply} {}", one.played.san);
        }
        for claim in &one.claims {
            *self.motifs.entry(format!("{} {}", claim.motif, claim.whose)).or_default() += 1;
        }
        if one.label.group() < Group::Mistake {
            return;
        }
        self.bad[0] += 1;
        if one.claims.is_empty() {
            self.bad[1] += 1;
            println!("no claim: game {number} ply {ply} {}: {}", one.played.san, told(one));
        } else if one.claims.iter().all(|claim| VAGUE.contains(&claim.motif)) {
            self.bad[2] += 1;
            println!("vague: game {number} ply {ply} {}: {}", one.played.san, told(one));
        }
    }

    fn print(&self) {
        let share = |part: usize, all: usize| 100.0 * part as f64 / all.max(1) as f64;
        let Self { games, moves, same, same_label, .. } = self;
        let nodes = self.nodes / (*moves).max(1) as u64;
        println!("{games} games, {moves} moves, {nodes} nodes for a move");
        println!("same group: {same} ({:.2} %)", share(*same, *moves));
        println!("same label: {same_label} ({:.2} %)", share(*same_label, *moves));
        let [any, both] = self.special;
        println!("brilliant or great: {any} in one of both, {both} in both");
        println!("best moves with a mark: {}", self.best_marked);
        let [bad, bare, vague] = self.bad;
        println!(
            "mistakes, misses, blunders: {bad}; without a claim: {bare} ({:.1} %); vague: {vague} ({:.1} %)",
            share(bare, bad),
            share(vague, bad)
        );
        let mut motifs: Vec<_> = self.motifs.iter().collect();
        motifs.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
        let motifs: Vec<String> = motifs.iter().map(|(name, n)| format!("{name} {n}")).collect();
        println!("claims: {}", motifs.join(", "));
    }
}

/// A judgement in short.
fn told(one: &MoveReport) -> String {
    format!("{} {:.1} -> {:.1}", one.label, one.best_points, one.played_points)
}

fn main() {
    let (flags, words): (Vec<String>, Vec<String>) =
        std::env::args().skip(1).partition(|word| word.starts_with("--"));
    let number = |index: usize, default: u64| {
        words.get(index).map_or(default, |word| word.parse().expect("a number"))
    };
    let text = std::fs::read(words.first().expect("a PGN file")).expect("a readable file");
    let skip = number(4, 0) as usize;
    let games: Vec<Game> = Reader::new(&text[..])
        .games()
        .flatten()
        .skip(skip)
        .take(number(1, u64::MAX) as usize)
        .collect();
    let nodes = number(2, 100_000);
    let only_once = flags.iter().any(|flag| flag == "--once");
    let second_search = !flags.iter().any(|flag| flag == "--plain");
    let (next, count) = (AtomicUsize::new(0), Mutex::new(Count::default()));
    let work = || {
        let options = Options { book: OpeningBook::None, ..Options::default() };
        let mut engine = Counted { engine: Engine::new(options), nodes: 0 };
        while let Some((index, game)) = {
            let index = next.fetch_add(1, Ordering::Relaxed);
            games.get(index).map(|game| (index, game))
        } {
            let mut reviewed = |nodes: u64| {
                let effort = Effort::Nodes(nodes);
                let plan = Plan { effort, second_search, ..Plan::default() };
                let report = review(game, &mut engine, &plan, "Riga").expect("a review");
                report.check(game).expect("every line is legal");
                (report, std::mem::take(&mut engine.nodes))
            };
            let (once, searched) = reviewed(nodes);
            let twice = if only_once { once.clone() } else { reviewed(2 * nodes).0 };
            let mut count = count.lock().expect("no panic");
            count.nodes += searched;
            count.add(skip + index + 1, &once, &twice);
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..number(3, 2) {
            engine::search_thread("review").spawn_scoped(scope, work).expect("a thread");
        }
    });
    count.lock().expect("no panic").print();
}
