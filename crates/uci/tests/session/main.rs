//! Conversations with a session, from a GUI's side.

mod go;
mod gui;
mod random;

use std::io::{self, Write};
use std::time::Duration;

use chess::{Line, Position};
use engine::Engine;
use gui::{Gui, check_best_move, check_info, clumsy, hasty, patient};
use uci::{Command, OPTIONS, Session, Settings};

/// Long enough for an answer that must not come.
const MOMENT: Duration = Duration::from_millis(100);

fn line_of(position: &str) -> Line {
    match position.parse() {
        Ok(Command::Position(moves)) => moves.to_line().expect("legal moves"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn it_introduces_itself() {
    let gui = Gui::with_engine();
    gui.send("uci");
    let lines = gui.wait_for("uciok");
    assert!(lines[0].starts_with("id name Riga "), "{lines:?}");
    assert_eq!(lines[1], "id author the Riga authors");
    assert_eq!(lines.len(), OPTIONS.len() + 3);
    assert!(lines[2..lines.len() - 1].iter().all(|line| line.starts_with("option name ")));
    assert_eq!(gui.ask("isready", ""), "readyok");
    assert_eq!(gui.hang_up(), Vec::<String>::new());
}

/// The steps by which tournament managers check that an engine supports UCI.
#[test]
fn it_passes_the_steps_of_a_tournament_manager() {
    let gui = Gui::with_engine();
    gui.ask("uci", "uciok");
    let steps: [(&str, &[&str]); 7] = [
        ("ucinewgame", &[]),
        ("position startpos", &[]),
        (
            "position fen 3r2k1/p5n1/1pq1p2p/2p3p1/2P1P1n1/1P1P2pP/PN1Q2K1/5R2 w - - 0 27",
            &["go wtime 100"],
        ),
        (
            "position fen rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
            &[
                "go btime 100",
                "go wtime 100 winc 100 btime 100 binc 100",
                "go btime 100 binc 100 wtime 100 winc 100",
            ],
        ),
        ("ucinewgame", &[]),
        ("position startpos", &["go wtime 100 btime 100"]),
        ("position startpos moves e2e4 e7e5", &["go wtime 100 btime 100"]),
    ];
    for (step, searches) in steps {
        gui.send(step);
        assert_eq!(gui.ask("isready", ""), "readyok", "{step}");
        for search in searches {
            let game = line_of(step);
            gui.send(search);
            let mut lines = gui.wait_for("bestmove");
            check_best_move(&lines.pop().expect("the last line"), &game);
            assert!(!lines.is_empty(), "{step}, {search}");
            for line in &lines {
                check_info(line, &game);
            }
        }
    }
    assert_eq!(gui.hang_up(), Vec::<String>::new());
}

#[test]
fn an_infinite_search_answers_isready_and_waits_for_stop() {
    // One searcher is done at once, the other never: neither may answer before `stop`.
    for act in [hasty, patient] {
        let gui = Gui::with_actor(act);
        gui.send("go infinite");
        assert_eq!(gui.ask("isready", "ready"), "readyok");
        gui.send("ponderhit");
        assert!(!gui.listen(MOMENT).iter().any(|line| line.starts_with("bestmove")));
        gui.ask("stop", "bestmove");
        gui.send("stop");
        assert_eq!(gui.hang_up(), Vec::<String>::new());
    }
}

#[test]
fn pondering_ends_by_ponderhit_or_stop() {
    for end in ["ponderhit", "stop"] {
        let gui = Gui::with_actor(hasty);
        gui.send("go ponder wtime 1000 btime 1000");
        assert!(!gui.listen(MOMENT).iter().any(|line| line.starts_with("bestmove")));
        gui.ask(end, "bestmove");
        assert_eq!(gui.hang_up(), Vec::<String>::new());
    }
}

#[test]
fn after_a_ponderhit_the_searcher_decides() {
    let gui = Gui::with_actor(patient);
    gui.send("go ponder wtime 1000 btime 1000");
    gui.send("ponderhit");
    assert_eq!(gui.listen(MOMENT), Vec::<String>::new());
    gui.ask("stop", "bestmove");
}

#[test]
fn a_second_search_is_refused() {
    let gui = Gui::with_actor(patient);
    gui.send("go movetime 5");
    for second in ["go depth 1", "go perft 3"] {
        let answer = gui.ask(second, "info string");
        assert_eq!(answer, "info string error: a search is running; stop it first");
    }
    assert_eq!(gui.hang_up().iter().filter(|line| line.starts_with("bestmove")).count(), 1);
}

#[test]
fn a_search_right_after_stop_waits_for_the_first_to_end() {
    let gui = Gui::with_actor(patient);
    for _ in 0..20 {
        gui.send_bytes(b"go infinite\nstop\ngo infinite\nstop\n".to_vec());
        for _ in 0..2 {
            let lines = gui.wait_for("bestmove");
            assert!(!lines.iter().any(|line| line.contains("error")), "{lines:?}");
        }
    }
}

#[test]
fn what_needs_the_searcher_ends_the_search_first() {
    for command in ["setoption name Hash value 1", "ucinewgame", "setoption name Clear Hash"] {
        let gui = Gui::with_actor(patient);
        gui.send("go infinite");
        gui.ask(command, "bestmove");
        gui.send("go infinite");
        assert_eq!(gui.ask("isready", ""), "readyok", "{command}");
        assert!(gui.hang_up().iter().any(|line| line.starts_with("bestmove")));
    }
}

#[test]
fn a_position_during_a_search_is_for_the_next_one() {
    let gui = Gui::with_actor(patient);
    gui.send("go infinite searchmoves e2e4");
    gui.send("position startpos moves d2d4");
    assert_eq!(gui.ask("stop", "bestmove"), "bestmove e2e4");
    gui.send("go infinite searchmoves d7d5");
    assert_eq!(gui.ask("stop", "bestmove"), "bestmove d7d5");
}

#[test]
fn who_has_read_the_answer_may_ask_again_at_once() {
    let gui = Gui::with_actor(hasty);
    for _ in 0..500 {
        gui.send("go depth 1");
        let lines = gui.wait_for("bestmove");
        assert!(!lines.iter().any(|line| line.contains("error")), "{lines:?}");
    }
}

#[test]
fn a_bad_move_is_named_and_the_position_stays() {
    let gui = Gui::with_engine();
    gui.send("position startpos moves e2e4");
    for (moves, answer) in [
        ("e2e4 e7e5 e1e3", "info string error: move 3, e1e3, is not legal in "),
        ("e2e4 castle", "info string error: move 2, `castle`, is not a move such as e2e4"),
    ] {
        let told = gui.ask(&format!("position startpos moves {moves}"), "info string");
        assert!(told.starts_with(answer), "{told}");
    }
    gui.ask("position fen 8/8/8/8/8/8/8/8 w - - 0 1", "info string error: invalid FEN `8/8/");
    let fen = gui.ask("d", "FEN: ");
    assert_eq!(fen, "FEN: rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
}

#[test]
fn quit_and_the_end_of_input_end_a_search_with_its_answer() {
    for act in [hasty, patient] {
        for search in ["go infinite", "go ponder", "go depth 99"] {
            for last in ["quit", "quit\ngo depth 1", ""] {
                let gui = Gui::with_actor(act);
                gui.send(search);
                gui.send(last);
                let count = gui.hang_up().iter().filter(|line| line.starts_with("best")).count();
                assert_eq!(count, 1, "{search}, {last}");
            }
        }
    }
}

#[test]
fn a_search_that_fails_gives_a_legal_move_and_the_next_one_works() {
    let gui = Gui::with_actor(clumsy);
    for _ in 0..2 {
        gui.send("go depth 3 searchmoves g1f3");
        let lines = gui.wait_for("bestmove");
        let told = "info string error: the search failed: a piece fell from the board";
        assert!(lines.iter().any(|line| line == told), "{lines:?}");
        assert_eq!(lines.last().map(String::as_str), Some("bestmove g1f3"));
    }
    gui.send("go infinite");
    gui.wait_for("info string error");
    assert_eq!(gui.listen(MOMENT), Vec::<String>::new());
    gui.ask("stop", "bestmove");
}

#[test]
fn a_finished_game_has_no_best_move() {
    let gui = Gui::with_engine();
    for (fen, score) in [
        ("r1bqkb1r/pppp1Qpp/2n2n2/4p3/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 0 4", "mate 0"),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "cp 0"),
    ] {
        gui.send(&format!("position fen {fen}"));
        gui.send("go depth 5");
        let lines = gui.wait_for("bestmove");
        assert_eq!(lines, [format!("info depth 0 score {score}"), "bestmove (none)".to_owned()]);
    }
    gui.send("go infinite");
    assert_eq!(gui.listen(MOMENT), ["info depth 0 score cp 0"]);
    assert_eq!(gui.ask("stop", ""), "bestmove (none)");
}

#[test]
fn a_game_of_two_thousand_plies_is_played_on() {
    let gui = Gui::with_engine();
    let position = format!("position startpos moves{}", " g1f3 g8f6 f3g1 f6g8".repeat(500));
    gui.send(&position);
    let fen = gui.ask("d", "FEN: ");
    assert!(fen.ends_with(" w KQkq - 2000 1001"), "{fen}");
    gui.send("go nodes 100");
    let best = gui.wait_for("bestmove").pop().expect("the last line");
    check_best_move(&best, &line_of(&position));
}

#[test]
fn a_position_with_218_moves_is_searched() {
    let gui = Gui::with_engine();
    let position = "position fen R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1";
    gui.send(position);
    gui.send("go perft 1");
    let lines = gui.wait_for("Nodes searched");
    assert_eq!((lines.len(), lines[219].as_str()), (220, "Nodes searched: 218"));
    gui.send("setoption name MultiPV value 256");
    gui.send("go depth 1");
    let best = gui.wait_for("bestmove").pop().expect("the last line");
    check_best_move(&best, &line_of(position));
}

#[test]
fn garbage_is_reported_and_survived() {
    let gui = Gui::with_engine();
    let bytes: Vec<u8> = (0..10_000_u32).map(|i| ((i * 7919) >> 3) as u8).collect();
    gui.send_bytes(bytes);
    gui.send_bytes(b"\n\0\0\xff\xfe go\xc3 \n".to_vec());
    gui.send(&"x".repeat(3 << 20));
    gui.send("\n\n  \t");
    let lines = {
        gui.send("isready");
        gui.wait_for("readyok")
    };
    assert!(lines[..lines.len() - 1].iter().all(|line| line.starts_with("info string error: ")));
    assert!(lines.contains(&"info string error: the line is too long".to_owned()), "{lines:?}");
    assert_eq!(gui.hang_up(), Vec::<String>::new());
}

#[test]
fn castling_is_written_as_the_game_needs_it() {
    let gui = Gui::with_actor(hasty);
    let castle = |setup: &[&str], m: &str| {
        for line in setup {
            gui.send(line);
        }
        gui.send(&format!("go depth 1 searchmoves {m}"));
        let lines = gui.wait_for("bestmove");
        let info = lines.iter().find(|line| line.contains(" pv ")).expect("an info line");
        let best = lines.last().expect("a line")["bestmove ".len()..].to_owned();
        assert!(info.ends_with(&format!(" pv {best}")), "{info}, {best}");
        best
    };
    let standard = "position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    assert_eq!(castle(&[standard], "e1g1"), "e1g1");
    assert_eq!(castle(&[], "e1h1"), "e1g1");
    // The start position decides, even if only Black still has castling rights.
    let other = "position fen 1r2k2r/8/8/8/8/8/8/1R2K2R w KQkq - 0 1";
    assert_eq!(castle(&[other], "e1h1"), "e1h1");
    assert_eq!(castle(&["setoption name UCI_Chess960 value true", standard], "e1g1"), "e1h1");
}

#[test]
fn hash_that_is_not_to_be_had_is_forgotten() {
    let gui = Gui::with_actor(hasty);
    gui.send("debug on");
    for hash in [64, 4096] {
        let told = gui.ask(&format!("setoption name Hash value {hash}"), "info string");
        assert_eq!(told, "info string Hash is 64");
    }
    assert_eq!(gui.hang_up(), Vec::<String>::new());
}

#[test]
fn options_are_set_or_refused_with_the_range() {
    let gui = Gui::with_actor(hasty);
    for (line, answer) in [
        ("setoption name Hash value 0", "invalid value 0 for Hash: allowed are 1 to 1048576"),
        ("setoption name hash value", "invalid value empty for Hash: allowed are 1 to 1048576"),
        ("setoption name Hash", "Hash needs a value: 1 to 1048576"),
        (
            "setoption name Ponder value yes",
            "invalid value yes for Ponder: allowed are true and false",
        ),
        ("setoption name Strength value 9", "unknown option `Strength`"),
        ("setoption name Number value 9", "unknown option `Number`"),
    ] {
        assert_eq!(gui.ask(line, ""), format!("info string error: {answer}"), "{line}");
    }
    // A book is opened only when it is used.
    gui.send("setoption name BookFile value /no such.bin");
    let told = gui.ask("setoption name OwnBook value true", "");
    assert_eq!(told, "info string error: /no such.bin is unreadable");
    gui.send("setoption name BookFile value <empty>");
    gui.send("debug on");
    assert_eq!(gui.ask("setoption name threads value 2", ""), "info string Threads is 2");
    assert_eq!(gui.ask("setoption name clear hash", ""), "info string Clear Hash is done");
}

#[test]
fn what_it_starts_with_is_the_default() {
    let gui = Gui::new(|output| {
        let settings = Settings { hash: 64, ponder: true, ..Settings::default() };
        Session::new(Engine::default, settings, output)
    });
    gui.send("setoption name Hash value 2");
    gui.send("uci");
    let lines = gui.wait_for("uciok");
    for line in [
        "option name Hash type spin default 64 min 1 max 1048576",
        "option name Ponder type check default true",
    ] {
        assert!(lines.iter().any(|told| told == line), "{lines:#?}");
    }
}

#[test]
fn a_tuner_can_set_the_numbers_inside() {
    let gui = Gui::new(|output| {
        let make = || gui::Actor::new(hasty, 7);
        Session::new(make, Settings::default(), output).tuning(true)
    });
    let line = gui.ask("uci", "option name Number");
    assert_eq!(line, "option name Number type spin default 7 min -5 max 10");
    let refused = "info string error: invalid value 11 for Number: allowed are -5 to 10";
    gui.wait_for("uciok");
    assert_eq!(gui.ask("setoption name number value 11", ""), refused);
    gui.send("setoption name number value -3");
    let line = gui.ask("uci", "option name Number");
    assert_eq!(line, "option name Number type spin default -3 min -5 max 10");
}

#[test]
fn the_engine_lets_itself_be_tuned() {
    let gui =
        Gui::new(|output| Session::new(Engine::default, Settings::default(), output).tuning(true));
    for param in engine::Params::TABLE {
        let name = param.name;
        let refused = gui.ask(&format!("setoption name {name} value {}", param.max + 1), "");
        let expected = format!("info string error: invalid value {} for {name}: ", param.max + 1);
        assert!(refused.starts_with(&expected), "{refused}");
        gui.send(&format!("setoption name {name} value {}", param.max));
    }
    assert_eq!(gui.ask("isready", ""), "readyok");
}

#[test]
fn the_position_is_shown_explained_and_counted() {
    let gui = Gui::with_engine();
    gui.send("d");
    let lines = gui.wait_for("Key: ");
    let diagram = Position::default().diagram();
    assert_eq!(lines[..9], diagram.lines().collect::<Vec<_>>());
    assert!(!gui.ask("eval", "").is_empty());
    gui.send("go perft 3");
    let lines = gui.wait_for("Nodes searched");
    assert_eq!(lines.last().map(String::as_str), Some("Nodes searched: 8902"));
    assert!(lines.contains(&"e2e4: 600".to_owned()), "{lines:?}");
    gui.send("go perft 60");
    gui.send("stop");
    assert_eq!(gui.hang_up(), ["info string perft was stopped"]);
}

#[test]
fn a_new_game_repeats_a_search_node_by_node() {
    let gui = Gui::with_engine();
    let search = |nodes: u32| {
        gui.send("ucinewgame");
        gui.send("position startpos moves e2e4 c7c5 g1f3");
        gui.send(&format!("go nodes {nodes}"));
        // Leave out what depends on the clock.
        let mut lines = gui.wait_for("bestmove");
        for line in &mut lines {
            let words: Vec<&str> = line.split(' ').collect();
            let timed = |i: usize| i > 0 && ["nps", "time"].contains(&words[i - 1]);
            *line = (0..words.len()).filter(|&i| !timed(i)).map(|i| words[i]).collect();
        }
        lines
    };
    for nodes in (1..=20).map(|i| i * 321) {
        assert_eq!(search(nodes), search(nodes), "{nodes}");
    }
}

#[test]
fn a_bench_counts_the_same_nodes_each_time() {
    let gui = Gui::with_engine();
    let mut counts = Vec::new();
    for _ in 0..2 {
        gui.send("bench 2");
        let lines: Vec<String> = (0..=engine::bench::POSITIONS.len())
            .map(|_| gui.wait_for("").pop().expect("a line"))
            .collect();
        let total = lines.last().expect("a line");
        let (nodes, speed) = total.split_once(" nodes ").expect(total);
        assert!(speed.ends_with(" nps"), "{total}");
        counts.push(nodes.parse::<u64>().expect(total));
        let sum: u64 = lines[..lines.len() - 1]
            .iter()
            .map(|line| line.trim().split(' ').next().expect(line).parse::<u64>().expect(line))
            .sum();
        assert_eq!(Some(&sum), counts.last());
    }
    assert_eq!(counts[0], counts[1]);
}

#[test]
fn a_search_ends_when_nobody_listens() {
    struct Closed;
    impl Write for Closed {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::BrokenPipe.into())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let make = || gui::Actor::new(patient, 0);
    let session = Session::new(make, Settings::default(), Closed);
    let error = session.run(&b"go infinite\nisready\nisready\n"[..]).expect_err("a broken pipe");
    assert_eq!(error.kind(), io::ErrorKind::BrokenPipe);
}
