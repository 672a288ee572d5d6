//! The terminal board from a player's side, in a real terminal.

use std::process::Command;
use std::time::Duration;

use serde_json::json;

mod served;
mod tmux;

use served::{Place, Served};
use tmux::Terminal;

/// The place of a square at 80x24, with White at the bottom.
fn place(square: &str) -> (u16, u16) {
    let bytes = square.as_bytes();
    let (file, rank) = (u16::from(bytes[0] - b'a'), u16::from(bytes[1] - b'1'));
    (4 + 4 * file + 1, 1 + 2 * (7 - rank))
}

fn click(terminal: &Terminal, square: &str) {
    let (column, row) = place(square);
    terminal.click(column, row);
}

#[test]
fn two_people_play_a_whole_game_and_find_it_in_the_database() {
    let terminal = Terminal::open(80, 24);
    terminal.run_riga("play --name Anna --two Bob --ascii --colors none");
    terminal.wait_for("F1 Help");
    for (line, seen) in [("f3", "1. f3"), ("e5", "e5"), ("g2g4", "2. g4")] {
        terminal.line(line);
        terminal.wait_for(seen);
    }
    terminal.line("Qh4");
    terminal.wait_for("Black wins by checkmate.");
    terminal.wait_for("Qh4#");
    // The review comes by itself.
    terminal.wait_for("White: accuracy");
    terminal.key("Escape");
    terminal.wait_until("the end of the review", |screen| !screen.contains("White: accuracy"));
    terminal.key("Home");
    terminal.key("Right");
    terminal.line("save game.pgn");
    terminal.wait_for("Saved to game.pgn");
    terminal.line("quit");
    terminal.is_restored(0);
    let saved = std::fs::read_to_string(terminal.folder.path().join("game.pgn")).expect("saved");
    assert!(saved.contains("1. f3 e5 2. g4 Qh4# 0-1"), "{saved}");
    let stored = Command::new(env!("CARGO_BIN_EXE_riga"))
        .args(["export", "--database"])
        .arg(terminal.folder.path().join("riga/riga.db"))
        .output()
        .expect("riga runs");
    let stored = String::from_utf8_lossy(&stored.stdout).into_owned();
    assert!(stored.contains("1. f3 e5 2. g4 Qh4# 0-1"), "{stored}");
    assert!(stored.contains("[White \"Anna\"]") && stored.contains("[Black \"Bob\"]"), "{stored}");
}

#[test]
fn the_engine_answers_a_move_made_with_the_mouse() {
    let terminal = Terminal::open(80, 24);
    terminal.run_riga("play --level 1 --no-save --ascii");
    terminal.wait_for("F1 Help");
    click(&terminal, "e2");
    terminal.wait_for("*");
    click(&terminal, "e4");
    terminal.wait_until("the engine's move", |screen| {
        screen.lines().any(|line| {
            let moves = line.split("1. e4").nth(1).map(str::trim);
            moves.is_some_and(|answer| answer.len() >= 2)
        })
    });
    // The buttons can be clicked, too: Undo is the fourth.
    let row = terminal.screen().lines().position(|line| line.contains("F4 Undo"));
    terminal.click(25, row.expect("a row of buttons") as u16);
    terminal.wait_for("Taken back");
    terminal.line("resign");
    terminal.wait_for("Resign this game?");
    terminal.text("y");
    terminal.wait_for("You lost. Black wins by resignation.");
    terminal.key("F10");
    terminal.is_restored(0);
}

#[test]
fn the_board_survives_resizing_pasting_and_bad_input() {
    let terminal = Terminal::open(80, 24);
    terminal.run_riga("play --two --no-save --ascii");
    terminal.wait_for("F1 Help");
    terminal.line("e4");
    terminal.wait_for("1. e4");
    terminal.resize(20, 5);
    terminal.wait_for("Too small");
    terminal.resize(200, 60);
    terminal.wait_for("1. e4");
    terminal.resize(80, 24);
    terminal.wait_for("F10 Quit");
    for (line, told) in [
        ("e4", "e4: not a legal move here"),
        ("xyzzy", "xyzzy: not a move"),
        ("load /no/such/file", "Finish or resign this game first"),
        ("save /no/such/folder/x.pgn", "/no/such/folder/x.pgn: "),
        ("Ω≈ç√", "Ω≈ç√: not a move"),
    ] {
        terminal.line(line);
        terminal.wait_for(told);
    }
    terminal.paste("e5\n");
    terminal.wait_for("> e5");
    terminal.key("Enter");
    terminal.wait_until("the move that was pasted", |screen| {
        screen.lines().any(|line| line.contains("1. e4") && line.contains("e5"))
    });
    terminal.paste("1. d4 d5\n2. c4 *\n");
    terminal.wait_for("Finish or resign this game first");
    // Half an escape sequence, unknown keys.
    terminal.text("\x1b[999;999;999~\x1b[<0;500;500M");
    terminal.key("Escape");
    terminal.line("moves");
    terminal.wait_for("Legal moves");
    terminal.key("Escape");
    terminal.key("C-c");
    terminal.is_restored(0);
}

#[test]
fn ctrl_z_goes_to_the_background_and_fg_comes_back() {
    let terminal = Terminal::open(80, 24);
    terminal.run_riga("play --two --no-save");
    terminal.wait_for("F1 Help");
    terminal.line("d4");
    terminal.wait_for("1. d4");
    for _ in 0..2 {
        terminal.key("C-z");
        terminal.wait_for("Stopped");
        terminal.line("echo $((6 * 7))");
        terminal.wait_for("42");
        terminal.line("fg");
        terminal.wait_for("1. d4");
        terminal.line("clear");
        terminal.wait_for("clear: not a move");
    }
    terminal.line("d5");
    terminal.wait_for("d5");
    terminal.line("quit");
    terminal.is_restored(0);
}

#[test]
fn a_signal_gives_the_terminal_back() {
    let terminal = Terminal::open(80, 24);
    terminal.run_riga("play --level 2 --no-save");
    terminal.wait_for("F1 Help");
    let id = terminal.riga();
    assert!(Command::new("kill").args(["-TERM", &id]).status().expect("kill runs").success());
    terminal.is_restored(128 + 15);
}

/// The best of several runs counts: the machine may be busy.
#[test]
fn the_first_picture_comes_at_once() {
    let terminal = Terminal::open(80, 24);
    let mut times = Vec::new();
    for _ in 0..8 {
        terminal.line("clear");
        terminal.wait_until("an empty screen", |screen| screen.trim() == "$");
        terminal.run_riga("play --level 3 --no-save");
        times.push(terminal.wait_for("F1 Help"));
        terminal.key("C-c");
        terminal.wait_until("the shell", |screen| !screen.contains("F1 Help"));
    }
    times.sort();
    println!("first picture, with tmux: {times:?}");
    assert!(times[0] < Duration::from_millis(100), "{times:?}");
}

#[test]
fn a_game_on_a_server_is_played_in_the_terminal() {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let place = Place::sqlite();
    let server = Served::start(&place, &[]);
    let created: serde_json::Value = runtime.block_on(async {
        let new = json!({ "opponent": { "type": "engine", "level": 1 }, "side": "white" });
        let url = format!("{}/api/games", server.url);
        let response = reqwest::Client::new().post(url).json(&new).send().await.expect("sent");
        response.json().await.expect("JSON")
    });
    let (id, seat) = (created["game"]["id"].as_str(), created["seat"].as_str());
    let (id, seat) = (id.expect("an id"), seat.expect("a secret"));
    let terminal = Terminal::open(80, 24);
    terminal.run_riga(&format!("play --server {} --game {id} --seat {seat}", server.url));
    terminal.wait_for("Riga, level 1");
    terminal.line("e4");
    terminal.wait_until("the engine's move", |screen| {
        screen.lines().any(|line| {
            let moves = line.split("1. e4").nth(1).map(str::trim);
            moves.is_some_and(|answer| answer.len() >= 2)
        })
    });
    terminal.line("Ke3");
    terminal.wait_for("Ke3: not a legal move here");
    terminal.line("undo");
    terminal.wait_until("the takeback", |screen| !screen.contains("1. e4"));
    terminal.line("d4");
    terminal.wait_for("1. d4");
    terminal.line("resign");
    terminal.text("y");
    terminal.wait_for("You lost. Black wins by resignation.");
    terminal.line("quit");
    terminal.is_restored(0);
}

/// A friend game; returns its id and the secret of the invitation.
fn invited(server: &Served) -> (String, String) {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let created: serde_json::Value = runtime.block_on(async {
        let new = json!({ "opponent": { "type": "friend" }, "side": "white" });
        let url = format!("{}/api/games", server.url);
        let response = reqwest::Client::new().post(url).json(&new).send().await.expect("sent");
        response.json().await.expect("JSON")
    });
    let (id, secret) = (created["game"]["id"].as_str(), created["friend"].as_str());
    (id.expect("an id").to_owned(), secret.expect("a secret").to_owned())
}

#[test]
fn the_link_of_an_invitation_is_enough() {
    let place = Place::sqlite();
    let server = Served::start(&place, &[]);
    let (id, secret) = invited(&server);
    let terminal = Terminal::open(120, 24);
    terminal.run_riga(&format!("play --invitation '{}/play/{id}#seat={secret}'", server.url));
    terminal.wait_for("F1 Help");
    terminal.wait_for("Connected");
    terminal.key("F10");
    terminal.wait_for("To go back to this game:");
    terminal.wait_for(&format!("--game {id} --seat "));
    terminal.is_restored(0);
}

#[test]
fn a_game_or_a_server_that_is_not_there_is_an_error() {
    let place = Place::sqlite();
    let server = Served::start(&place, &[]);
    let terminal = Terminal::open(120, 24);
    for url in [&*server.url, "http://127.0.0.1:1"] {
        terminal.line("clear");
        terminal.run_riga(&format!("play --server {url} --game nosuch"));
        terminal.wait_for(&format!("error: {url}: "));
        terminal.is_restored(1);
    }
}

#[test]
fn a_game_that_is_left_says_how_to_go_on() {
    let terminal = Terminal::open(80, 24);
    let command = "riga play --continue --database games.db --user Misha";
    terminal.run_riga("play --level 1 --user Misha --database games.db");
    for key in ["F10", "C-c"] {
        terminal.wait_for("F1 Help");
        if key == "F10" {
            terminal.line("e4");
            terminal.wait_for("1. e4");
        }
        terminal.key(key);
        terminal.wait_for("To go on with this game:");
        terminal.wait_for(command);
        terminal.is_restored(0);
        terminal.line("clear");
        terminal.run_riga(command.strip_prefix("riga ").expect("its name"));
    }
    terminal.wait_for("F1 Help");
    terminal.line("resign");
    terminal.text("y");
    terminal.wait_for("You lost. Black wins by resignation.");
    terminal.key("F10");
    terminal.is_restored(0);
    let screen = terminal.screen();
    assert!(!screen.contains("To go on"), "the game is over: {screen}");
}
