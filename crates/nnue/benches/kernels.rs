//! The network's arithmetic, each kernel of this processor in the same run.

use std::fs;
use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

use chess::{Move, Position};
use nnue::{Accumulators, Kernel, Net};

/// A game of moves that a fixed rule picks, long enough to see every kind of change.
fn game() -> Vec<(Position, Move)> {
    let mut position = Position::default();
    let mut played = Vec::new();
    for ply in 0..200_usize {
        let moves = position.legal_moves();
        if moves.is_empty() {
            break;
        }
        let m = moves[(ply * 7 + 3) % moves.len()];
        played.push((position.clone(), m));
        position.play_unchecked(m);
    }
    played
}

fn main() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../nets/riga.net");
    let net = Net::from_bytes(&fs::read(path).expect("the network")).expect("a sound network");
    let net = Arc::new(net);
    let game = game();
    println!("network, nanoseconds for a position of a game of {} plies", game.len());
    println!("{:<16}{:>16}{:>16}", "", "after a move", "from nothing");
    for kernel in Kernel::available() {
        let mut accumulators = Accumulators::new(Arc::clone(&net));
        accumulators.set_kernel(kernel);
        let mut time = |scratch: bool| {
            let rounds: u32 = if scratch { 100 } else { 1_000 };
            let best = (0..5).map(|_| {
                let start = Instant::now();
                for _ in 0..rounds {
                    accumulators.start(&game[0].0);
                    for (before, m) in &game {
                        if scratch {
                            accumulators = Accumulators::new(Arc::clone(&net));
                            accumulators.set_kernel(kernel);
                            accumulators.start(before);
                        }
                        black_box(accumulators.evaluate(black_box(before)));
                        if !scratch {
                            accumulators.play(before, *m);
                        }
                    }
                }
                start.elapsed()
            });
            let best = best.min().expect("five rounds").as_secs_f64();
            1e9 * best / f64::from(rounds) / game.len() as f64
        };
        let (after, scratch) = (time(false), time(true));
        println!("{:<16}{after:>16.0}{scratch:>16.0}", kernel.name());
    }
}
