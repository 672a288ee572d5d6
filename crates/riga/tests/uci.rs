//! `riga uci` and `riga eval` from the side of a GUI and a user.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Output, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

use uci::{OPTIONS, Settings};

/// Longer than any answer takes on a busy machine; only a hanging process gets here.
const PATIENCE: Duration = Duration::from_mins(1);

/// A directory for the files of a test.
fn folder(test: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
    std::fs::create_dir_all(&path).expect("the target folder can be written");
    path
}

/// The binary, without the configuration of the user who runs the tests.
fn riga(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_riga"));
    command
        .args(args)
        .env_remove("RIGA_CONFIG")
        .env("XDG_CONFIG_HOME", folder("nothing"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// A UCI process.
struct Engine {
    process: Child,
    input: Option<ChildStdin>,
    heard: Receiver<String>,
}

impl Engine {
    fn start(command: &mut Command) -> Self {
        let mut process = command.spawn().expect("the binary runs");
        let output = BufReader::new(process.stdout.take().expect("a pipe"));
        let (lines, heard) = mpsc::channel();
        thread::spawn(move || {
            for line in output.lines() {
                if lines.send(line.expect("text")).is_err() {
                    break;
                }
            }
        });
        Self { input: process.stdin.take(), process, heard }
    }

    fn send(&mut self, bytes: impl AsRef<[u8]>) {
        let input = self.input.as_mut().expect("the input is open");
        input.write_all(bytes.as_ref()).and_then(|()| input.write_all(b"\n")).expect("it listens");
    }

    /// Every line up to and including the first that starts with a text.
    fn wait_for(&self, start: &str) -> Vec<String> {
        let mut lines: Vec<String> = Vec::new();
        while !lines.last().is_some_and(|line| line.starts_with(start)) {
            match self.heard.recv_timeout(PATIENCE) {
                Ok(line) => lines.push(line),
                Err(error) => panic!("no `{start}`, {error}, but {lines:#?}"),
            }
        }
        lines
    }

    fn ask(&mut self, line: &str, start: &str) -> String {
        self.send(line);
        self.wait_for(start).pop().expect("the line that was waited for")
    }

    /// Closes the input; the process must exit without an error. Returns the remaining output.
    fn end(mut self) -> Vec<String> {
        drop(self.input.take());
        let rest = self.heard.iter().collect();
        assert_eq!(self.process.wait().expect("it ends").code(), Some(0));
        rest
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        // It has exited already unless the test has failed.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("text")
}

fn run(command: &mut Command) -> Output {
    command.stdin(Stdio::null()).output().expect("the binary runs")
}

/// It must not end the process.
#[test]
#[cfg(target_os = "linux")]
fn memory_that_is_not_to_be_had_is_told_of_and_the_old_setting_stays() {
    let mut command = Command::new("sh");
    let script = format!("ulimit -v 700000 && exec '{}' uci", env!("CARGO_BIN_EXE_riga"));
    command.args(["-c", &script]).envs([("XDG_CONFIG_HOME", folder("nothing"))]);
    command.env_remove("RIGA_CONFIG").stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut engine = Engine::start(&mut command);
    for (threads, hash) in [(1, 16), (4, 8)] {
        engine.send(format!("setoption name Threads value {threads}"));
        engine.send(format!("setoption name Hash value {hash}"));
        for (option, told) in [
            ("Threads value 512", format!("no memory for 512 threads, staying at {threads}")),
            ("Hash value 2500", format!("no memory for 2500 MiB of hash, staying at {hash}")),
        ] {
            let answer = engine.ask(&format!("setoption name {option}"), "info string");
            assert_eq!(answer, format!("info string error: {told}"));
        }
        engine.send("ucinewgame");
        engine.send("go depth 4");
        let lines = engine.wait_for("bestmove");
        assert!(!lines.iter().any(|line| line.contains("error")), "{lines:?}");
    }
    assert_eq!(engine.end(), Vec::<String>::new());
}

#[test]
fn a_tournament_manager_can_use_it() {
    let mut engine = Engine::start(&mut riga(&["uci"]));
    let lines = {
        engine.send("uci");
        engine.wait_for("uciok")
    };
    assert!(lines[0].starts_with("id name Riga ") && lines[1].starts_with("id author "));
    engine.send("ucinewgame");
    for (position, search) in [
        ("fen 3r2k1/p5n1/1pq1p2p/2p3p1/2P1P1n1/1P1P2pP/PN1Q2K1/5R2 w - - 0 27", "go wtime 100"),
        ("fen rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1", "go btime 100"),
        ("startpos", "go wtime 100 winc 100 btime 100 binc 100"),
        ("startpos moves e2e4 e7e5", "go wtime 100 btime 100"),
    ] {
        engine.send(format!("position {position}"));
        assert_eq!(engine.ask("isready", ""), "readyok");
        engine.send(search);
        let lines = engine.wait_for("bestmove");
        let scored = lines.iter().any(|line| line.starts_with("info") && line.contains(" score "));
        assert!(scored, "{lines:#?}");
    }
    assert_eq!(engine.end(), Vec::<String>::new());
}

#[test]
fn an_infinite_search_is_interrupted_by_everything() {
    for last in ["stop", "quit", ""] {
        let mut engine = Engine::start(&mut riga(&["uci"]));
        engine.send("go infinite");
        assert_eq!(engine.ask("isready", "ready"), "readyok");
        engine.send(last);
        let best = engine.end().iter().filter(|line| line.starts_with("bestmove ")).count();
        assert_eq!(best, 1, "{last}");
    }
}

#[test]
fn garbage_does_not_end_it() {
    let mut engine = Engine::start(&mut riga(&["uci"]));
    let noise: Vec<u8> =
        (0..10_000_u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    engine.send(noise);
    assert_eq!(engine.ask("isready", "ready"), "readyok");
    engine.end();
}

#[test]
fn the_configuration_is_found_and_options_count_more() {
    let places = folder("configuration");
    std::fs::create_dir_all(places.join("riga")).expect("a folder");
    let home = places.join("riga").join("riga.toml");
    let (variable, argument) = (places.join("variable.toml"), places.join("argument.toml"));
    for (path, hash) in [(&home, 31), (&variable, 32), (&argument, 33)] {
        std::fs::write(path, format!("[search]\nhash_mb = {hash}\n")).expect("a file");
    }
    let hash = |command: &mut Command| {
        let mut engine = Engine::start(command);
        let line = engine.ask("uci", "option name Hash ");
        engine.end();
        line.split(' ').nth(6).and_then(|word| word.parse().ok())
    };
    let mut command = riga(&["uci"]);
    assert_eq!(hash(&mut command), Some(16));
    assert_eq!(hash(command.env("XDG_CONFIG_HOME", &places)), Some(31));
    assert_eq!(hash(command.env("RIGA_CONFIG", &variable)), Some(32));
    assert_eq!(hash(command.arg("--config").arg(&argument)), Some(33));
    let mut engine = Engine::start(&mut command);
    engine.send("debug on");
    assert_eq!(engine.ask("setoption name Hash value 2", "info"), "info string Hash is 2");
    engine.end();
}

#[test]
fn a_wrong_configuration_is_refused_with_file_and_line() {
    let path = folder("wrong").join("riga.toml");
    std::fs::write(&path, "[search]\n\nhash_mb = 0\n").expect("a file");
    let output = run(riga(&["uci", "--config"]).arg(&path));
    assert_eq!(output.status.code(), Some(1));
    let expected = format!(
        "error: {}:3: invalid value 0 for hash_mb: allowed are 1 to 1048576\n",
        path.display()
    );
    assert_eq!(text(&output.stderr), expected);

    let output = run(&mut riga(&["uci", "--config", "no-such.toml"]));
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).starts_with("error: no-such.toml: "), "{output:?}");
}

#[test]
fn eval_explains_a_position() {
    let output = run(&mut riga(&["eval"]));
    assert_eq!(output.status.code(), Some(0));
    assert!(text(&output.stdout).contains("Material"), "{output:?}");

    let output =
        run(&mut riga(&["eval", "--json", "4k3/8/8/8/8/8/8/Q3K3", "w", "-", "-", "0", "1"]));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert!(report["value"].as_i64() > Some(300), "{report}");
    assert!(report["terms"][0]["white"]["mg"].is_i64(), "{report}");

    let output = run(&mut riga(&["eval", "8/8/8/8/8/8/8/8 w - - 0 1"]));
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(text(&output.stderr), "error: FEN: White has no king\n");
}

#[test]
fn the_guide_names_every_option_with_default_and_range() {
    let guide = include_str!("../../../docs/uci.md");
    for option in &OPTIONS {
        let default = match option.value(&Settings::default()) {
            None => "-".to_owned(),
            Some(value) if value.is_empty() => "empty".to_owned(),
            Some(value) => value,
        };
        let row =
            format!("| {} | {default} | {} | {} |", option.name, option.allowed(), option.about);
        assert!(guide.contains(&row), "docs/uci.md wants this row:\n{row}");
    }
}
