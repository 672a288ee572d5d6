//! `riga book` from a user's side.

use std::path::PathBuf;
use std::process::{Command, Output};

use serde_json::Value;

fn riga(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_riga")).args(args).output().expect("the binary runs")
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("text")
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("text")
}

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).expect("JSON")
}

fn temporary(name: &str) -> (PathBuf, String) {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let text = path.to_str().expect("a path of plain text").to_owned();
    (path, text)
}

#[test]
fn the_book_inside_knows_the_first_moves() {
    let output = riga(&["book", "probe"]);
    assert_eq!(output.status.code(), Some(0));
    assert!(stdout(&output).starts_with("e4 "), "{}", stdout(&output));
    let first = json(&riga(&["book", "probe", "--json"]));
    let moves = first["moves"].as_array().expect("a list");
    assert!(moves.len() >= 4);
    assert_eq!(moves[0]["uci"], "e2e4");

    let stat = json(&riga(&["book", "stat", "--json"]));
    assert_eq!(stat["entries"], stat["moves"]);
    assert_eq!(stat["positions"], stat["reached"]);
    assert!(stdout(&riga(&["book", "stat"])).contains(" entries for "));

    let output = riga(&["book", "probe", "8/8/8/4k3/8/8/8/KR6", "w", "-", "-"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stdout(&output).contains("not in the book"), "{}", stdout(&output));
}

#[test]
fn a_book_from_a_library_is_that_of_its_games() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("plain text").to_owned();
    let (games, library) = (path("games.pgn"), path("library"));
    let mut file = std::fs::File::create(&games).expect("a file");
    library::sample::Sample::new(5, 400).write(0..400, &mut file).expect("written");
    assert!(riga(&["library", "add", &library, &games]).status.success());
    for scoring in ["points", "games"] {
        let build = |from: &str, name: &str, out: &str| {
            let options = ["--plies", "12", "--min-games", "4", "--scoring", scoring];
            let output =
                riga(&[&["book", "build", from, name, "--out", out], &options[..]].concat());
            assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
            std::fs::read(out).expect("a book")
        };
        let by_games = build("--pgn", &games, &path("a.bin"));
        let by_library = build("--library", &library, &path("b.bin"));
        // Positions reached by rare moves alone can't be found from the start.
        let reach = |name: &str| json(&riga(&["book", "stat", "--json", "--book", &path(name)]));
        let (first, second) = (reach("a.bin"), reach("b.bin"));
        assert_eq!(first["reached"], second["reached"]);
        assert_eq!(first["moves"], second["moves"]);
        assert!(by_library.len() > 300 && by_library.len() <= by_games.len());
    }
    let strong = ["--min-rating", "9000", "--out", &path("c.bin")];
    let none = riga(&[&["book", "build", "--library", &library], &strong[..]].concat());
    assert!(!none.status.success() && stderr(&none).contains("nothing to write"));
    let without = riga(&[&["book", "build", "--pgn", &games], &strong[..]].concat());
    assert!(!without.status.success() && stderr(&without).contains("need --library"));
}

#[test]
fn a_book_is_built_from_games() {
    let (games, games_name) = temporary("built.pgn");
    let (_, book_name) = temporary("built.bin");
    let text = "1. e4 e5 2. Nf3 (2. f4 exf4) 1-0\n\n1. e4 c5 1/2-1/2\n\n1. e4 e5 0-1\n\n\
                1. d4 d5 1-0\n\n1. c4 Ke6 1/2-1/2\n\n1. d5 1-0\n\n1. f4 *\n";
    std::fs::write(&games, text).expect("a temporary file");
    let build = ["book", "build", "--pgn", &games_name, "--out", &book_name, "--min-games", "2"];
    let output = riga(&build);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(
        stdout(&output).contains("5 games, 1 more without a result, 1 with warnings, 1 rejected")
    );
    let moves = |fen: &str| json(&riga(&["book", "probe", "--json", "--book", &book_name, fen]));
    let start = moves("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    assert_eq!(start["moves"].as_array().map(Vec::len), Some(1));
    // One win, one draw and one loss.
    assert_eq!(
        (&start["moves"][0]["san"], &start["moves"][0]["weight"]),
        (&"e4".into(), &3.into())
    );
    let reply = moves("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
    assert_eq!(reply["moves"][0]["weight"], 2);

    let output =
        riga(&[&build[..6], &["--plies", "1", "--min-games", "1", "--scoring", "games"]].concat());
    assert!(stdout(&output).contains("3 moves of 1 positions"), "{}", stdout(&output));
    let output = riga(&[&build[..6], &["--min-games", "9"]].concat());
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("no move has enough games"), "{}", stderr(&output));
}

#[test]
fn a_book_is_built_from_lines() {
    let (lines, lines_name) = temporary("lines.txt");
    let (_, book_name) = temporary("lines.bin");
    std::fs::write(&lines, "3: e4 e5 # open\nd4 d5\n").expect("a temporary file");
    let build = ["book", "build", "--lines", &lines_name, "--out", &book_name];
    assert!(stdout(&riga(&build)).contains("4 moves of 3 positions"));
    std::fs::write(&lines, "e4 e4\n").expect("a temporary file");
    let output = riga(&build);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("line 1: e4: not a legal move here"), "{}", stderr(&output));
    assert_eq!(riga(&["book", "build", "--out", &book_name]).status.code(), Some(2));
}

#[test]
fn what_is_no_book_is_refused() {
    let (file, name) = temporary("no-book.bin");
    std::fs::write(&file, "not a book").expect("a temporary file");
    for command in ["probe", "stat"] {
        let output = riga(&["book", command, "--book", &name]);
        assert_eq!(output.status.code(), Some(1));
        assert!(
            stderr(&output).contains("no-book.bin: not a Polyglot book"),
            "{}",
            stderr(&output)
        );
    }
    let output = riga(&["book", "probe", "nonsense"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).starts_with("error: FEN: "), "{}", stderr(&output));
}
