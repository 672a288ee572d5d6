//! Random events at random sizes.

use std::time::Duration;

use engine::Verdict;
use game::Level;
use game::live::Moment;
use proptest::prelude::*;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::crossterm::event::{
    KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};

use super::{pairing, preferences};
use crate::app::{App, Look, Preferences};
use crate::pairing::{Opponent, Pairing};
use crate::theme::{Depth, Theme};
use crate::traffic::{Effect, Incoming};
use crate::view::{Sheet, draw};

/// Something that may happen at any time.
fn anything() -> impl Strategy<Value = Incoming> {
    let code = prop_oneof![
        5 => prop::sample::select(vec![
            KeyCode::Enter, KeyCode::Esc, KeyCode::Tab, KeyCode::BackTab, KeyCode::Left,
            KeyCode::Right, KeyCode::Up, KeyCode::Down, KeyCode::Home, KeyCode::End,
            KeyCode::PageUp, KeyCode::PageDown, KeyCode::Backspace, KeyCode::Delete,
        ]),
        2 => (1_u8..13).prop_map(KeyCode::F),
        4 => prop::sample::select(" abcdefgh12345678NBRQKO-x=yn?".chars().collect::<Vec<_>>())
            .prop_map(KeyCode::Char),
        1 => any::<char>().prop_map(KeyCode::Char),
    ];
    let modifiers = prop::sample::select(vec![
        KeyModifiers::NONE,
        KeyModifiers::NONE,
        KeyModifiers::SHIFT,
        KeyModifiers::CONTROL,
        KeyModifiers::ALT,
    ]);
    let key = (code, modifiers).prop_map(|(code, modifiers)| KeyEvent::new(code, modifiers));
    let kind = prop::sample::select(vec![
        MouseEventKind::Down(MouseButton::Left),
        MouseEventKind::Up(MouseButton::Left),
        MouseEventKind::Down(MouseButton::Right),
        MouseEventKind::ScrollUp,
        MouseEventKind::ScrollDown,
        MouseEventKind::Moved,
    ]);
    let mouse = (kind, 0_u16..140, 0_u16..50).prop_map(|(kind, column, row)| MouseEvent {
        kind,
        column,
        row,
        modifiers: KeyModifiers::NONE,
    });
    let words: Vec<String> = crate::order::WORDS.iter().map(|word| word.name.to_owned()).collect();
    let pasted = prop_oneof![
        any::<String>(),
        prop::sample::select(words),
        prop::sample::select(vec!["e4", "e5", "Nf3", "Nc6", "1. e4 e5 (1... c5)\n2. Nf3 *\n"])
            .prop_map(str::to_owned),
    ];
    prop_oneof![
        8 => key.prop_map(Incoming::Key),
        6 => mouse.prop_map(Incoming::Mouse),
        4 => pasted.prop_map(Incoming::Paste),
        1 => (0_u16..230, 0_u16..70).prop_map(|(columns, rows)| Incoming::Resize(columns, rows)),
        1 => Just(Incoming::Tick),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn nothing_that_happens_makes_it_panic(
        events in prop::collection::vec(anything(), 0..120),
        ask: bool,
        alone: bool,
        depth in prop::sample::select(Depth::ALL.to_vec()),
        ascii: bool,
    ) {
        let opponent = if alone {
            Opponent::Person("Bob".to_owned())
        } else {
            Opponent::Level(Level::new(1).expect("there are ten"))
        };
        let control = Some("5+1".parse().expect("a control"));
        let preferences = Preferences {
            look: Look { depth, theme: Theme::Blue, ascii },
            ask,
            ..preferences(Pairing { opponent, control, ..pairing() })
        };
        let mut app = App::new(preferences, (80, 24), Moment(0));
        let mut sheet = Sheet::default();
        for (i, event) in events.into_iter().enumerate() {
            app.hear(event, Moment(200 * i as i64));
            let thinks = app.take_effects().into_iter().find_map(|effect| match effect {
                Effect::Think { ticket, question, .. } => Some((ticket, question)),
                _ => None,
            });
            if let Some((ticket, question)) = thinks {
                let best = question.position().legal_moves()[0];
                let verdict =
                    Verdict { best, ponder: None, lines: Vec::new(), time: Duration::ZERO };
                app.hear(Incoming::Decided { ticket, answer: Ok(verdict) }, app.now);
            }
            let (columns, rows) = app.size;
            let mut terminal = Terminal::new(TestBackend::new(columns, rows)).expect("a terminal");
            terminal.draw(|frame| draw(&app, &mut sheet, frame)).expect("it is drawn");
        }
    }
}
