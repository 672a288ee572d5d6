//! `riga tb` from a user's side.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

fn riga(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_riga")).args(args).output().expect("the binary runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("text")
}

fn tables() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/tablebases");
    let complete = path.join("complete").is_file();
    assert!(complete, "the endgame tables for tests are missing. Type: make tables");
    path.to_str().expect("a path of plain text").to_owned()
}

#[test]
fn a_position_gets_its_verdict_and_every_move_its_own() {
    let fen = "8/4k3/8/4K3/4P3/8/8/8 b - - 0 1";
    let output = riga(&["tb", fen, "--path", &tables()]);
    let table = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(table.contains("Black to move loses\n"), "{table}");
    assert_eq!(table.matches("loss").count(), 5, "{table}");

    let output = riga(&["tb", "--json", "--path", &tables(), "8/4k3/8/4K3/4P3/8/8/8 w - -"]);
    let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!((&report["wdl"], &report["dtz"]), (&"draw".into(), &0.into()));
    assert_eq!(report["moves"].as_array().map(Vec::len), Some(4));
    assert_eq!(report["tables"]["men"], 4);
}

#[test]
fn what_tables_cannot_say_is_an_error() {
    for (fen, reason) in [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "32 pieces on the board"),
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "castling"),
        ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "the game is over"),
        ("8/8/8/8/8/8/8/8 w - - 0 1", "FEN: White has no king"),
    ] {
        let output = riga(&["tb", fen, "--path", &tables()]);
        assert_eq!(output.status.code(), Some(1), "{fen}");
        assert!(text(&output.stderr).contains(reason), "{}", text(&output.stderr));
    }
    let output = riga(&["tb", "8/8/8/4k3/8/8/8/KR6 w - - 0 1", "--path", "no-such-directory"]);
    assert_eq!(output.status.code(), Some(1));
    let errors = text(&output.stderr);
    assert!(errors.contains("warning: tablebases in no-such-directory: "), "{errors}");
    assert!(errors.contains("error: no tablebases in no-such-directory"), "{errors}");
}
