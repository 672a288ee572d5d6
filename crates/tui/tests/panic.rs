//! A panic gives the terminal back before its message is printed. The test is also the program that
//! panics: it starts itself again inside of tmux.

#![cfg(unix)]

use std::env;
use std::process::{Command, Output};
use std::sync::Arc;
use std::thread::sleep;
use std::time::{Duration, Instant};

use chess::Color;
use game::Level;
use tui::{Depth, Look, Makers, Pairing, Preferences, Shell, Theme};

/// Set in the process that is to panic.
const INSIDE: &str = "RIGA_PANIC_INSIDE";

fn tmux(socket: &str, args: &[&str]) -> Output {
    let tmux = Command::new("tmux").args(["-L", socket]).args(args).env_remove("TMUX").output();
    tmux.expect("tmux is missing. Type: sudo apt-get install tmux")
}

fn screen(socket: &str) -> String {
    String::from_utf8_lossy(&tmux(socket, &["capture-pane", "-p"]).stdout).into_owned()
}

fn wait_for(socket: &str, text: &str) -> String {
    let end = Instant::now() + Duration::from_mins(1);
    loop {
        let screen = screen(socket);
        if screen.contains(text) {
            return screen;
        }
        assert!(Instant::now() < end, "{text} is missing:\n{screen}");
        sleep(Duration::from_millis(20));
    }
}

/// A board whose engine panics when it is asked for the first move.
fn panic_inside() {
    let look = Look { depth: Depth::None, theme: Theme::Brown, ascii: true };
    let level = Level::new(1).expect("there are ten");
    let pairing = Pairing { color: Color::Black, ..Pairing::new("Misha", level) };
    let preferences =
        Preferences { look, pairing, ask: false, analyse: false, plain: false, note: None };
    let own: tui::MakeAnalyst = Arc::new(|| panic!("the engine is on fire"));
    let makers = Makers { own, program: None };
    let shell =
        Shell { preferences, makers, keeper: None, connection: None, shown: None, resume: None };
    println!("ended with {:?}", tui::run(shell));
}

#[test]
fn a_panic_gives_the_terminal_back() {
    if env::var_os(INSIDE).is_some() {
        panic_inside();
        return;
    }
    let socket = format!("riga-panic-{}", std::process::id());
    let shell = ["-f", "/dev/null", "new-session", "-d", "-x", "80", "-y", "24", "sh"];
    assert!(tmux(&socket, &shell).status.success());
    let program = env::current_exe().expect("this program");
    // The quotes keep what is typed from looking like what is printed.
    let mode = "stty -a | grep -q -- -icanon && echo mode:\"raw\" || echo mode:\"cooked\"";
    let test = "--exact a_panic_gives_the_terminal_back --nocapture";
    let line = format!("{INSIDE}=1 RUST_BACKTRACE=0 {} {test}; {mode}", program.display());
    assert!(tmux(&socket, &["send-keys", &line, "Enter"]).status.success());
    let told = wait_for(&socket, "ended with Err(Panicked)");
    let flags = tmux(&socket, &["display-message", "-p", "#{alternate_on} #{mouse_any_flag}"]);
    wait_for(&socket, "mode:cooked");
    let _ = tmux(&socket, &["kill-server"]);
    assert!(told.contains("the engine is on fire"), "{told}");
    assert_eq!(String::from_utf8_lossy(&flags.stdout).trim(), "0 0");
}
