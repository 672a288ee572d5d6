//! Fits the curve of expected scores to games between equals: searches every sixth position and
//! compares its score with the result of the game.
//!
//! `cargo run --release -p riga-review --example fit_curve -- FILE.pgn [NODES]`

use chess::Color;
use engine::wdl::material;
use engine::{Analyst, Engine, Limits, OpeningBook, Options, Question, Score, Stop};
use game::GameResult;
use game::pgn::Reader;

/// A score for White in centipawns, the material on the board, and White's result.
struct Sample {
    centipawns: f64,
    material: u32,
    points: f64,
}

/// Every so many plies a position is taken, after so many at the start.
const STEP: usize = 6;
const OPENING: usize = 8;
/// Scores beyond this say little about the shape of the curve.
const DECIDED: i32 = 1_500;

fn samples(text: &[u8], nodes: u64) -> Vec<Sample> {
    let mut engine = Engine::new(Options { book: OpeningBook::None, ..Options::default() });
    let mut samples = Vec::new();
    for game in Reader::new(text).games().flatten() {
        let points = match game.result {
            GameResult::WhiteWins => 1.0,
            GameResult::BlackWins => 0.0,
            GameResult::Draw => 0.5,
            GameResult::Unknown => continue,
        };
        let line = game.line();
        for ply in (OPENING..line.len()).step_by(STEP) {
            let mut here = line.clone();
            here.truncate(ply);
            let turn = here.position().turn();
            let material = material(here.position());
            let question = Question::new(here).limits(Limits::nodes(nodes));
            let verdict = engine.decide(&question, &Stop::new()).expect("a score");
            let Some(Score::Cp(own)) = verdict.score() else { continue };
            let white = if turn == Color::White { own } else { -own };
            if white.abs() <= DECIDED {
                samples.push(Sample { centipawns: f64::from(white), material, points });
            }
        }
    }
    samples
}

/// The width that makes the results most likely, by golden-section search.
fn width(samples: &[&Sample]) -> f64 {
    let loss = |width: f64| -> f64 {
        let one = |sample: &&Sample| {
            let expected = 1.0 / (1.0 + (-sample.centipawns / width).exp());
            let expected = expected.clamp(1e-9, 1.0 - 1e-9);
            -(sample.points * expected.ln() + (1.0 - sample.points) * (1.0 - expected).ln())
        };
        samples.iter().map(one).sum()
    };
    let (mut low, mut high) = (20.0_f64, 2_000.0_f64);
    for _ in 0..60 {
        let (a, b) = (low + 0.382 * (high - low), low + 0.618 * (high - low));
        if loss(a) < loss(b) { high = b } else { low = a }
    }
    f64::midpoint(low, high)
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let text = std::fs::read(words.first().expect("a PGN file")).expect("a readable file");
    let nodes = words.get(1).map_or(5_000, |word| word.parse().expect("a number"));
    let samples = samples(&text, nodes);
    let all: Vec<&Sample> = samples.iter().collect();
    println!("{} positions, width {:.0}", all.len(), width(&all));
    for (from, to) in [(0, 26), (26, 52), (52, 79)] {
        let some: Vec<&Sample> =
            samples.iter().filter(|sample| (from..to).contains(&sample.material)).collect();
        println!("material {from} to {to}: {} positions, width {:.0}", some.len(), width(&some));
    }
    for from in (-600..600).step_by(100) {
        let inside = |sample: &&Sample| {
            (f64::from(from)..f64::from(from + 100)).contains(&sample.centipawns)
        };
        let some: Vec<&Sample> = samples.iter().filter(inside).collect();
        let mean = some.iter().map(|sample| sample.points).sum::<f64>() / some.len().max(1) as f64;
        println!("{from} to {}: {} positions, {:.1} points", from + 100, some.len(), 100.0 * mean);
    }
}
