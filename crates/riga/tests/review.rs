//! `riga review` from a user's side.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use game::Game;
use game::pgn::Reader;
use serde_json::Value;

/// Three short games; in the second one a knight is lost, and the third starts elsewhere.
const GAMES: &str = "[Event \"One\"]\n[White \"Morphy\"]\n[Black \"Amateur\"]\n\n\
    1. e4 e5 2. Qh5 $5 { early } (2. Nf3 Nc6) Nc6 3. Bc4 Nf6 4. Qxf7# 1-0\n\n\
    [Event \"Two\"]\n[White \"Student\"]\n[Black \"Morphy, Paul\"]\n[TimeControl \"300+0\"]\n\n\
    1. e4 { [%clk 0:05:00] } e5 { [%clk 0:04:58] } 2. Nf3 { [%clk 0:04:55] } d6 3. Nxe5 dxe5 \
    4. Qh5 Nc6 0-1\n\n\
    [Event \"Three\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 0 30\"]\n\n30... Kd7 31. Kd2 Kd6 *\n";

fn riga(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_riga"));
    command.arg("review").args(arguments).env_remove("NO_COLOR");
    command
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("text")
}

/// A folder with a file of games.
struct Desk(tempfile::TempDir);

impl Desk {
    fn new() -> Self {
        let desk = Self(tempfile::tempdir().expect("a folder"));
        fs::write(desk.path("games.pgn"), GAMES).expect("a file");
        desk
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Reviews the games with few nodes.
    fn review(&self, arguments: &[&str]) -> Output {
        let mut command = riga(&["games.pgn"]);
        if !arguments.contains(&"--nodes") && !arguments.contains(&"--time") {
            command.args(["--nodes", "500"]);
        }
        command.args(arguments).current_dir(self.0.path()).output().expect("riga runs")
    }

    /// The same, which must succeed.
    fn reviewed(&self, arguments: &[&str]) -> String {
        let output = self.review(arguments);
        assert!(output.status.success(), "{arguments:?}: {}", text(&output.stderr));
        text(&output.stdout)
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).expect("a file")
    }
}

fn games(path: &Path) -> Vec<Game> {
    let file = fs::File::open(path).expect("a file");
    Reader::new(file).games().map(|game| game.expect("a valid game")).collect()
}

#[test]
fn a_report_is_printed_by_default() {
    let desk = Desk::new();
    let printed = desk.reviewed(&[]);
    for part in ["Morphy - Amateur 1-0", "Accuracy", "3... Nf6??", "500 nodes per position"] {
        assert!(printed.contains(part), "{part} in {printed}");
    }
    assert!(!printed.contains('\x1b'), "colors in a pipe: {printed}");
    assert_eq!(desk.reviewed(&["--quiet"]), "");
    let german = desk.reviewed(&["--language", "de"]);
    assert!(german.contains("Genauigkeit"), "{german}");
}

#[test]
fn the_annotated_games_read_back_with_all_they_had() {
    let desk = Desk::new();
    desk.reviewed(&["--pgn", "out.pgn"]);
    let (before, after) = (games(&desk.path("games.pgn")), games(&desk.path("out.pgn")));
    assert_eq!(after.len(), 3);
    for (before, after) in before.iter().zip(&after) {
        let mut tags = after.tags.clone();
        assert!(tags.get("Annotator").is_some_and(|name| name.starts_with("Riga ")), "{tags:?}");
        tags.remove("Annotator");
        assert_eq!((&before.tags, before.result), (&tags, after.result));
        assert_eq!(before.line(), after.line());
        for node in after.tree.main_nodes() {
            let comment = after.tree.comment(node).expect("a score");
            assert!(comment.eval.is_some());
        }
    }
    let text = desk.read("out.pgn");
    for part in ["$5", "early", "(2. Nf3 Nc6", "[%clk 0:04:58]"] {
        assert!(text.contains(part), "{part} in {text}");
    }
    // Once more over the result changes nothing.
    fs::rename(desk.path("out.pgn"), desk.path("games.pgn")).expect("a file");
    desk.reviewed(&["--pgn", "again.pgn"]);
    assert_eq!(games(&desk.path("again.pgn")), after);
}

#[test]
fn json_and_the_page_hold_every_game_in_order() {
    let desk = Desk::new();
    let page = desk.reviewed(&["--json", "out.jsonl", "--html", "-", "--threads", "3"]);
    assert!(page.starts_with("<!doctype html>") && page.ends_with("</html>\n"), "{page}");
    assert_eq!(page.matches("<details class=\"game\"").count(), 3);
    let lines: Vec<Value> = desk
        .read("out.jsonl")
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    let heads: Vec<&Value> = lines.iter().map(|line| &line["game"]).collect();
    assert_eq!(heads.iter().map(|head| &head["index"]).collect::<Vec<_>>(), [1, 2, 3]);
    assert_eq!(heads[1]["white"], "Student");
    assert_eq!(heads[1]["checksum"].as_str().map(str::len), Some(16));
    let report = &lines[0]["report"];
    assert_eq!((&report["nodes"], &report["result"]), (&500.into(), &"1-0".into()));
    assert!(report["engine"].as_str().is_some_and(|name| name.starts_with("Riga ")));
    assert_eq!(report["moves"].as_array().map(Vec::len), Some(7));
}

#[test]
fn a_run_that_was_cut_short_goes_on_to_the_same_file() {
    let desk = Desk::new();
    desk.reviewed(&["--json", "whole.jsonl", "--html", "whole.html", "--pgn", "whole.pgn"]);
    let whole = desk.read("whole.jsonl");
    let first = whole.find('\n').expect("a line") + 1;
    for len in [0, 7, first, first + 100, whole.len() - 1, whole.len()] {
        fs::write(desk.path("cut.jsonl"), &whole[..len]).expect("a file");
        let rest = ["--json", "cut.jsonl", "--html", "cut.html", "--pgn", "cut.pgn", "--resume"];
        desk.reviewed(&rest);
        assert_eq!(desk.read("cut.jsonl"), whole, "cut at {len}");
        assert_eq!(desk.read("cut.html"), desk.read("whole.html"), "cut at {len}");
        assert_eq!(desk.read("cut.pgn"), desk.read("whole.pgn"), "cut at {len}");
    }
}

#[test]
fn resuming_with_other_games_or_settings_is_refused() {
    let desk = Desk::new();
    desk.reviewed(&["--json", "out.jsonl"]);
    let refused = |arguments: &[&str], reason: &str| {
        let output = desk.review(&[&["--json", "out.jsonl"], arguments].concat());
        let errors = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {errors}");
        assert!(errors.contains(reason), "{reason} in {errors}");
    };
    let whole = desk.read("out.jsonl");
    refused(&[], "out.jsonl exists: use --resume, or remove it");
    refused(&["--resume", "--nodes", "600"], "made with --nodes 500, not --nodes 600");
    refused(&["--resume", "--mode", "classic"], "made with --mode riga, not --mode classic");
    let steps = ["--resume", "--steps", "1,4,8,16"];
    refused(&steps, "made with --steps 2,5,10,20, not --steps 1,4,8,16");
    refused(&["--resume", "--hash", "32"], "not by Riga");
    refused(&["--resume", "--player", "morphy"], "game 3 is not among those to review");
    fs::write(desk.path("games.pgn"), GAMES.replace("4. Qh5", "4. Qf3")).expect("a file");
    refused(&["--resume"], "out.jsonl, line 2: the report is about another game");
    assert_eq!(desk.read("out.jsonl"), whole);
    fs::write(desk.path("out.jsonl"), format!("{{}}\n{whole}")).expect("a file");
    refused(&["--resume"], "out.jsonl, line 1: not a review");
}

#[test]
fn reports_are_verified() {
    let desk = Desk::new();
    desk.reviewed(&["--json", "out.jsonl", "--threads", "2"]);
    let verify = |arguments: &[&str]| {
        let mut command = riga(&["games.pgn", "--verify", "out.jsonl"]);
        let output = command.args(arguments).current_dir(desk.0.path()).output();
        let output = output.expect("riga runs");
        (output.status.code(), text(&output.stdout))
    };
    let same = (Some(0), "3 reports confirmed, 0 different\n".to_owned());
    assert_eq!(verify(&[]), same);
    assert_eq!(verify(&["--threads", "1"]), same);
    let changed = desk.read("out.jsonl").replacen("\"close_call\":false", "\"close_call\":true", 1);
    fs::write(desk.path("out.jsonl"), changed).expect("a file");
    let (code, text) = verify(&[]);
    assert_eq!(code, Some(1));
    assert!(text.contains("game 1 differs: 1. e4: close call\n"), "{text}");
    assert!(text.contains("2 reports confirmed, 1 different"), "{text}");
}

#[test]
fn only_the_games_of_a_player_are_reviewed() {
    let desk = Desk::new();
    desk.reviewed(&["--player", "MORPHY", "--json", "out.jsonl"]);
    assert_eq!(desk.read("out.jsonl").lines().count(), 2);
    let printed = desk.reviewed(&["--player", "paul"]);
    let table = printed.lines().find(|line| line.trim_start().starts_with("Morphy, Paul  "));
    assert!(table.is_some(), "{printed}");
    let nobody = desk.review(&["--player", "nobody"]);
    assert_eq!(nobody.status.code(), Some(1));
    assert!(text(&nobody.stderr).contains("no game of a player named nobody"));
}

#[test]
fn a_damaged_game_is_told_and_the_rest_is_done() {
    let desk = Desk::new();
    let bad = "[White \"Bad\"]\n[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n\n1. e4 *\n\n";
    let cut = "[White \"Cut\"]\n\n1. e4 e5 2. Ke3 *\n\n";
    fs::write(desk.path("games.pgn"), format!("{bad}{cut}{GAMES}")).expect("a file");
    let output = desk.review(&["--json", "out.jsonl"]);
    let errors = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{errors}");
    assert!(errors.contains("games.pgn: game 1, line"), "{errors}");
    assert!(
        errors.contains("(skipped)") && errors.contains("warning: games.pgn: game 2"),
        "{errors}"
    );
    let lines = desk.read("out.jsonl");
    let first: Value = serde_json::from_str(lines.lines().next().expect("a line")).expect("JSON");
    assert_eq!((lines.lines().count(), &first["game"]["index"]), (4, &2.into()));
}

#[test]
fn games_come_from_standard_input_too() {
    let mut child = riga(&["-", "--nodes", "500", "--pgn", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("riga runs");
    child.stdin.take().expect("a pipe").write_all(GAMES.as_bytes()).expect("it reads");
    let output = child.wait_with_output().expect("riga ends");
    assert_eq!(text(&output.stdout).matches("[Event ").count(), 3);
    assert!(output.status.success());
}

#[test]
fn another_engine_can_review() {
    let desk = Desk::new();
    let engine = format!("{} uci", env!("CARGO_BIN_EXE_riga"));
    desk.reviewed(&["--engine", &engine, "--json", "out.jsonl", "--player", "amateur"]);
    let line: Value = serde_json::from_str(&desk.read("out.jsonl")).expect("JSON");
    let name = line["report"]["engine"].as_str().expect("a name");
    assert!(name.starts_with("Riga ") && !name.contains("network"), "{name}");
    let output = desk.review(&["--engine", "/no/engine"]);
    assert_eq!(output.status.code(), Some(1));
    let errors = text(&output.stderr);
    assert!(errors.contains("can't start `/no/engine`"), "{errors}");
    assert_eq!(errors.matches("os error 2").count(), 1, "{errors}");
}

#[test]
fn wrong_usage_is_told() {
    let desk = Desk::new();
    for (arguments, code, part) in [
        (&["--nodes", "0"][..], 2, "allowed are 1 to"),
        (&["--nodes", "5", "--time", "1"], 2, "cannot be used with"),
        (&["--time", "0"], 2, "allowed are 0.001 to 86400"),
        (&["--mode", "strict"], 2, "riga, lichess, classic"),
        (&["--language", "fr"], 2, "en, de"),
        (&["--resume"], 2, "--json"),
        (&["--json", "-", "--resume"], 2, "--resume needs a file"),
        (&["--min-rating", "2000"], 2, "need --library"),
        (&["--json", "a", "--verify", "b"], 2, "cannot be used with"),
        (&["--verify", "none.jsonl"], 1, "none.jsonl"),
        (&["--pgn", "games.pgn"], 2, "this is also an input file"),
        (&["--pgn", "-", "--json", "-"], 2, "this is also --pgn"),
        (&["--pgn", "-", "--html", "-"], 2, "this is also --pgn"),
        (&["--html", "no/folder/x.html"], 1, "no/folder/x.html"),
        (&["--syzygy", "nowhere"], 1, "no tablebases found"),
        (&["missing.pgn"], 1, "missing.pgn"),
        (&["--player", "Nobody"], 1, "no game of a player named Nobody"),
    ] {
        let output = desk.review(arguments);
        let errors = text(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {errors}");
        assert!(errors.contains(part), "{part} in {errors}");
    }
    assert_eq!(games(&desk.path("games.pgn")).len(), 3);
    fs::write(desk.path("games.pgn"), "\n").expect("a file");
    let output = desk.review(&[]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("there are no games to review"));
    assert_eq!(riga(&[]).output().expect("riga runs").status.code(), Some(2));
}

#[test]
#[cfg(unix)]
fn an_interrupted_run_says_so_and_leaves_whole_lines() {
    let desk = Desk::new();
    let many: String = GAMES.repeat(40);
    fs::write(desk.path("games.pgn"), many).expect("a file");
    let mut child = riga(&["games.pgn", "--nodes", "20000", "--json", "out.jsonl"])
        .current_dir(desk.0.path())
        .stderr(Stdio::piped())
        .spawn()
        .expect("riga runs");
    let began = std::time::Instant::now();
    while fs::metadata(desk.path("out.jsonl")).map_or(0, |data| data.len()) == 0 {
        assert!(began.elapsed().as_secs() < 120, "nothing is reviewed");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let id = child.id().to_string();
    let killed = Command::new("kill").args(["-INT", &id]).status().expect("kill runs");
    assert!(killed.success());
    let status = child.wait().expect("riga ends");
    assert_eq!(status.code(), Some(130));
    let lines = desk.read("out.jsonl");
    assert!(lines.ends_with('\n') && lines.lines().count() < 120, "{}", lines.lines().count());
}

#[test]
fn games_of_a_library_are_reviewed_and_compared_with_it() {
    let desk = Desk::new();
    let masters = "1. e4 e5 2. Nf3 d6 3. d4 1-0\n\n1. e4 e5 2. Nf3 d6 3. Bc4 1/2-1/2\n\n\
        1. e4 e5 2. Nf3 d6 3. d4 *\n";
    fs::write(desk.path("masters.pgn"), masters).expect("a file");
    for (library, file) in [("lib", "games.pgn"), ("masters", "masters.pgn")] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_riga"));
        let command = command.args(["library", "add", library, file]).current_dir(desk.0.path());
        assert!(command.output().expect("riga runs").status.success());
    }
    let review = |arguments: &[&str]| {
        let mut command = riga(&["--nodes", "500"]);
        let output = command.args(arguments).current_dir(desk.0.path()).output();
        output.expect("riga runs")
    };
    let theory = "Known in masters until 2... d6: 3 other games (+1 =1 -0). 3. Nxe5 is new; \
        most often 3. d4 (2).";
    let lines = |output: Output| -> Vec<Value> {
        assert!(output.status.success(), "{}", text(&output.stderr));
        let line = |line: &str| serde_json::from_str(line).expect("JSON");
        text(&output.stdout).lines().map(line).collect()
    };
    // The same reports as from the file.
    let all = lines(review(&["--library", "lib", "--json", "-"]));
    let from_file = lines(review(&["games.pgn", "--json", "-"]));
    assert_eq!(all.len(), 3);
    for entry in &from_file {
        assert!(all.iter().any(|other| other["report"] == entry["report"]));
    }
    let one = ["--library", "lib", "--player", "paul", "--theory", "masters"];
    let shown = review(&one);
    assert!(text(&shown.stdout).contains(theory), "{}", text(&shown.stdout));
    let entries = lines(review(&[&one[..], &["--json", "-"]].concat()));
    assert_eq!(entries.len(), 1);
    assert_eq!(
        (&entries[0]["theory"]["plies"], &entries[0]["theory"]["games"]),
        (&4.into(), &3.into())
    );
    let annotated = text(&review(&[&one[..], &["--pgn", "-"]].concat()).stdout);
    assert!(annotated.replace('\n', " ").contains(theory), "{annotated}");
    let counted = lines(review(&["--library", "lib", "--count", "2", "--json", "-"]));
    assert_eq!(counted.len(), 2);

    for (arguments, words) in [
        (&["games.pgn", "--from", "2020"][..], "need --library"),
        (&["games.pgn", "--library", "lib"], "cannot be used with"),
        (&["--library", "nothing"], "there is no library in nothing"),
        (&["games.pgn", "--theory", "nothing"], "there is no library in nothing"),
        (&[], "<FILES>"),
    ] {
        let output = review(arguments);
        let error = text(&output.stderr);
        assert!(!output.status.success() && error.contains(words), "{arguments:?}: {error}");
    }
}
