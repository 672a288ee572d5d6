//! The terminal while the board is on it, and as it was before.

use std::io::{self, BufWriter, Stdout, stdout};
use std::panic;

use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::cursor::Show;
use ratatui::crossterm::event::{
    DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste, EnableMouseCapture,
};
use ratatui::crossterm::execute;
use ratatui::crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};

use crate::app::App;
use crate::view::{Sheet, draw};

/// The terminal while the board is on it. Dropping it brings back what was there before.
pub(super) struct Screen {
    terminal: Terminal<CrosstermBackend<BufWriter<Stdout>>>,
    sheet: Sheet,
}

impl Screen {
    /// Takes the terminal over. A panic gives it back before its message is printed.
    pub fn enter() -> io::Result<Self> {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            leave();
            before(info);
        }));
        take_over().inspect_err(|_| leave())?;
        let output = BufWriter::with_capacity(1 << 16, stdout());
        let terminal = Terminal::new(CrosstermBackend::new(output)).inspect_err(|_| leave())?;
        Ok(Self { terminal, sheet: Sheet::default() })
    }

    /// Columns and rows.
    pub fn size(&self) -> io::Result<(u16, u16)> {
        self.terminal.size().map(|size| (size.width, size.height))
    }

    /// Draws what has changed.
    pub fn draw(&mut self, app: &App) -> io::Result<()> {
        self.terminal.draw(|frame| draw(app, &mut self.sheet, frame)).map(drop)
    }

    /// Forgets what is on the screen, so that everything is drawn again.
    pub fn forget(&mut self) -> io::Result<()> {
        self.sheet.forget();
        // Clearing would ask the terminal where its cursor is, and another thread reads the answer.
        let size = self.terminal.size()?;
        self.terminal.resize(size.into())
    }

    /// Gives the terminal back for a while.
    pub fn pause() {
        leave();
    }

    /// Takes the terminal over again.
    pub fn resume(&mut self) -> io::Result<()> {
        take_over()?;
        self.forget()
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        leave();
    }
}

fn take_over() -> io::Result<()> {
    enable_raw_mode()?;
    execute!(stdout(), EnterAlternateScreen, EnableMouseCapture, EnableBracketedPaste)
}

/// Restores the terminal. There is nothing to be done if it is gone.
fn leave() {
    let _ =
        execute!(stdout(), DisableBracketedPaste, DisableMouseCapture, LeaveAlternateScreen, Show);
    let _ = disable_raw_mode();
}
