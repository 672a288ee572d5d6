//! Tests of the board without a terminal, and what they share.

mod looks;
mod play;
mod random;

use std::time::Duration;

use chess::Square;
use engine::Verdict;
use game::Level;
use game::live::Moment;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::crossterm::event::{
    KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};

use super::{App, Look, Preferences};
use crate::pairing::{Opponent, Pairing};
use crate::theme::{Depth, Theme};
use crate::traffic::{Effect, Incoming};
use crate::view::{Layout, Sheet, draw};

const LOOK: Look = Look { depth: Depth::None, theme: Theme::Brown, ascii: true };

fn pairing() -> Pairing {
    Pairing::new("Misha", Level::new(3).expect("there are ten"))
}

fn preferences(pairing: Pairing) -> Preferences {
    Preferences { look: LOOK, pairing, ask: false, analyse: false, plain: false, note: None }
}

/// A game against the engine, at move 1.
fn app() -> App {
    App::new(preferences(pairing()), (80, 24), Moment(1_000))
}

/// A game of two people at the terminal.
fn shared() -> App {
    let opponent = Opponent::Person("Bob".to_owned());
    App::new(preferences(Pairing { opponent, ..pairing() }), (80, 24), Moment(1_000))
}

fn press(app: &mut App, code: KeyCode) {
    let now = app.now;
    app.hear(Incoming::Key(KeyEvent::new(code, KeyModifiers::NONE)), now);
}

fn enter(app: &mut App, line: &str) {
    for letter in line.chars() {
        press(app, KeyCode::Char(letter));
    }
    press(app, KeyCode::Enter);
}

fn mouse(app: &mut App, kind: MouseEventKind, square: &str) {
    let layout = Layout::of(app).expect("large enough");
    let square: Square = square.parse().expect("a square");
    let place = layout.square(square, app.flipped);
    let (column, row) = (place.x + 1, place.y);
    let event = MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE };
    let now = app.now;
    app.hear(Incoming::Mouse(event), now);
}

fn click(app: &mut App, square: &str) {
    mouse(app, MouseEventKind::Down(MouseButton::Left), square);
    mouse(app, MouseEventKind::Up(MouseButton::Left), square);
}

/// The picture, line by line.
fn picture(app: &App) -> Vec<String> {
    let (columns, rows) = app.size;
    let mut terminal = Terminal::new(TestBackend::new(columns, rows)).expect("a test terminal");
    terminal.draw(|frame| draw(app, &mut Sheet::default(), frame)).expect("it is drawn");
    let buffer = terminal.backend().buffer();
    let row = |y: u16| (0..columns).map(|x| buffer[(x, y)].symbol()).collect::<String>();
    (0..rows).map(|y| row(y).trim_end().to_owned()).collect()
}

fn shows(app: &App, text: &str) -> bool {
    picture(app).iter().any(|row| row.contains(text))
}

fn moves(app: &App) -> String {
    app.study.game.to_string().lines().last().unwrap_or_default().to_owned()
}

/// The request for the engine's move.
fn asked(app: &mut App) -> Option<u64> {
    app.take_effects().into_iter().rev().find_map(|effect| match effect {
        Effect::Think { ticket, .. } => Some(ticket),
        _ => None,
    })
}

fn answer(app: &mut App, ticket: u64, san: &str) {
    let best = app.table.live.line().position().parse_san(san).expect("a move");
    let verdict = Verdict { best, ponder: None, lines: Vec::new(), time: Duration::ZERO };
    let now = app.now;
    app.hear(Incoming::Decided { ticket, answer: Ok(verdict) }, now);
}
