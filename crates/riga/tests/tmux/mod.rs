//! A terminal for tests: a tmux server of its own, ended with the test.

use std::process::{Command, Output};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// How long to wait for something to appear.
const PATIENCE: Duration = Duration::from_mins(1);

/// How often to look.
const LOOK: Duration = Duration::from_millis(10);

/// A terminal with a shell in it.
pub struct Terminal {
    socket: String,
    /// Where the shell runs; it is also its home.
    pub folder: tempfile::TempDir,
}

impl Terminal {
    /// A shell in a terminal of this size.
    pub fn open(columns: u16, rows: u16) -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let socket = format!("riga-{}-{number}", std::process::id());
        let folder = tempfile::tempdir().expect("a folder");
        let terminal = Self { socket, folder };
        let (columns, rows) = (columns.to_string(), rows.to_string());
        let home = terminal.folder.path().to_str().expect("UTF-8").to_owned();
        let shell = "env PS1='$ ' bash --norc --noprofile";
        let begun = terminal.tmux(&[
            "-f",
            "/dev/null",
            "new-session",
            "-d",
            "-x",
            &columns,
            "-y",
            &rows,
            "-c",
            &home,
            shell,
        ]);
        assert!(begun.status.success(), "{}", String::from_utf8_lossy(&begun.stderr));
        terminal.wait_for("$");
        terminal
    }

    fn tmux(&self, args: &[&str]) -> Output {
        let home = self.folder.path();
        Command::new("tmux")
            .args(["-L", &self.socket])
            .args(args)
            .env_remove("TMUX")
            .env_remove("RIGA_CONFIG")
            .env_remove("NO_COLOR")
            .env("HOME", home)
            .env("XDG_DATA_HOME", home)
            .env("XDG_CONFIG_HOME", home)
            .env("LC_ALL", "C.UTF-8")
            .output()
            .expect("tmux is missing. Type: sudo apt-get install tmux")
    }

    /// Types a line into the shell that runs riga.
    pub fn run_riga(&self, arguments: &str) {
        self.line(&format!("{} {arguments}", env!("CARGO_BIN_EXE_riga")));
    }

    /// Types a text and presses Enter.
    pub fn line(&self, text: &str) {
        self.text(text);
        self.key("Enter");
    }

    /// Types a text as it is, escape sequences included.
    pub fn text(&self, text: &str) {
        assert!(self.tmux(&["send-keys", "-l", text]).status.success());
    }

    /// Presses a key, by tmux's name for it.
    pub fn key(&self, name: &str) {
        assert!(self.tmux(&["send-keys", name]).status.success());
    }

    /// Pastes a text, as a terminal with bracketed paste does.
    pub fn paste(&self, text: &str) {
        assert!(self.tmux(&["set-buffer", text]).status.success());
        assert!(self.tmux(&["paste-buffer", "-p"]).status.success());
    }

    /// Clicks at a column and row, counted from 0.
    pub fn click(&self, column: u16, row: u16) {
        let (column, row) = (column + 1, row + 1);
        self.text(&format!("\x1b[<0;{column};{row}M"));
        self.text(&format!("\x1b[<0;{column};{row}m"));
    }

    /// Changes the size.
    pub fn resize(&self, columns: u16, rows: u16) {
        let (columns, rows) = (columns.to_string(), rows.to_string());
        assert!(self.tmux(&["resize-window", "-x", &columns, "-y", &rows]).status.success());
    }

    /// What is on the screen.
    pub fn screen(&self) -> String {
        String::from_utf8_lossy(&self.tmux(&["capture-pane", "-p"]).stdout).into_owned()
    }

    /// Waits until a text is on the screen; returns how long it took.
    pub fn wait_for(&self, text: &str) -> Duration {
        self.wait_until(text, |screen| screen.contains(text))
    }

    /// Waits until the screen is as wanted; returns how long it took.
    pub fn wait_until(&self, what: &str, wanted: impl Fn(&str) -> bool) -> Duration {
        let start = Instant::now();
        loop {
            let screen = self.screen();
            if wanted(&screen) {
                return start.elapsed();
            }
            assert!(start.elapsed() < PATIENCE, "{what} is missing:\n{screen}");
            sleep(LOOK);
        }
    }

    /// The process id of riga, which runs in the shell.
    pub fn riga(&self) -> String {
        let shell = self.tmux(&["display-message", "-p", "#{pane_pid}"]).stdout;
        let shell = String::from_utf8_lossy(&shell).trim().to_owned();
        let start = Instant::now();
        loop {
            let children = format!("/proc/{shell}/task/{shell}/children");
            let children = std::fs::read_to_string(children).unwrap_or_default();
            if let Some(id) = children.split_whitespace().next() {
                return id.to_owned();
            }
            assert!(start.elapsed() < PATIENCE, "riga doesn't run");
            sleep(LOOK);
        }
    }

    /// Checks that the shell has its terminal back, and how riga has ended.
    pub fn is_restored(&self, code: i32) {
        self.wait_until("the shell", |screen| screen.trim_end().ends_with('$'));
        self.line("echo ended:$? modes:$(stty -a | grep -o -- '-\\?icanon')");
        self.wait_for(&format!("ended:{code} modes:icanon"));
        let mouse = self.tmux(&["display-message", "-p", "#{mouse_any_flag} #{alternate_on}"]);
        assert_eq!(String::from_utf8_lossy(&mouse.stdout).trim(), "0 0");
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.tmux(&["kill-server"]);
    }
}
