//! Random sessions: whatever arrives and whenever it arrives, the session survives, and each search
//! gets one answer.

use std::thread;
use std::time::Duration;

use proptest::prelude::*;

use crate::gui::{Gui, clumsy, hasty, patient};

#[derive(Clone, Debug)]
enum Step {
    Line(String),
    Bytes(Vec<u8>),
    Pause(u64),
}

fn line() -> impl Strategy<Value = String> {
    let fixed = prop::sample::select(vec![
        "uci",
        "isready",
        "ucinewgame",
        "debug on",
        "debug off",
        "stop",
        "stop",
        "ponderhit",
        "position startpos",
        "position startpos moves e2e4 e7e5 g1f3",
        "position startpos moves e2e4 e7e5 e1e4",
        "position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
        "position fen bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
        "position fen 8/8",
        "setoption name Hash value 1",
        "setoption name Hash value 2",
        "setoption name MultiPV value 3",
        "setoption name Clear Hash",
        "setoption name UCI_ShowWDL value true",
        "setoption name Threads value 0",
        "d",
        "eval",
        "go perft 2",
        "go infinite",
        "go infinite",
        "go ponder wtime 100 btime 100",
        "go depth 2",
        "go nodes 50",
        "go movetime 3",
        "go wtime 20 btime 20 winc 1 binc 1",
        "go mate 1 depth 2",
        "go depth 1 searchmoves e2e4 a1a1",
        "go depth x",
        "register me",
        "",
    ])
    .prop_map(str::to_owned);
    prop_oneof![8 => fixed, 1 => "\\PC{0,40}"]
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        12 => line().prop_map(Step::Line),
        1 => prop::collection::vec(any::<u8>(), 0..60).prop_map(Step::Bytes),
        2 => (0..4_u64).prop_map(Step::Pause),
    ]
}

/// Each search that was not refused is answered.
fn converse(gui: Gui, steps: &[Step]) {
    let mut searches = 0;
    for step in steps {
        match step {
            Step::Line(line) => {
                let search = line.starts_with("go ") && !line.contains("perft");
                searches += usize::from(search);
                gui.send(line);
            }
            // Random bytes could form a command; a letter in front prevents that.
            Step::Bytes(bytes) => {
                gui.send_bytes([b"~", bytes.as_slice(), b"~\n"].concat());
            }
            Step::Pause(milliseconds) => thread::sleep(Duration::from_millis(*milliseconds)),
        }
    }
    gui.send("isready");
    let lines = gui.hang_up();
    let count = |start: &str| lines.iter().filter(|line| line.starts_with(start)).count();
    let refused = count("info string error: a search is running");
    let best = count("bestmove ");
    // A refused `go perft` is counted as refused, but was not a search.
    let perfts = steps.iter().filter(|s| matches!(s, Step::Line(l) if l.contains("perft"))).count();
    assert!(
        best + refused >= searches && best + refused <= searches + perfts,
        "{searches} searches, {refused} refused, {best} answers: {lines:#?}"
    );
    assert!(count("readyok") >= 1, "{lines:#?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn the_engine_survives_any_conversation(steps in prop::collection::vec(step(), 0..30)) {
        converse(Gui::with_engine(), &steps);
    }

    #[test]
    fn any_searcher_survives_any_conversation(
        steps in prop::collection::vec(step(), 0..30),
        act in prop::sample::select(vec![0, 1, 2]),
    ) {
        converse(Gui::with_actor([hasty, patient, clumsy][act]), &steps);
    }
}
