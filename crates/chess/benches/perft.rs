//! Perft against peers in the same run, as ratios.
//!
//! Each program counts the same positions with bulk counting, in turns, and the best of the
//! rounds stands for it.

use std::time::{Duration, Instant};

/// A position to count and to what depth.
struct Case {
    name: &'static str,
    fen: &'static str,
    depth: u32,
    leaves: u64,
}

const CASES: [Case; 3] = [
    Case {
        name: "start D6",
        fen: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        depth: 6,
        leaves: 119_060_324,
    },
    Case {
        name: "Kiwipete D5",
        fen: "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        depth: 5,
        leaves: 193_690_690,
    },
    Case {
        name: "promotions D5",
        fen: "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
        depth: 5,
        leaves: 3_605_103,
    },
];

type Program = (&'static str, fn(&Case) -> u64);

const PROGRAMS: [Program; 4] =
    [("riga", riga), ("cozy-chess", cozy), ("shakmaty", shakmaty), ("chess", chess_3)];

fn main() {
    let rounds: usize =
        std::env::var("ROUNDS").ok().and_then(|text| text.parse().ok()).unwrap_or(5);
    println!("perft, one thread, bulk counting, best of {rounds}: million leaves a second");
    println!(
        "{:<14}{:>9}{:>12}{:>10}{:>8}{:>16}",
        "", "riga", "cozy-chess", "shakmaty", "chess", "riga : fastest"
    );
    let mut product = [1.0; 4];
    for case in &CASES {
        let mut best = [Duration::MAX; 4];
        for _ in 0..rounds {
            for (i, (name, count)) in PROGRAMS.iter().enumerate() {
                let start = Instant::now();
                let leaves = std::hint::black_box(count(std::hint::black_box(case)));
                best[i] = best[i].min(start.elapsed());
                assert_eq!(leaves, case.leaves, "{name} counts {} wrong", case.name);
            }
        }
        let speed = best.map(|time| case.leaves as f64 / time.as_secs_f64() / 1e6);
        for i in 0..4 {
            product[i] *= speed[i];
        }
        row(case.name, speed);
    }
    row("mean", product.map(f64::cbrt));
}

fn row(name: &str, [riga, cozy, shakmaty, chess]: [f64; 4]) {
    let ratio = riga / cozy.max(shakmaty).max(chess);
    println!("{name:<14}{riga:>9.0}{cozy:>12.0}{shakmaty:>10.0}{chess:>8.0}{ratio:>15.2}x");
}

fn riga(case: &Case) -> u64 {
    chess::perft(&case.fen.parse().expect("a legal FEN"), case.depth)
}

fn cozy(case: &Case) -> u64 {
    fn count(board: &cozy_chess::Board, depth: u32) -> u64 {
        let mut leaves = 0;
        board.generate_moves(|moves| {
            if depth == 1 {
                leaves += moves.len() as u64;
            } else {
                for m in moves {
                    let mut next = board.clone();
                    next.play_unchecked(m);
                    leaves += count(&next, depth - 1);
                }
            }
            false
        });
        leaves
    }
    count(&case.fen.parse().expect("a legal FEN"), case.depth)
}

fn shakmaty(case: &Case) -> u64 {
    use shakmaty::{CastlingMode, Chess, fen::Fen};
    let fen: Fen = case.fen.parse().expect("a FEN");
    let position: Chess = fen.into_position(CastlingMode::Standard).expect("a legal FEN");
    shakmaty::perft(&position, case.depth)
}

fn chess_3(case: &Case) -> u64 {
    let board: chess_3::Board = case.fen.parse().expect("a legal FEN");
    chess_3::MoveGen::movegen_perft_test(&board, case.depth as usize) as u64
}
