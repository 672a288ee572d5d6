//! `riga lab` from a user's side: training data from the first game on.

use std::io::Read;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

fn riga(folder: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_riga"))
        .current_dir(folder)
        .args(args)
        .output()
        .expect("the binary runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("text")
}

fn datagen(folder: &Path, out: &str, games: &str) -> Value {
    let args = ["lab", "datagen", "--out", out, "--games", games, "--nodes", "20", "--hash", "1"];
    let output = riga(folder, &[&args[..], &["--seed", "7", "--threads", "2", "--json"]].concat());
    assert!(output.status.success(), "{}", text(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

#[test]
fn games_are_played_counted_shown_and_shuffled() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let folder = folder.path();
    let played = datagen(folder, "a.rdata", "3");
    assert_eq!((&played["games"], &played["seed"]), (&3.into(), &7.into()));
    // The same command has nothing left to do; a higher goal continues the run.
    assert_eq!(datagen(folder, "a.rdata", "3")["games"], 0);
    let played = datagen(folder, "a.rdata", "4");
    assert_eq!((&played["games"], &played["all_games"]), (&1.into(), &4.into()));

    let output = riga(folder, &["lab", "stat", "--json", "a.rdata"]);
    let stat: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!((&stat["games"], &stat["damaged"]), (&4.into(), &0.into()));
    assert_eq!(stat["positions"], played["all_positions"]);
    let table = text(&riga(folder, &["lab", "stat", "a.rdata"]).stdout);
    assert!(table.contains("bytes per position"), "{table}");

    let pgn = text(&riga(folder, &["lab", "show", "a.rdata", "--game", "2"]).stdout);
    assert!(pgn.contains("[Round \"2\"]") && pgn.contains("[%eval"), "{pgn}");
    let all = ["lab", "show", "a.rdata", "--count", "0", "--format", "fen"];
    let lines = text(&riga(folder, &all).stdout);
    assert_eq!(Some(lines.lines().count() as u64), stat["positions"].as_u64());
    let quiet = text(&riga(folder, &[&all[..], &["--quiet"]].concat()).stdout);
    assert_eq!(Some(quiet.lines().count() as u64), stat["quiet"].as_u64());
    let quiet = riga(folder, &["lab", "stream", "a.rdata"]).stdout;
    assert_eq!(Some(quiet.len() as u64 / 32), stat["quiet"].as_u64());
    let beyond = riga(folder, &["lab", "show", "a.rdata", "--game", "5"]);
    assert_eq!(text(&beyond.stderr), "error: a.rdata: there are only 4 games\n");

    let all = ["lab", "stream", "a.rdata", "--all"];
    let streamed = riga(folder, &all).stdout;
    assert_eq!(Some(streamed.len() as u64 / 32), stat["positions"].as_u64());
    let skipped = riga(folder, &[&all[..], &["--skip", "5", "--threads", "2"]].concat()).stdout;
    assert_eq!(skipped, streamed[5 * 32..]);
    assert!(quiet.len() < streamed.len());
    let refused = riga(folder, &["lab", "stream", "a.rdata", "--trust", "2"]);
    assert!(text(&refused.stderr).contains("not from 0 to 1"), "{}", text(&refused.stderr));

    datagen(folder, "b.rdata", "4");
    for args in [
        ["lab", "merge", "a.rdata", "b.rdata", "--out", "c.rdata"],
        ["lab", "shuffle", "a.rdata", "b.rdata", "--out", "d.rdata"],
    ] {
        let output = riga(folder, &args);
        assert!(text(&output.stdout).starts_with("8 games, "), "{}", text(&output.stderr));
        let again = riga(folder, &args);
        assert!(text(&again.stderr).ends_with("the file already exists\n"));
    }
}

#[test]
fn damage_is_named_and_the_exit_code_says_so() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let folder = folder.path();
    datagen(folder, "a.rdata", "2");
    let path = folder.join("a.rdata");
    let mut bytes = std::fs::read(&path).expect("the file is there");
    bytes.extend(b"RBLK and then the lights went out");
    std::fs::write(&path, &bytes).expect("the file is written");

    let message = format!("byte {}: 33 damaged bytes skipped", bytes.len() - 33);
    let stat = riga(folder, &["lab", "stat", "a.rdata"]);
    assert_eq!(stat.status.code(), Some(1));
    assert!(text(&stat.stderr).contains(&message), "{}", text(&stat.stderr));
    assert!(text(&stat.stdout).contains("1 damaged parts, 33 bytes skipped"));
    let merged = riga(folder, &["lab", "merge", "a.rdata", "--out", "b.rdata"]);
    assert_eq!(merged.status.code(), Some(1));
    assert!(text(&merged.stdout).starts_with("2 games, "));
    assert!(text(&merged.stdout).ends_with("1 damaged parts skipped\n"));

    std::fs::write(folder.join("notes"), "none of your business").expect("a file is written");
    for command in ["stat", "show"] {
        let refused = riga(folder, &["lab", command, "notes"]);
        assert_eq!(refused.status.code(), Some(1));
        assert_eq!(
            text(&refused.stderr),
            "error: notes: not a Riga training data file\n",
            "{command}"
        );
    }
    let refused = riga(folder, &["lab", "datagen", "--out", "notes", "--games", "1"]);
    assert!(text(&refused.stderr).contains("notes: not a Riga training data file"));
}

#[test]
fn a_damaged_last_block_is_named_and_kept() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let folder = folder.path();
    datagen(folder, "a.rdata", "2");
    let path = folder.join("a.rdata");
    let mut bytes = std::fs::read(&path).expect("the file is there");
    *bytes.last_mut().expect("a block") ^= 1;
    std::fs::write(&path, &bytes).expect("the file is written");

    let args = ["lab", "datagen", "--out", "a.rdata", "--games", "1", "--nodes", "20"];
    let output = riga(folder, &args);
    let told = text(&output.stderr);
    let damaged = format!("warning: {} damaged bytes in the file are skipped\n", bytes.len() - 16);
    assert!(told.contains(&damaged) && !told.contains("cut off"), "{told}");
    let continued = std::fs::read(&path).expect("the file is there");
    assert!(continued.len() > bytes.len() && continued.starts_with(&bytes));
}

#[test]
fn a_reader_that_has_seen_enough_ends_the_stream_quietly() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    datagen(folder.path(), "a.rdata", "2");
    let mut child = Command::new(env!("CARGO_BIN_EXE_riga"))
        .current_dir(folder.path())
        .args(["lab", "stream", "a.rdata", "--epochs", "0"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    let mut records = child.stdout.take().expect("a pipe");
    records.read_exact(&mut [0; 64]).expect("the stream has no end");
    drop(records);
    let output = child.wait_with_output().expect("the binary ends");
    assert_eq!((output.status.code(), text(&output.stderr).as_str()), (Some(0), ""));
}

#[test]
fn a_file_is_taken_once() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let folder = folder.path();
    datagen(folder, "a.rdata", "1");
    for command in [
        &["stream"][..],
        &["stat"],
        &["tune"],
        &["wdl"],
        &["merge", "--out", "b.rdata"],
        &["shuffle", "--out", "b.rdata"],
    ] {
        let output = riga(folder, &[&["lab"], command, &["a.rdata", "./a.rdata"]].concat());
        assert_eq!(output.status.code(), Some(1), "{command:?}");
        let refused = "error: a.rdata and ./a.rdata are the same file; name it once\n";
        assert_eq!(text(&output.stderr), refused, "{command:?}");
        assert!(output.stdout.is_empty(), "{command:?}");
    }
    assert!(!folder.join("b.rdata").exists());
}

#[test]
fn what_cannot_be_played_with_is_refused_before_a_file_is_made() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let folder = folder.path();
    std::fs::write(folder.join("bad.net"), "no net").expect("a file is written");
    let play = ["lab", "datagen", "--out", "a.rdata", "--games", "1"];
    let refused = riga(folder, &[&play[..], &["--net", "bad.net"]].concat());
    let bad = "error: bad.net: not a Riga network: it doesn't start with RIGANNUE\n";
    assert_eq!((refused.status.code(), text(&refused.stderr).as_str()), (Some(1), bad));
    let refused = riga(folder, &[&play[..], &["--threads", "513"]].concat());
    assert_eq!(refused.status.code(), Some(2));
    assert!(text(&refused.stderr).contains("allowed are 0 to 512"), "{}", text(&refused.stderr));
    assert!(!folder.join("a.rdata").exists());
}

#[test]
fn data_of_an_old_version_is_refused_with_what_to_do() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let folder = folder.path();
    std::fs::write(folder.join("old.rdata"), b"RIGADATA\x01\0\0\0\0\0\0\0").expect("a file");
    for args in [
        &["stat", "old.rdata"][..],
        &["show", "old.rdata"],
        &["stream", "old.rdata"],
        &["datagen", "--out", "old.rdata", "--games", "1"],
    ] {
        let refused = riga(folder, &[&["lab"], args].concat());
        let told = "error: old.rdata: training data of the old version 1, which can't be read any \
                    more; play new games with `riga lab datagen`, which writes version 2\n";
        assert_eq!((refused.status.code(), text(&refused.stderr).as_str()), (Some(1), told));
    }
}

#[cfg(unix)]
#[test]
fn a_signal_ends_self_play_and_keeps_the_games() {
    use std::time::{Duration, Instant};

    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("a.rdata");
    let child = Command::new(env!("CARGO_BIN_EXE_riga"))
        .current_dir(folder.path())
        .args(["lab", "datagen", "--out", "a.rdata", "--nodes", "20", "--hash", "1", "--json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the binary runs");
    // The first block is written when it is full or after five seconds.
    let start = Instant::now();
    while std::fs::metadata(&path).map_or(0, |file| file.len()) <= 16 {
        assert!(start.elapsed() < Duration::from_mins(1), "nothing is written");
        std::thread::sleep(Duration::from_millis(20));
    }
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-TERM", &id]).status().expect("kill runs").success());
    let output = child.wait_with_output().expect("the binary ends");
    assert!(output.status.success(), "{:?}", output.status);
    let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(report["stopped"], true);
    let counted = riga(folder.path(), &["lab", "stat", "--json", "a.rdata"]);
    assert!(counted.status.success());
    let counted: Value = serde_json::from_slice(&counted.stdout).expect("JSON");
    assert_eq!(counted["games"], report["games"]);
}
