//! `riga play` without a terminal: one line per move.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

mod served;

use served::{Place, Served};

fn start(args: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_riga"))
        .arg("play")
        .args(args)
        .env_remove("RIGA_CONFIG")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs")
}

fn play(args: &[&str], input: &[u8]) -> Output {
    let mut child = start(args);
    let _ = child.stdin.take().expect("a pipe").write_all(input);
    child.wait_with_output().expect("the binary ends")
}

fn said(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("text")
}

fn code(output: &Output) -> Option<i32> {
    output.status.code()
}

#[test]
fn moves_are_read_and_the_board_is_printed() {
    let output = play(&["--two", "--no-save"], b"e2e4\n e5 \nNf3\nquit\n");
    let text = said(&output);
    assert_eq!(code(&output), Some(0), "{text}");
    assert!(text.contains("8 r n b q k b n r\n7 p p p p p p p p\n"), "{text}");
    for part in [
        "White: Guest. Black: Friend.",
        "Guest plays 1. e4\n",
        "Friend plays 1... e5\n",
        "Guest plays 2. Nf3\n",
        "3 . . . . . N . .\n",
        "Black to move.",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
}

#[test]
fn the_engine_answers_and_a_move_is_taken_back() {
    let output = play(&["--level", "1", "--no-save"], b"e4\nundo\nfen\nquit\n");
    let text = said(&output);
    assert_eq!(code(&output), Some(0), "{text}");
    assert!(text.contains("Riga, level 1 plays 1... "), "{text}");
    assert!(text.contains("Taken back"), "{text}");
    assert!(text.contains("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"), "{text}");
}

#[test]
fn bad_lines_are_told_and_make_the_exit_code_1() {
    let output = play(&["--two", "--no-save"], b"e5\n\xff\xfe\nNf9\n\n\nsave\nmoves\n");
    let text = said(&output);
    assert_eq!(code(&output), Some(1), "{text}");
    assert!(text.contains("e5: not a legal move here"), "{text}");
    assert!(text.contains("Nf9: not a move"), "{text}");
    assert!(text.contains("Save needs a file"), "{text}");
    assert!(text.contains("Nf3") && text.contains("a3"), "the legal moves are listed: {text}");
}

#[test]
fn a_game_ends_is_saved_and_is_loaded_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("my game.pgn");
    let name = file.to_str().expect("UTF-8");
    let input = format!("f3\ne5\ng4\nQh4\ne4\nsave {name}\npgn\nquit\n");
    let output = play(&["--two", "Bob", "--name", "Anna", "--no-save"], input.as_bytes());
    let text = said(&output);
    assert!(text.contains("Black wins by checkmate."), "{text}");
    assert!(text.contains("[White \"Anna\"]"), "{text}");
    assert_eq!(code(&output), Some(1), "e4 came after the end: {text}");
    let pgn = std::fs::read_to_string(&file).expect("the game was saved");
    assert!(pgn.contains("1. f3 e5 2. g4 Qh4# 0-1"), "{pgn}");

    let output = play(&[name, "--no-save"], b"end\nback\nquit\n");
    let text = said(&output);
    assert_eq!(code(&output), Some(0), "{text}");
    assert!(text.contains("Anna - Bob 0-1, 2 moves"), "{text}");
    assert!(text.contains("4 . . . . . . P q\n"), "{text}");
    assert!(text.ends_with("Black to move.\n"), "{text}");
}

#[test]
fn black_sits_at_the_bottom_and_can_resign() {
    let output = play(&["--level", "1", "--side", "black", "--no-save"], b"flip\nresign\n");
    let text = said(&output);
    assert_eq!(code(&output), Some(0), "{text}");
    assert!(text.contains("Riga, level 1 plays 1. "), "{text}");
    assert!(text.contains("  h g f e d c b a\n") && text.contains("  a b c d e f g h\n"), "{text}");
    assert!(text.contains("White wins by resignation."), "{text}");
}

#[test]
fn another_engine_plays_and_a_missing_one_is_told() {
    let engine = format!("{} uci", env!("CARGO_BIN_EXE_riga"));
    let output = play(&["--engine", &engine, "--time", "2", "--no-save"], b"e4\nquit\n");
    let text = said(&output);
    assert!(text.contains("Black: riga.") && text.contains("riga plays 1... "), "{text}");
    let output = play(&["--engine", "/no/such/engine", "--no-save"], b"e4\nquit\n");
    assert_refused(&output, "/no/such/engine");
}

/// The command ended before a game began.
fn assert_refused(output: &Output, part: &str) {
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!((code(output), &*said(output)), (Some(1), ""), "{told}");
    assert!(told.contains(part), "{part} in {told}");
}

#[test]
fn what_cannot_be_used_is_told_before_the_game_and_nothing_is_stored() {
    assert_refused(&play(&["/no/such/game.pgn", "--no-save"], b"e4\n"), "/no/such/game.pgn");
    let folder = tempfile::tempdir().expect("a folder");
    let database = folder.path().join("riga.db");
    let database = database.to_str().expect("UTF-8");
    let output = play(&["--two", "--user", "a/b", "--database", database], b"e4\n");
    assert_refused(&output, "--user: ");
    assert!(!Path::new(database).exists());
    let text = folder.path().join("text");
    std::fs::write(&text, "root:x:0:0:root:/root:/bin/bash\n".repeat(99)).expect("a file");
    let text = text.to_str().expect("UTF-8");
    assert_refused(&play(&["--two", "--database", text], b"e4\n"), text);
}

#[test]
fn a_file_cannot_take_over_the_terminal() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("bad.pgn");
    let pgn = "[White \"A\x1b[2J\"]\n[Black \"B\u{202e}C\"]\n\n1. e4 {\x1b]0;title\x07 good} *\n";
    std::fs::write(&file, pgn).expect("a file");
    let output = play(&[file.to_str().expect("UTF-8"), "--no-save"], b"pgn\n\x1b[31m\nquit\n");
    let text = said(&output);
    assert!(text.contains("A[2J - BC *, 1 move\n") && text.contains("good"), "{text}");
    assert!(!text.contains("level 4"), "no game is announced: {text}");
    assert!(!text.contains(|c: char| c.is_control() && c != '\n' || c == '\u{202e}'), "{text:?}");
    let wrong = play(&["--level", "\x1b[31m"], b"");
    assert_eq!(code(&wrong), Some(2));
    assert!(!wrong.stderr.contains(&0x1b), "{}", String::from_utf8_lossy(&wrong.stderr));
}

#[test]
fn games_are_stored_for_a_profile() {
    let folder = tempfile::tempdir().expect("a folder");
    let database = folder.path().join("riga.db");
    let database = database.to_str().expect("UTF-8");
    let input = b"e4\ne5\nd4\nundo\nNf3\ndraw\n";
    let output = play(&["--two", "--user", "Misha", "--database", database], input);
    assert!(said(&output).contains("Draw by agreement."), "{}", said(&output));
    let export = Command::new(env!("CARGO_BIN_EXE_riga"))
        .args(["export", "--user", "Misha", "--database", database])
        .output()
        .expect("the binary runs");
    let pgn = said(&export);
    assert!(pgn.contains("1. e4 e5 2. Nf3 1/2-1/2") && pgn.contains("\"Misha\""), "{pgn}");
    assert!(Path::new(database).exists());
}

#[test]
fn a_game_that_was_left_goes_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let database = folder.path().join("riga.db");
    let database = database.to_str().expect("UTF-8");
    let output = play(&["--continue", "--database", database], b"");
    assert_eq!(code(&output), Some(1), "there is none");
    play(&["--level", "1", "--time", "600", "--database", database], b"e4\nquit\n");
    let output = play(&["--continue", "--database", database], b"undo\nd4\nresign\npgn\n");
    let text = said(&output);
    assert_eq!(code(&output), Some(0), "{text}");
    assert!(text.contains("Guest plays 1. e4") && text.contains("Guest plays 1. d4"), "{text}");
    let export = Command::new(env!("CARGO_BIN_EXE_riga"))
        .args(["export", "--database", database])
        .output()
        .expect("the binary runs");
    let pgn = said(&export);
    assert_eq!(pgn.matches("[White ").count(), 1, "{pgn}");
    assert!(pgn.contains("1. d4 ") && pgn.contains(" 0-1"), "{pgn}");
}

/// All games of a database, as PGN.
fn exported(database: &str) -> String {
    let export = Command::new(env!("CARGO_BIN_EXE_riga"))
        .args(["export", "--database", database])
        .output()
        .expect("the binary runs");
    said(&export)
}

#[test]
fn a_server_does_not_run_the_clocks_of_games_that_a_terminal_has_left() {
    let place = Place::sqlite();
    let args = ["--level", "1", "--time", "2", "--database", &*place.database];
    // One game is left, of another the terminal is killed, and in a third a move was taken back.
    play(&args, b"e4\nquit\n");
    let mut killed = start(&args);
    killed.stdin.as_mut().expect("a pipe").write_all(b"d4\n").expect("it reads");
    let lines = BufReader::new(killed.stdout.take().expect("a pipe")).lines();
    let answer = lines.map_while(Result::ok).find(|line| line.contains("level 1 plays 1... "));
    answer.expect("the engine answers");
    // The answer is stored before it is told, or while it is.
    std::thread::sleep(Duration::from_millis(300));
    killed.kill().expect("it runs");
    killed.wait().expect("it has ended");
    play(&args, b"c4\nNf3\nundo\nquit\n");
    let server = Served::start(&place, &[]);
    std::thread::sleep(Duration::from_secs(4));
    assert!(server.stop());
    let pgn = exported(&place.database);
    assert_eq!(pgn.matches("[Result \"*\"]").count(), 3, "{pgn}");
    // The game goes on with the time that was left.
    let output = play(&["--continue", "--database", &place.database], b"e4\nquit\n");
    assert_eq!(code(&output), Some(0), "{}", said(&output));
    // Lines may be broken anywhere between two words.
    let pgn = exported(&place.database).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(pgn.contains(" 2. e4 { [%clk 0:00:0"), "{}\n{pgn}", said(&output));
}

#[test]
fn a_game_against_another_engine_goes_on_with_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let database = folder.path().join("riga.db");
    let database = database.to_str().expect("UTF-8");
    let engine = format!("{} uci", env!("CARGO_BIN_EXE_riga"));
    let continued = ["--continue", "--database", database];
    play(&["--engine", &engine, "--time", "60", "--database", database], b"e4\nquit\n");
    let output = play(&continued, b"d4\n");
    assert_refused(&output, &format!("riga play --continue --database {database} --engine riga"));
    let output = play(&[&continued[..], &["--engine", &engine]].concat(), b"d4\nresign\n");
    let text = said(&output);
    assert_eq!(code(&output), Some(0), "{text}");
    assert!(text.contains("riga plays 1... ") && text.contains("riga plays 2... "), "{text}");
    assert!(text.contains("You lost. Black wins by resignation."), "{text}");
    assert!(exported(database).contains("[BlackType \"program\"]"));

    play(&["--level", "1", "--database", database], b"e4\nquit\n");
    let output = play(&[&continued[..], &["--engine", &engine]].concat(), b"d4\n");
    assert_refused(&output, "Leave out --engine");
}

#[test]
fn bad_arguments_are_refused_with_what_is_allowed() {
    for (args, told) in [
        (&["--level", "11"][..], "levels are 1 to 10"),
        (&["--side", "green"], "allowed are white, black and random"),
        (&["--time", "soon"], "is not a time control"),
        (&["--time", "0"], "it gives no time"),
        (&["--fen", "8/8/8/8/8/8/8/8 w - - 0 1"], "White has no king"),
        (&["--chess960", "960"], "0 to 959"),
        (&["--colors", "many"], "truecolor"),
        (&["--server", "http://127.0.0.1:1"], "--game"),
        (&["--game", "abc"], "--server"),
        (&["--invitation", "http://127.0.0.1:1/play/abc#seat=x"], "needs a terminal"),
    ] {
        let output = play(args, b"");
        let told_ = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(code(&output), Some(2), "{args:?}: {told_}");
        assert!(told_.contains(told), "{args:?}: {told_}");
    }
}
