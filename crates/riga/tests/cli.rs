//! The command line from a user's side.

use std::io::Write;
use std::process::{Command, Output, Stdio};

fn riga(args: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_riga"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    // A command that doesn't read its input may have exited already.
    let _ = child.stdin.take().expect("a pipe").write_all(input.as_bytes());
    child.wait_with_output().expect("the binary ends")
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("text")
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("text")
}

#[test]
fn perft_counts_and_divides() {
    let output = riga(&["perft", "4"], "");
    assert!(stdout(&output).starts_with("197,281 leaves at depth 4 in "), "{}", stdout(&output));

    let kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    let output = riga(&["perft", "--fen", kiwipete, "--divide", "--threads", "2", "3"], "");
    let text = stdout(&output);
    assert!(text.contains("e1g1: 2059\n"), "{text}");
    assert!(text.contains("97,862 leaves"), "{text}");
    let output = riga(&["perft", "--fen", kiwipete, "--chess960", "--divide", "1"], "");
    assert!(stdout(&output).contains("e1h1: 1\n"));

    let output = riga(&["perft", "--json", "0"], "");
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(report["leaves"], 1);
}

#[test]
fn perft_refuses_what_it_cannot_count() {
    let output = riga(&["perft", "--fen", "8/8/8/8/8/8/8/8 w - - 0 1", "3"], "");
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(stderr(&output), "error: --fen: White has no king\n");
    assert_eq!(riga(&["perft"], "").status.code(), Some(2));
    assert_eq!(riga(&["perft", "deep"], "").status.code(), Some(2));
    assert_eq!(riga(&["perft", "1", "--threads", "513"], "").status.code(), Some(2));
}

#[test]
fn a_perft_suite_names_the_wrong_counts() {
    let path = std::env::temp_dir().join(format!("riga-suite-{}.epd", std::process::id()));
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    std::fs::write(&path, format!("{start} ;D1 20 ;D2 400 ;D3 8902\n\n{start} ;D1 21\n"))
        .expect("a temporary file");
    let name = path.to_str().expect("a path of plain text");
    let output = riga(&["perft", "--suite", name, "2"], "");
    let text = stdout(&output);
    assert_eq!(output.status.code(), Some(1));
    assert!(text.contains("line 3, depth 1: 20 instead of 21"), "{text}");
    assert!(text.contains("2 positions, 2 counts right, 1 wrong"), "{text}");
    std::fs::write(&path, format!("{start} ;D 20\n")).expect("a temporary file");
    assert!(stderr(&riga(&["perft", "--suite", name], "")).contains("line 1"));
    std::fs::remove_file(&path).expect("the file is there");
}

/// One bad line must not make the whole file useless.
#[test]
fn a_suite_leaves_out_bad_lines_and_says_so() {
    let path = std::env::temp_dir().join(format!("riga-exercises-{}.epd", std::process::id()));
    let good = "7k/8/5K2/8/8/8/8/6Q1 w - - dm 1;";
    let long = "5rkr/pp2Rp2/1b1p1Pb1/3P2Q1/2n3P1/2p5/P4P2/4R1K1 w - - dm 1; id \"takes two\";";
    let bytes = [good.as_bytes(), b"\nnonsense\n", long.as_bytes(), b" c0 \"caf\xe9\";\n"].concat();
    std::fs::write(&path, bytes).expect("a temporary file");
    let name = path.to_str().expect("a path of plain text");

    let output = riga(&["suite", name, "--depth", "6"], "");
    assert_eq!(output.status.code(), Some(1));
    let (told, text) = (stderr(&output), stdout(&output));
    assert!(told.contains(&format!("{name}:2: ")), "{told}");
    assert!(text.contains("missed takes two "), "{text}");
    assert!(text.contains("1 of 2 solved, 0 false mate lines, "), "{text}");
    assert!(text.ends_with(" nodes, 1 bad line left out\n"), "{text}");

    let output = riga(&["suite", name, "--depth", "6", "--json"], "");
    assert_eq!(output.status.code(), Some(1));
    let report: serde_json::Value = serde_json::from_str(&stdout(&output)).expect("JSON");
    assert_eq!((&report["positions"], &report["solved"]), (&2.into(), &1.into()));
    assert_eq!(report["bad_lines"][0]["line"], 2);

    std::fs::write(&path, format!("{good}\n")).expect("a temporary file");
    let output = riga(&["suite", name, "--depth", "6"], "");
    assert_eq!(output.status.code(), Some(0));
    assert!(stdout(&output).starts_with("1 of 1 solved"), "{}", stdout(&output));
    std::fs::remove_file(&path).expect("the file is there");
}

#[test]
fn a_suite_refuses_searches_of_nothing() {
    for (name, allowed) in [
        ("--nodes", "1 to 18446744073709551615"),
        ("--depth", "1 to 4294967295"),
        ("--time-ms", "1 to 86400000"),
        ("--jobs", "1 to 512"),
    ] {
        let output = riga(&["suite", "any.epd", name, "0"], "");
        assert_eq!(output.status.code(), Some(2), "{name}");
        let told = stderr(&output);
        assert!(
            told.contains(name) && told.contains(&format!("allowed are {allowed}\n")),
            "{told}"
        );
    }
}

#[test]
fn fen_explains_a_position_or_says_what_is_wrong() {
    let output = riga(&["fen", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR", "w", "KQkq"], "");
    let text = stdout(&output);
    assert_eq!(output.status.code(), Some(0));
    let wrong = riga(&["fen", "8/\x1b[31m/8"], "");
    assert!(!wrong.stdout.contains(&0x1b) && !wrong.stderr.contains(&0x1b), "{wrong:?}");
    for line in ["position 518", "KQRRBBNN8P", "20: Na3", "Polyglot 463b96181691fc9c"] {
        assert!(text.contains(line), "{line} is missing in\n{text}");
    }
    let output = riga(&["fen"], "k7/8/8/8/8/8/8/K7\n\n k7/8/8/8/8/8/8/8 w\n");
    assert_eq!(output.status.code(), Some(1));
    assert!(stdout(&output).ends_with("k7/8/8/8/8/8/8/8 w: White has no king\n"));
    let output = riga(&["fen", "--json"], "k7/8/8/8/8/8/8/K7\nnonsense\n");
    let reports: Vec<serde_json::Value> =
        stdout(&output).lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(reports.len(), 2);
    assert_eq!((&reports[0]["legal"], &reports[1]["legal"]), (&true.into(), &false.into()));
}

#[test]
fn pgn_check_reports_damage_by_line() {
    let games = "[White \"A\"]\n\n1. e4 e5 (1... c5 {Sicilian}) 1-0\n\n[White \"B\"]\n\n1. e4\ne4 *\n\n\
                 [FEN \"8\"]\n\n1. e4 *\n";
    let output = riga(&["pgn", "check", "-"], games);
    let text = stdout(&output);
    assert_eq!(output.status.code(), Some(1));
    assert!(text.contains("  game 2, line 8: 1... e4: not a legal move here\n"), "{text}");
    assert!(
        text.contains("  game 3, line 10: the FEN tag is wrong: a board has 8 ranks"),
        "{text}"
    );
    assert!(text.contains("but this one has 1 (rejected)\n"), "{text}");
    assert!(text.contains("1 valid game, 1 with warnings, 1 rejected"), "{text}");
    assert!(text.contains("3 moves, 1 more in 1 variation, 1 comment"), "{text}");

    let output = riga(&["pgn", "check", "--json", "-"], games);
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let counts = ["games", "remarked", "lost"].map(|name| report[name].as_u64());
    assert_eq!(counts, [Some(2), Some(1), Some(1)]);
    assert_eq!(
        (&report["remarks"][0]["line"], &report["losses"][0]["line"]),
        (&8.into(), &10.into())
    );

    let output = riga(&["pgn", "check", "--json", "-"], "1. d4 d5 *");
    assert_eq!(output.status.code(), Some(0));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!((&report["games"], &report["moves"]), (&1.into(), &2.into()));

    let output = riga(&["pgn", "check", "no-such-file.pgn"], "");
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).starts_with("error: no-such-file.pgn: "), "{}", stderr(&output));
}

#[test]
fn completions_name_the_commands() {
    let output = riga(&["completions", "bash"], "");
    assert!(stdout(&output).contains("perft"));
}

#[test]
fn a_cause_is_told_once() {
    let engines = ["--engine", "self", "--engine", "self", "--depth", "1", "--games", "2"];
    let run = |more: &[&str]| stderr(&riga(&[&["match"], &engines[..], more].concat(), ""));
    for told in [
        run(&["--openings", "/no/such.epd"]),
        run(&["--pgn", "/no/such/games.pgn"]),
        run(&["--state", "/no/such/match.json"]),
        stderr(&riga(&["lab", "merge", "/no/such.rdata", "--out", "/no/such/out"], "")),
        stderr(&riga(&["suite", "/no/such.epd"], "")),
    ] {
        assert_eq!(told.matches("os error").count(), 1, "{told}");
    }
}
