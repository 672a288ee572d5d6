//! `riga library` as its users see it; a build that is killed leaves the library as it was.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use library::sample::Sample;
use serde_json::Value;

fn riga(arguments: &[&str], folder: &Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_riga"));
    command.arg("library").args(arguments).current_dir(folder).output().expect("riga runs")
}

fn text(arguments: &[&str], folder: &Path) -> String {
    let output = riga(arguments, folder);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

fn json(arguments: &[&str], folder: &Path) -> Value {
    serde_json::from_str(&text(arguments, folder)).expect("JSON")
}

fn games(folder: &Path, name: &str, seed: u64, count: u64) {
    let mut file = std::fs::File::create(folder.join(name)).expect("created");
    Sample::new(seed, count).write(0..count, &mut file).expect("written");
}

#[test]
fn games_are_added_explored_exported_deleted_and_merged() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    games(folder, "a.pgn", 1, 300);
    games(folder, "b.pgn", 2, 200);
    let added = json(&["add", "lib", "a.pgn", "--json"], folder);
    assert_eq!((&added["added"], &added["rejected"]), (&300.into(), &0.into()));
    assert!(text(&["add", "lib", "b.pgn", "a.pgn"], folder).starts_with("500 games added"));
    let explored = json(&["explore", "lib", "--json", "--games", "3", "--result", "1-0"], folder);
    assert_eq!(explored["total"]["games"], explored["total"]["white"]);
    assert_eq!(explored["games"].as_array().map(Vec::len), Some(3));
    assert!(explored["moves"][0]["san"].is_string());
    assert!(text(&["explore", "lib"], folder).starts_with("800 games"));
    assert_eq!(text(&["merge", "lib", "--all"], folder), "1 segment, 800 games\n");
    let deleted = text(&["delete", "lib", "--duplicates"], folder);
    assert_eq!(deleted, "300 games deleted, 500 games left\n");
    assert!(text(&["check", "lib"], folder).starts_with("sound: 800 games"));
    assert!(text(&["export", "lib", "-o", "out.pgn"], folder).starts_with("500 games"));
    assert_eq!(json(&["add", "again", "out.pgn", "--json"], folder)["added"], 500);
    let list = json(&["list", "lib", "--json"], folder);
    assert_eq!((&list["games"], &list["segments"][0]["deleted"]), (&500.into(), &300.into()));
    assert!(text(&["list", "lib"], folder).contains("bytes a game"));
}

#[test]
fn mistakes_are_explained() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    games(folder, "a.pgn", 1, 10);
    text(&["add", "lib", "a.pgn"], folder);
    for (arguments, words) in [
        (&["list", "nothing"][..], "there is no library in nothing"),
        (&["add", "lib", "nothing.pgn"], "nothing.pgn"),
        (&["explore", "lib", "x"], "FEN"),
        (&["explore", "lib", "--from", "soon"], "2024.05.31"),
        (&["delete", "lib"], "--duplicates"),
        (&["delete", "lib", "1-99"], "there is no game 1-99"),
        (&["delete", "lib", "99"], "3-1234"),
        (&["bench"], "--generate"),
    ] {
        let output = riga(arguments, folder);
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && error.contains(words), "{arguments:?}: {error}");
    }
}

#[test]
fn a_killed_build_leaves_the_library_as_it_was() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    games(folder, "a.pgn", 1, 100);
    text(&["add", "lib", "a.pgn"], folder);
    let mut pgn = Vec::new();
    Sample::new(3, 3000).write(0..3000, &mut pgn).expect("memory takes all");
    for part in [1, 3, 5] {
        // The input never ends, so the build is killed in the middle.
        let mut child = Command::new(env!("CARGO_BIN_EXE_riga"))
            .args(["library", "add", "lib", "-"])
            .current_dir(folder)
            .stdin(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("riga runs");
        let mut input = child.stdin.take().expect("a pipe");
        input.write_all(&pgn[..pgn.len() * part / 5]).expect("riga reads");
        let busy = riga(&["add", "lib", "a.pgn"], folder);
        assert!(String::from_utf8_lossy(&busy.stderr).contains("another process is changing"));
        child.kill().expect("killed");
        child.wait().expect("gone");
        assert!(folder.join("lib/building-2").exists());
        assert_eq!(json(&["list", "lib", "--json"], folder)["games"], 100);
        assert!(!folder.join("lib/building-2").exists());
    }
    text(&["check", "lib", "--step", "1"], folder);
}

#[test]
fn the_bench_measures_a_small_library() {
    let folder = tempfile::tempdir().expect("a folder");
    let arguments = ["bench", "--generate", "500", "--positions", "50", "--no-scid"];
    let report = json(&[&arguments[..], &["--json"]].concat(), folder.path());
    assert_eq!(report["games"], 500);
    assert!(report["explorer"]["p99_ms"].as_f64().is_some_and(|ms| ms > 0.0));
    assert!(text(&arguments, folder.path()).contains("filtered explorer, p99 ms"));
}
