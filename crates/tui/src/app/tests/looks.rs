//! What the board looks like, and how long it takes to draw.

use std::time::{Duration, Instant};

use game::live::Moment;
use ratatui::Terminal;
use ratatui::backend::{CrosstermBackend, TestBackend};
use ratatui::crossterm::event::{KeyCode, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};

use super::{app, click, enter, pairing, picture, preferences, press, shared, shows};
use crate::app::{App, Look, Preferences};
use crate::theme::{Depth, Theme};
use crate::traffic::Incoming;
use crate::view::{Sheet, draw};

#[test]
fn pictures_are_as_they_were_drawn_before() {
    let mut app = shared();
    for line in ["e4", "e5", "Nf3"] {
        enter(&mut app, line);
    }
    click(&mut app, "b8");
    for (columns, rows) in [(44, 14), (80, 24), (120, 40)] {
        app.hear(Incoming::Resize(columns, rows), Moment(1_000));
        let name = format!("src/app/pictures/{columns}x{rows}.txt");
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
        let drawn = picture(&app).join("\n") + "\n";
        if std::env::var_os("RIGA_DRAW_AGAIN").is_some() {
            std::fs::write(&path, &drawn).expect("written");
        }
        let known = std::fs::read_to_string(&path).unwrap_or_default();
        assert_eq!(drawn, known, "RIGA_DRAW_AGAIN=1 draws them again");
    }
}

#[test]
fn the_moves_are_those_of_the_game_shown() {
    let mut app = shared();
    let mut sheet = Sheet::default();
    let mut terminal = Terminal::new(TestBackend::new(80, 24)).expect("a test terminal");
    let mut drawn = |app: &App| {
        terminal.draw(|frame| draw(app, &mut sheet, frame)).expect("it is drawn");
        let buffer = terminal.backend().buffer();
        buffer.content.iter().map(ratatui::buffer::Cell::symbol).collect::<String>()
    };
    drawn(&app);
    for (pgn, moves) in [
        ("[White \"A\"]\n\n1. e4 {the best} e5 1-0\n", ["e4", "the best"]),
        ("[White \"B\"]\n\n1. d4 {the second best} d5 1-0\n", ["d4", "the second best"]),
    ] {
        let game = game::pgn::Reader::new(pgn.as_bytes()).games().next();
        let game = game.expect("a game").expect("no mistakes");
        app.hear(Incoming::Loaded(Ok(Box::new(game))), Moment(1_000));
        let text = drawn(&app);
        for part in moves {
            assert!(text.contains(part), "{part} in {text}");
        }
    }
}

#[test]
fn a_narrow_row_of_keys_keeps_those_that_end_a_game() {
    let mut app = shared();
    app.hear(Incoming::Resize(44, 14), Moment(1_000));
    let keys = |app: &App| {
        let rows = picture(app);
        let row = rows.iter().find(|row| row.trim_start().starts_with("F1 "));
        row.expect("a row of keys").trim().to_owned()
    };
    assert_eq!(keys(&app), "F1 Help F4 Undo F7 Draw F8 Resign F10 Quit");
    for line in ["f3", "e5", "g4", "Qh4"] {
        enter(&mut app, line);
    }
    assert_eq!(keys(&app), "F1 Help F2 New F7 Rematch F8 Review F10 Quit");
    app.hear(Incoming::Resize(80, 24), Moment(1_000));
    assert!(keys(&app).starts_with("F1 Help F2 New F3 Hint F4 Undo F5 Flip F6 Lines F7 Rematch"));
}

#[test]
fn what_a_player_must_know_is_said_before_the_first_game() {
    let told = Preferences { note: Some("games aren't stored"), ..preferences(pairing()) };
    let mut app = App::new(told, (80, 24), Moment(0));
    assert_eq!(app.notice.text, "Games aren't stored. F1 for help");
    assert!(shows(&app, "Games aren't stored."));
    enter(&mut app, "new");
    press(&mut app, KeyCode::Enter);
    assert!(app.notice.text.starts_with("Type a move"), "{}", app.notice.text);
}

#[test]
fn a_small_terminal_says_what_it_needs() {
    let mut app = app();
    app.hear(Incoming::Resize(20, 5), Moment(0));
    let text = picture(&app).join(" ");
    assert!(text.contains("Too small: 20x5.") && text.contains("80x24"), "{text}");
    mouse_anywhere(&mut app);
    app.hear(Incoming::Resize(80, 24), Moment(0));
    assert!(shows(&app, "Misha"));
}

fn mouse_anywhere(app: &mut App) {
    let kind = MouseEventKind::Down(MouseButton::Left);
    let event = MouseEvent { kind, column: 3, row: 3, modifiers: KeyModifiers::NONE };
    app.hear(Incoming::Mouse(event), Moment(0));
}

/// A frame at 60 Hz is 16 ms; the terminal itself needs most of it.
#[test]
fn a_move_is_drawn_in_time() {
    let mut app = shared();
    app.hear(Incoming::Resize(200, 60), Moment(0));
    app.look = Look { depth: Depth::True, theme: Theme::Brown, ascii: false };
    let mut terminal = Terminal::with_options(
        CrosstermBackend::new(Vec::new()),
        ratatui::TerminalOptions {
            viewport: ratatui::Viewport::Fixed(ratatui::layout::Rect::new(0, 0, 200, 60)),
        },
    )
    .expect("a terminal");
    let mut sheet = Sheet::default();
    terminal.draw(|frame| draw(&app, &mut sheet, frame)).expect("drawn");
    let mut times = Vec::new();
    for line in ["e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "Ba4", "Nf6", "O-O", "Be7"] {
        let start = Instant::now();
        enter(&mut app, line);
        terminal.draw(|frame| draw(&app, &mut sheet, frame)).expect("drawn");
        times.push(start.elapsed());
    }
    times.sort();
    println!("a move takes {:?}", times[times.len() / 2]);
    assert!(times[times.len() / 2] < Duration::from_millis(16), "{times:?}");
}
