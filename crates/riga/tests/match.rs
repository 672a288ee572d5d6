//! `riga match` from a user's side.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::Value;

fn riga() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_riga"));
    command.arg("match");
    command
}

fn run(arguments: &[&str]) -> Output {
    riga().args(arguments).output().expect("riga runs")
}

fn json(output: &Output) -> Value {
    let text = String::from_utf8_lossy(&output.stdout);
    serde_json::from_str(&text).unwrap_or_else(|error| {
        panic!("{error}: {text}{}", String::from_utf8_lossy(&output.stderr))
    })
}

const OWN: [&str; 6] =
    ["--engine", "self", "--engine", "cmd=self,depth=2,name=deeper", "--depth", "1"];

#[test]
fn a_match_ends_with_a_table() {
    let output = run(&[&OWN[..], &["--games", "4", "--max-plies", "40", "-c", "2"]].concat());
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    for part in ["engine", "Riga", "deeper", "Riga - deeper: +", "pairs ["] {
        assert!(text.contains(part), "{part} in {text}");
    }
}

#[test]
fn a_program_can_read_the_table() {
    let output = run(&[&OWN[..], &["--games", "2", "--max-plies", "40", "--json"]].concat());
    let table = json(&output);
    assert_eq!((&table["end"], &table["games"]), (&"finished".into(), &2.into()));
    assert_eq!(table["engines"][1]["name"], "deeper");
    assert_eq!(table["pairings"][0]["pairs"].as_array().map(Vec::len), Some(5));
}

#[test]
fn wrong_usage_and_missing_engines_are_told() {
    for (arguments, code, part) in [
        (&["--engine", "self", "--engine", "self"][..], 2, "no limit"),
        (&["--engine", "self", "--depth", "1"], 2, "at least two engines"),
        (
            &["--engine", "self", "--engine", "self", "--depth", "1", "--games", "3"],
            2,
            "must be even",
        ),
        (&["--engine", "self", "--engine", "self", "--tc", "x"], 2, "x"),
        (&["-e", "self"], 2, "at least two engines"),
        (
            &["--engine", "self", "--engine", "/no/engine", "--depth", "1"],
            1,
            "can't start `/no/engine`",
        ),
        (
            &["--engine", "self", "--engine", "self", "--depth", "1", "--openings", "/no/file"],
            1,
            "/no/file",
        ),
        (
            &["--engine", "self", "--engine", "self", "--depth", "1", "--draw", "x=1"],
            2,
            "movenumber",
        ),
        (
            &["--engine", "self", "--engine", "self", "--depth", "1", "--sprt", "elo0=9"],
            2,
            "less than",
        ),
        (&["--depth", "1"], 2, "--engine"),
    ] {
        let output = run(arguments);
        let text = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {text}");
        assert!(text.contains(part), "{part} in {text}");
    }
}

/// More games than can finish during a test.
const ENDLESS: usize = 1_000_000;

/// Starts a match and returns it once some pairs of games are on disk.
fn long_match(folder: &Path, games: usize, more: &[&str]) -> std::process::Child {
    let state = folder.join("match.json");
    let child = riga()
        .args(OWN)
        .args([
            "--games",
            &games.to_string(),
            "--max-plies",
            "30",
            "--json",
            "-c",
            "2",
            "--report-every",
            "0",
        ])
        .args(["--pgn".as_ref(), folder.join("games.pgn").as_os_str()])
        .args(["--state".as_ref(), state.as_os_str()])
        .args(more)
        .stdout(Stdio::piped())
        .spawn()
        .expect("riga runs");
    let began = Instant::now();
    while fs::metadata(&state).map_or(0, |data| data.len()) < 1000 {
        assert!(began.elapsed() < Duration::from_mins(1), "nothing is played");
        sleep(Duration::from_millis(5));
    }
    child
}

fn games_in(folder: &Path) -> usize {
    let pgn = fs::read_to_string(folder.join("games.pgn")).expect("the games");
    pgn.matches("[Event ").count()
}

#[test]
fn a_match_that_was_killed_goes_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut child = long_match(folder.path(), ENDLESS, &[]);
    child.kill().expect("it runs");
    child.wait().expect("it ends");
    let state = fs::read_to_string(folder.path().join("match.json")).expect("the state");
    let before = serde_json::from_str::<Value>(&state).expect("whole")["pairs"]
        .as_array()
        .map_or(0, Vec::len);
    assert!(before > 0);

    let again = run(&[
        "--engine",
        "self",
        "--engine",
        "self",
        "--depth",
        "1",
        "--state",
        folder.path().join("match.json").to_str().expect("text"),
    ]);
    assert!(String::from_utf8_lossy(&again.stderr).contains("--resume"));

    let games = (before + 10) * 2;
    let output =
        long_match(folder.path(), games, &["--resume"]).wait_with_output().expect("it ends");
    assert_eq!(json(&output)["games"], games);
    assert_eq!(games_in(folder.path()), games);
}

#[cfg(unix)]
#[test]
fn an_interrupted_match_shows_its_table() {
    let folder = tempfile::tempdir().expect("a folder");
    let child = long_match(folder.path(), ENDLESS, &[]);
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(killed.expect("kill runs").success());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(130));
    let table = json(&output);
    assert_eq!(table["end"], "interrupted");
    let games = table["games"].as_u64().expect("a number");
    assert!(games >= 2, "{games}");
    assert_eq!(games_in(folder.path()) as u64, games);
}
