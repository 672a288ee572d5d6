//! How fast games are reviewed: moves per second, and when the first label of a game is there.
//!
//! `cargo run --release -p riga-review --example pace -- FILE.pgn [GAMES] [NODES] [THREADS]`;
//! `tools/review-baseline.py` does the same with python-chess and another engine.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use engine::{Engine, OpeningBook, Options, Stop};
use game::Game;
use game::pgn::Reader;
use review::{Effort, Plan, review_with};

/// How long a game took.
struct Pace {
    plies: usize,
    /// Until the first label.
    first: Duration,
    all: Duration,
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let number = |index: usize, default: usize| {
        words.get(index).map_or(default, |word| word.parse().expect("a number"))
    };
    let text = std::fs::read(words.first().expect("a PGN file")).expect("a readable file");
    let games: Vec<Game> =
        Reader::new(&text[..]).games().flatten().take(number(1, usize::MAX)).collect();
    let plan = Plan { effort: Effort::Nodes(number(2, 100_000) as u64), ..Plan::default() };
    let (next, paces) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let start = Instant::now();
    let work = || {
        let options = Options { book: OpeningBook::None, ..Options::default() };
        let mut engine = Engine::new(options);
        while let Some(game) = games.get(next.fetch_add(1, Ordering::Relaxed)) {
            let (begun, mut first) = (Instant::now(), None);
            let labelled = &mut |_| {
                first.get_or_insert(begun.elapsed());
            };
            let report = review_with(game, &mut engine, &plan, "Riga", &Stop::new(), labelled);
            let plies = report.expect("a review").moves.len();
            let pace = Pace { plies, first: first.unwrap_or_default(), all: begun.elapsed() };
            paces.lock().expect("no panic").push(pace);
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..number(3, 2) {
            engine::search_thread("review").spawn_scoped(scope, work).expect("a thread");
        }
    });
    let seconds = start.elapsed().as_secs_f64();
    let paces = paces.into_inner().expect("no panic");
    let plies: usize = paces.iter().map(|pace| pace.plies).sum();
    println!(
        "{} games, {plies} moves in {seconds:.1} s: {:.1} per second",
        paces.len(),
        plies as f64 / seconds
    );
    if let Some(slow) = paces.iter().max_by_key(|pace| pace.first) {
        println!("first label after {:.2} s at the latest", slow.first.as_secs_f64());
    }
    if let Some(slow) = paces.iter().max_by_key(|pace| pace.all) {
        println!("the longest: {} moves in {:.1} s", slow.plies, slow.all.as_secs_f64());
    }
}
