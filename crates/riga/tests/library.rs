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

const MASTERS: &str = r#"[White "Tal, Mikhail"]
[Black "Smyslov, Vassily"]
[WhiteElo "2650"]
[BlackElo "2690"]
[Date "1959.10.??"]
[Result "1-0"]

1. e4 c6 2. d4 d5 1-0

[White "Tal, Mikhail"]
[Black "Anon"]
[Date "1964.01.02"]
[Result "1/2-1/2"]

1. e4 c6 2. Nf3 1/2-1/2

[White "Anon"]
[Black "Talbot"]
[SetUp "1"]
[FEN "4k3/8/8/8/8/8/r6P/R3K3 w - - 0 1"]
[Result "0-1"]

1. Rb1 Rxh2 2. Kf1 0-1
"#;

#[test]
fn a_player_has_a_page() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    std::fs::write(folder.join("a.pgn"), MASTERS).expect("written");
    text(&["add", "lib", "a.pgn"], folder);
    let page = text(&["player", "lib", "Tal, Mikhail"], folder);
    assert!(page.starts_with("Tal, Mikhail: 2 games\n"), "{page}");
    for words in ["100%  B12 Caro-Kann Defense", "\nMoves with White\n1. e4 ", "  1... c6  "] {
        assert!(page.contains(words), "{words}: {page}");
    }
    assert!(!page.contains("d5"), "one game only: {page}");
    let page = json(&["player", "lib", "Tal, Mikhail", "--json", "--min-games", "1"], folder);
    assert_eq!((&page["white"]["games"], &page["black"]["games"]), (&2.into(), &0.into()));
    let c6 = &page["repertoire"]["white"][0]["next"][0];
    assert_eq!((&c6["san"], &c6["games"], &c6["rating"]), (&"c6".into(), &2.into(), &2670.into()));
    assert_eq!(c6["next"].as_array().map(Vec::len), Some(2));
    let recent = ["player", "lib", "Tal, Mikhail", "--json", "--from", "1960"];
    assert_eq!(json(&recent, folder)["white"]["games"], 1);

    let part = riga(&["player", "lib", "Tal"], folder);
    let error = String::from_utf8_lossy(&part.stderr).into_owned();
    assert!(!part.status.success() && error.contains("  Tal, Mikhail\n  Talbot\n"), "{error}");
}

#[test]
fn games_are_found_by_material_and_position() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    std::fs::write(folder.join("a.pgn"), MASTERS).expect("written");
    text(&["add", "lib", "a.pgn"], folder);
    let found = text(&["find", "lib", "--material", "KRvKRP"], folder);
    assert!(found.contains("Anon - Talbot 0-1 start\n") && found.lines().count() == 1, "{found}");
    let found = text(&["find", "lib", "--material", "KRvKR"], folder);
    assert!(found.ends_with("0-1 1... Rxh2\n"), "{found}");
    let found = json(&["find", "lib", "--material", "KRvKR", "--plies", "2", "--json"], folder);
    assert_eq!(found["games"][0]["ply"], 2);
    let lasting = riga(&["find", "lib", "--material", "KRvKR", "--plies", "3"], folder);
    assert_eq!((lasting.status.code(), lasting.stdout.len()), (Some(1), 0));

    let caro = "rnbqkbnr/pp1ppppp/2p5/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
    let names = |arguments: &[&str]| -> Vec<String> {
        let found = json(&[&["find", "lib", caro, "--json"], arguments].concat(), folder);
        let games = found["games"].as_array().expect("a list");
        games.iter().map(|game| format!("{} {}", game["black"], game["played"])).collect()
    };
    let both = [r#""Anon" "Nf3""#, r#""Smyslov, Vassily" "d4""#];
    assert_eq!(names(&[]), both);
    assert_eq!(names(&["--skip", "1"]), both[1..]);
    assert_eq!(names(&["--order", "strongest", "--count", "1"]), both[1..]);
}

#[test]
fn segments_of_another_library_are_adopted() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    games(folder, "a.pgn", 1, 60);
    games(folder, "b.pgn", 2, 40);
    text(&["add", "near", "a.pgn"], folder);
    text(&["add", "far", "b.pgn"], folder);
    let adopted = text(&["adopt", "near", "far"], folder);
    assert_eq!(adopted, "40 games added; 100 in the library\n");
    let adopted = text(&["adopt", "new", "far/segment-1", "near"], folder);
    assert_eq!(adopted, "140 games added; 140 in the library\n");
    text(&["merge", "new", "--all"], folder);
    assert!(text(&["delete", "new", "--duplicates"], folder).contains("40 games deleted"));
    text(&["check", "new", "--step", "1"], folder);
    // A damaged one is refused, and the library is as before.
    let path = folder.join("far/segment-1/moves");
    let mut bytes = std::fs::read(&path).expect("a file");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&path, bytes).expect("written");
    let refused = riga(&["adopt", "near", "far"], folder);
    let error = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(!refused.status.success() && error.contains("is damaged"), "{error}");
    assert_eq!(json(&["list", "near", "--json"], folder)["games"], 100);
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
        (&["delete", "lib", "1-99"], "there is no game 1-99"),
        (&["delete", "lib", "99"], "3-1234"),
        (&["adopt", "lib", "nothing"], "there is no library in nothing"),
        (&["export", "lib", "--output", "lib/manifest"], "choose another place"),
        (&["export", "lib", "-o", "lib/segment-1/../games.pgn"], "choose another place"),
        (&["explore", "lib", "--to", "2023.02.29"], "2024.05.31"),
        (&["find", "lib", "--material", "RvR"], "KRPvKR"),
        (&["find", "lib", "--plies", "2"], "--material"),
        (&["player", "lib", "Nobody At All"], "Nobody At All"),
        (&["player", "lib", "x", "--player", "y"], "the player's name comes after the library"),
    ] {
        let output = riga(arguments, folder);
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && error.contains(words), "{arguments:?}: {error}");
    }
    let inside = riga(&["export", ".", "--output", "manifest"], &folder.join("lib"));
    assert!(String::from_utf8_lossy(&inside.stderr).contains("choose another place"));
    text(&["check", "lib"], folder);
}

#[test]
fn a_killed_build_leaves_the_library_as_it_was() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    games(folder, "a.pgn", 1, 100);
    text(&["add", "lib", "a.pgn"], folder);
    let mut pgn = Vec::new();
    Sample::new(3, 3000).write(0..3000, &mut pgn).expect("memory takes all");
    let left = || {
        let entries = std::fs::read_dir(folder.join("lib")).expect("a folder");
        let names = entries.map(|entry| entry.expect("an entry").file_name());
        names.filter(|name| name.to_string_lossy().starts_with("building-")).count()
    };
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
        assert_eq!(left(), 1);
        assert_eq!(json(&["list", "lib", "--json"], folder)["games"], 100);
        assert_eq!(left(), 1, "reading removes nothing");
    }
    text(&["check", "lib", "--step", "1"], folder);
    text(&["merge", "lib"], folder);
    assert_eq!(left(), 0);
}

#[test]
fn a_failed_first_add_leaves_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let failed = |arguments: &[&str], words: &str| {
        let output = riga(arguments, folder);
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{error}");
        assert!(error.contains(words), "{error}");
        error
    };
    // The start of a gzip file.
    std::fs::write(folder.join("cut.pgn.gz"), b"\x1f\x8b\x08\0\0\0").expect("written");
    failed(&["add", "a/lib", "cut.pgn.gz"], "cut.pgn.gz");
    assert!(!folder.join("a").exists());
    let error = failed(&["add", "lib", "nothing.pgn"], "nothing.pgn: ");
    assert_eq!(error.matches("os error").count(), 1, "{error}");
    assert!(!folder.join("lib").exists());
    // Nor is there a library of nothing.
    std::fs::write(folder.join("empty.pgn"), "").expect("written");
    assert!(text(&["add", "none", "empty.pgn"], folder).starts_with("0 games added"));
    assert!(!folder.join("none").exists());
    std::fs::remove_file(folder.join("empty.pgn")).expect("removed");
    // A folder of something else stays as it is.
    games(folder, "a.pgn", 1, 10);
    failed(&["add", ".", "a.pgn"], "choose a new or an empty folder");
    assert_eq!(std::fs::read_dir(folder).expect("a folder").count(), 2);
    // So does a library without its manifest.
    text(&["add", "lib", "a.pgn"], folder);
    std::fs::remove_file(folder.join("lib/manifest")).expect("removed");
    failed(&["add", "lib", "a.pgn"], "riga library adopt NEW lib/segment-*");
    failed(&["list", "lib"], "the manifest of the library in lib is missing");
    let adopted = text(&["adopt", "new", "lib/segment-1"], folder);
    assert_eq!(adopted, "10 games added; 10 in the library\n");
}

#[test]
fn texts_of_games_cannot_take_over_the_terminal() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let name = "T\u{1b}]0;x\u{7}a\u{9b}2J\u{202e}l\u{2066}";
    let pgn = format!(
        "[White \"{name}\"]\n[Black \"{name}b\"]\n[Result \"1-0\"]\n\n1. e4 {name} e5 1-0\n"
    );
    std::fs::write(folder.join("a.pgn"), pgn).expect("written");
    let is_unsafe = |c: char| {
        c.is_control() && c != '\n'
            || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    for arguments in [
        &["add", "lib", "a.pgn"][..],
        &["list", "lib"],
        &["explore", "lib", "--games", "5"],
        &["find", "lib"],
        &["find", "lib", "--material", "KQRRBBNNPPPPPPPPvKQRRBBNNPPPPPPPP"],
        &["player", "lib", name],
        &["player", "lib", "T"],
    ] {
        let output = riga(arguments, folder);
        for bytes in [output.stdout, output.stderr] {
            let text = String::from_utf8(bytes).expect("text");
            assert!(!text.contains(is_unsafe), "{arguments:?}: {text:?}");
        }
    }
    assert!(text(&["explore", "lib", "--games", "5"], folder).contains("T]0;xa2Jl - "));
    assert_eq!(json(&["find", "lib", "--json"], folder)["games"][0]["white"], name);
}

#[test]
fn mistakes_in_the_command_line_end_with_2() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    games(folder, "a.pgn", 1, 10);
    text(&["add", "lib", "a.pgn"], folder);
    for (arguments, words) in [
        (&["bench"][..], "--generate"),
        (&["bench", "--generate", "1", "--library", "lib"], "--generate"),
        (&["delete", "lib"], "--duplicates"),
        (&["delete", "lib", "--side", "white"], "--player"),
        (&["delete", "lib", "1-1", "--duplicates"], "--duplicates"),
        (&["delete", "lib", "1-1", "--min-rating", "2000"], "--min-rating"),
        (&["delete", "lib", "--duplicates", "--opponent", "Tal"], "--opponent"),
        (&["add", "lib", "a.pgn", "--threads", "99999999"], "--threads"),
        (&["merge", "lib", "--threads", "513"], "--threads"),
        (&["bench", "--generate", "1", "--threads", "513"], "--threads"),
        (&["check", "lib", "--step", "0"], "--step"),
        (&["adopt", "lib", "lib", "--step", "0"], "--step"),
    ] {
        let output = riga(arguments, folder);
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {error}");
        assert!(error.contains(words), "{arguments:?}: {error}");
    }
    assert_eq!(text(&["delete", "lib", "1-3"], folder), "1 game deleted, 9 games left\n");
    assert!(text(&["delete", "lib", "--from", "1900"], folder).ends_with(" 0 games left\n"));
}

#[cfg(unix)]
#[test]
fn an_export_may_be_cut_short_by_its_reader() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    games(folder, "a.pgn", 1, 3000);
    text(&["add", "lib", "a.pgn"], folder);
    let mut export = Command::new(env!("CARGO_BIN_EXE_riga"))
        .args(["library", "export", "lib"])
        .current_dir(folder)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("riga runs");
    drop(export.stdout.take());
    let output = export.wait_with_output().expect("it ends");
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
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
