//! A fixed amount of work: the node count is a fingerprint of the search, the same on every
//! machine, and the time gives its speed.

use std::time::Duration;

use chess::{Line, Position};

use crate::{Analyst, Engine, Limits, Question, Stop};
#[cfg(feature = "embedded-net")]
use crate::{Options, Params};

/// The default depth.
pub const DEPTH: u32 = 13;

/// Openings, middlegames, endings, mates and traps.
pub const POSITIONS: [&str; 32] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 10",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 11",
    "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4",
    "rnbqkb1r/pp3ppp/4pn2/2pp4/3P1B2/2P1PN2/PP3PPP/RN1QKB1R b KQkq - 0 5",
    "r1bq1rk1/pp2ppbp/2np1np1/8/3NP3/2N1BP2/PPPQ2PP/R3KB1R w KQ - 3 9",
    "r2q1rk1/1b1nbppp/p2ppn2/1p6/3NPP2/1BN1B3/PPPQ2PP/R4RK1 w - - 0 13",
    "2rq1rk1/pb1n1ppN/4p3/1pb5/3P1Pn1/P1N5/1PQ1B1PP/R1B2RK1 b - - 0 16",
    "r1b2rk1/2q1bppp/p1nppn2/1p6/3NPP2/P1N1B3/1PP1B1PP/R2Q1R1K w - - 0 13",
    "r4rk1/1bqnbppp/p2ppn2/1p6/3NP1P1/1BN1BP2/PPPQ3P/2KR3R b - - 0 13",
    "3r1rk1/pp3pp1/1qn1b2p/2ppP3/5P2/P1PB1N1P/1P1Q2P1/R4RK1 w - - 0 19",
    "1r3k2/4q3/2Pp3b/3Bp3/2Q2p2/1p1P2P1/1P2KP2/3N4 w - - 0 1",
    "4rrk1/pp1n3p/3q2pQ/2p1pb2/2PP4/2P3N1/P2B2PP/4RRK1 b - - 7 19",
    "r3r1k1/2p2ppp/p1p1bn2/8/1q2P3/2NPQN2/PPP3PP/R4RK1 b - - 2 15",
    "r1bbk1nr/pp3p1p/2n5/1N4p1/2Np1B2/8/PPP2PPP/2KR1B1R w kq - 0 13",
    "4r1k1/r1q2ppp/ppp2n2/4P3/5Rb1/1N1BQ3/PPP3PP/R5K1 w - - 1 17",
    "2r3k1/pppR1pp1/4p3/4P1P1/5P2/1P4K1/P1P5/8 w - - 0 1",
    "8/8/1p1k2p1/p1prp2p/P2n3P/6P1/1P1R1PK1/4R3 b - - 5 49",
    "5k2/7R/4P2p/5K2/p1r2P1p/8/8/8 b - - 0 1",
    "6k1/4pp1p/3p2p1/P1pPb3/R7/1r2P1PP/3B1P2/6K1 w - - 0 1",
    "8/3p3B/5p2/5P2/p7/PP5b/k7/6K1 w - - 0 1",
    "8/pp2r1k1/2p1p3/3pP2p/1P1P1P1P/P5KR/8/8 w - - 0 1",
    "8/3p4/p1bk3p/Pp6/1Kp1PpPp/2P2P1P/2P5/5B2 b - - 0 1",
    "5k2/6pp/p1qN4/1p1p4/3P4/2PKP2Q/PP3r2/3R4 b - - 0 1",
    "8/8/8/5N2/8/p7/8/2NK3k w - - 0 1",
    "8/1p3pp1/7p/5P1P/2k3P1/8/2K2P2/8 w - - 0 1",
    "3b4/5kp1/1p1p1p1p/pP1PpP1P/P1P1P3/3KN3/8/8 w - - 0 1",
    "8/8/8/8/5kp1/P7/8/1K1N4 w - - 0 1",
    "r2qk2r/ppp1b1pp/2n1p3/3pP1n1/3P2b1/2PB1NN1/PP4PP/R1BQK2R w KQkq - 0 1",
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    "nrbbqknr/pp1ppppp/8/2p5/4P3/3P4/PPP2PPP/NRBBQKNR w HBhb - 0 3",
    "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
];

/// The result of a bench.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Bench {
    /// Nodes searched.
    pub nodes: u64,
    /// Time taken.
    pub time: Duration,
}

impl Bench {
    /// Nodes per second.
    pub fn speed(&self) -> u64 {
        (self.nodes as f64 / self.time.as_secs_f64().max(1e-6)) as u64
    }
}

/// Searches each position with a new engine; `each` receives its FEN and nodes. A `stop` ends it
/// early, and then the count is meaningless.
#[cfg(feature = "embedded-net")]
pub fn run(
    options: &Options,
    params: &Params,
    depth: u32,
    stop: &Stop,
    each: impl FnMut(&str, u64),
) -> Bench {
    let mut engine = Engine::new(options.clone());
    engine.set_params(params.clone());
    run_on(&mut engine, depth, stop, each)
}

/// Searches each position with an engine that forgets everything in between. Its options count.
pub fn run_on(
    engine: &mut Engine,
    depth: u32,
    stop: &Stop,
    mut each: impl FnMut(&str, u64),
) -> Bench {
    let mut bench = Bench { nodes: 0, time: Duration::ZERO };
    for fen in POSITIONS {
        let position: Position = fen.parse().expect("the positions are legal");
        engine.new_game().expect("our own engine doesn't fail");
        let question = Question::new(Line::new(position)).limits(Limits::depth(depth));
        let verdict = engine.decide(&question, stop).expect("every position has a move");
        let (nodes, time) =
            verdict.lines.first().map_or((0, Duration::ZERO), |l| (l.nodes, l.time));
        bench.nodes += nodes;
        bench.time += time;
        each(fen, nodes);
    }
    bench
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_work_twice_gives_the_same_count() {
        let options = Options { hash: 2, ..Options::default() };
        let count = || run(&options, &Params::default(), 5, &Stop::new(), |_, _| {}).nodes;
        let first = count();
        assert!(first > 10_000, "{first}");
        assert_eq!(first, count());
    }
}
