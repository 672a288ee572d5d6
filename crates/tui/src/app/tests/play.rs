//! What keys, mouse, engines and servers do.

use std::time::Duration;

use chess::Color;
use engine::Verdict;
use game::live::{Command, LiveGame, Moment, Sides, Terms};
use game::{GameResult, Variant};
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEventKind};

use super::{answer, app, asked, click, enter, mouse, moves, pairing, picture, preferences, press};
use super::{shared, shows};
use crate::app::{App, Popup, Preferences, Reviewing};
use crate::pairing::{Opponent, Pairing};
use crate::traffic::{Effect, Incoming, Kept, News, Seen};

#[test]
fn a_typed_move_is_played_and_the_engine_answers() {
    let mut app = app();
    enter(&mut app, "e4");
    assert_eq!(moves(&app), "1. e4 *");
    let ticket = asked(&mut app).expect("the engine is asked");
    assert!(app.is_thinking() && shows(&app, "thinking"));
    answer(&mut app, ticket, "e5");
    assert_eq!(moves(&app), "1. e4 e5 *");
    assert!(!app.is_thinking());
    // The same answer again is nobody's.
    let before = moves(&app);
    let best = app.study.position().parse_san("Nf3").expect("a move");
    let verdict = Verdict { best, ponder: None, lines: Vec::new(), time: Duration::ZERO };
    app.hear(Incoming::Decided { ticket, answer: Ok(verdict) }, Moment(2_000));
    assert_eq!(moves(&app), before);
}

#[test]
fn moves_are_made_with_the_mouse_by_clicks_or_by_dragging() {
    let mut app = shared();
    click(&mut app, "e2");
    assert_eq!(app.selected, Some("e2".parse().expect("a square")));
    click(&mut app, "e4");
    assert_eq!(moves(&app), "1. e4 *");
    mouse(&mut app, MouseEventKind::Down(MouseButton::Left), "g8");
    mouse(&mut app, MouseEventKind::Drag(MouseButton::Left), "f7");
    mouse(&mut app, MouseEventKind::Up(MouseButton::Left), "f6");
    assert_eq!(moves(&app), "1. e4 Nf6 *");
    click(&mut app, "e4");
    click(&mut app, "e6");
    assert!(app.notice.bad && app.selected.is_none(), "{:?}", app.notice);
}

#[test]
fn the_keyboard_can_point_at_squares() {
    let mut app = shared();
    let arrow = |app: &mut App, code| {
        let now = app.now;
        app.hear(Incoming::Key(KeyEvent::new(code, KeyModifiers::SHIFT)), now);
    };
    arrow(&mut app, KeyCode::Up);
    press(&mut app, KeyCode::Char(' '));
    arrow(&mut app, KeyCode::Up);
    arrow(&mut app, KeyCode::Up);
    press(&mut app, KeyCode::Enter);
    assert_eq!(moves(&app), "1. e4 *");
    press(&mut app, KeyCode::Esc);
    assert_eq!(app.cursor, None);
}

#[test]
fn escape_and_a_letter_read_at_once_are_both_taken() {
    let mut app = shared();
    press(&mut app, KeyCode::Char('x'));
    let now = app.now;
    app.hear(Incoming::Key(KeyEvent::new(KeyCode::Char('e'), KeyModifiers::ALT)), now);
    press(&mut app, KeyCode::Char('4'));
    press(&mut app, KeyCode::Enter);
    assert_eq!(moves(&app), "1. e4 *");
}

#[test]
fn bad_input_is_answered_and_changes_nothing() {
    let mut app = app();
    for (line, told) in [
        ("e5", "e5: not a legal move here"),
        ("hello", "hello: not a move"),
        ("draw", "The engine declines the draw"),
        ("undo", "There is no move to take back"),
        ("save", "Save needs a file"),
        ("decline", "There is no offer to decline"),
        ("accept", "There is no offer to accept"),
        ("review", "The game is not over yet"),
    ] {
        enter(&mut app, line);
        assert!(app.notice.bad && app.notice.text.starts_with(told), "{line}: {:?}", app.notice);
        assert!(shows(&app, told), "{line}");
    }
    assert_eq!(moves(&app), "*");
    assert!(app.entry.is_empty());
}

#[test]
fn tab_completes_and_what_may_follow_is_shown() {
    let mut app = app();
    press(&mut app, KeyCode::Char('n'));
    assert!(shows(&app, "> n  Na3 Nc3 Nf3 Nh3 new next"), "{:#?}", picture(&app));
    press(&mut app, KeyCode::Char('f'));
    press(&mut app, KeyCode::Tab);
    press(&mut app, KeyCode::Enter);
    assert_eq!(moves(&app), "1. Nf3 *");
}

#[test]
fn a_move_is_taken_back_even_while_the_engine_thinks() {
    let mut app = app();
    enter(&mut app, "e4");
    let ticket = asked(&mut app).expect("the engine is asked");
    enter(&mut app, "undo");
    assert_eq!(moves(&app), "*");
    assert!(app.take_effects().iter().any(|effect| matches!(effect, Effect::StopThinking)));
    enter(&mut app, "d4");
    answer(&mut app, ticket, "e5");
    assert_eq!(moves(&app), "1. d4 *", "the old answer is for another position");
}

#[test]
fn a_move_typed_on_the_engines_turn_is_a_premove() {
    let mut app = app();
    enter(&mut app, "e4");
    let ticket = asked(&mut app).expect("the engine is asked");
    enter(&mut app, "Nf3");
    assert_eq!(app.notice.text, "Premove set; Esc cancels it");
    answer(&mut app, ticket, "e5");
    assert_eq!(moves(&app), "1. e4 e5 2. Nf3 *");
    let ticket = asked(&mut app).expect("the engine is asked again");
    click(&mut app, "f1");
    click(&mut app, "b5");
    assert!(app.premove.is_some());
    press(&mut app, KeyCode::Esc);
    answer(&mut app, ticket, "Nc6");
    assert_eq!(moves(&app), "1. e4 e5 2. Nf3 Nc6 *");
}

#[test]
fn a_pawn_on_the_last_rank_asks_what_to_become() {
    let start = "8/P6k/8/8/8/8/P6K/8 w - - 0 1".parse().expect("legal");
    let opponent = Opponent::Person("Bob".to_owned());
    let pairing = Pairing { opponent, start, ..pairing() };
    let mut app = App::new(preferences(pairing), (80, 24), Moment(0));
    click(&mut app, "a7");
    click(&mut app, "a8");
    assert!(matches!(app.popup, Some(Popup::Promotion(_))) && shows(&app, "Promote to"));
    press(&mut app, KeyCode::Char('x'));
    press(&mut app, KeyCode::Char('n'));
    assert_eq!(moves(&app), "1. a8=N *");
}

#[test]
fn resigning_asks_first_and_the_game_is_reviewed_then() {
    let mut app = shared();
    for line in ["e4", "e5", "resign"] {
        enter(&mut app, line);
    }
    assert!(shows(&app, "Resign this game?"));
    press(&mut app, KeyCode::Char('n'));
    assert!(app.is_playing());
    enter(&mut app, "resign");
    press(&mut app, KeyCode::Char('y'));
    assert!(!app.is_playing());
    assert_eq!(app.study.game.result, GameResult::BlackWins);
    assert!(matches!(app.reviewing, Reviewing::Running { .. }));
    let effects = app.take_effects();
    assert!(effects.iter().any(|effect| matches!(effect, Effect::Review { .. })));
    let kept = effects.iter().filter(|effect| matches!(effect, Effect::Keep(_))).count();
    assert_eq!(kept, 3, "two moves and the end");
    enter(&mut app, "rematch");
    assert!(app.is_playing() && app.table.name(Color::White) == "Bob");
}

#[test]
fn another_game_stops_the_review() {
    for other in ["new", "paste"] {
        let mut app = shared();
        for line in ["f3", "e5", "g4", "Qh4"] {
            enter(&mut app, line);
        }
        assert!(matches!(app.reviewing, Reviewing::Running { .. }));
        app.take_effects();
        if other == "new" {
            enter(&mut app, "rematch");
        } else {
            app.hear(Incoming::Paste("1. d4 d5\n2. c4 *\n".to_owned()), Moment(2_000));
        }
        assert!(matches!(app.reviewing, Reviewing::None));
        let stopped = app.take_effects().iter().any(|effect| matches!(effect, Effect::StopReview));
        assert!(stopped, "{other}");
    }
}

#[test]
fn a_game_is_stored_from_its_first_move_on() {
    let mut app = app();
    enter(&mut app, "flip");
    assert!(!app.take_effects().iter().any(|effect| matches!(effect, Effect::Keep(_))));
    enter(&mut app, "e4");
    let begun = app.take_effects().into_iter().find_map(|effect| match effect {
        Effect::Keep(kept) => Some(kept),
        _ => None,
    });
    match begun.as_deref() {
        Some(Kept::Begun(table)) => assert_eq!(table.live.plies(), 1),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_finished_game_can_be_walked_through_and_varied() {
    let mut app = shared();
    for line in ["f3", "e5", "g4", "Qh4"] {
        enter(&mut app, line);
    }
    assert_eq!(app.notice.text, "Black wins by checkmate.");
    press(&mut app, KeyCode::Left);
    assert_eq!(app.study.main_ply(), Some(3));
    enter(&mut app, "Nc6");
    assert_eq!(moves(&app), "1. f3 e5 2. g4 Qh4# (2... Nc6) 0-1");
    assert!(shows(&app, "(2...Nc6)"), "{:#?}", picture(&app));
    press(&mut app, KeyCode::Up);
    assert!(app.study.is_at_end());
    press(&mut app, KeyCode::Home);
    assert_eq!(app.study.main_ply(), Some(0));
}

#[test]
fn an_earlier_position_of_a_running_game_is_only_for_looking() {
    let mut app = shared();
    enter(&mut app, "e4");
    press(&mut app, KeyCode::Left);
    enter(&mut app, "d4");
    assert!(app.notice.bad && app.notice.text.contains("press End"));
    press(&mut app, KeyCode::End);
    enter(&mut app, "e5");
    assert_eq!(moves(&app), "1. e4 e5 *");
}

#[test]
fn a_flag_falls_when_time_is_up() {
    let opponent = Opponent::Person("Bob".to_owned());
    let control = Some("60".parse().expect("a control"));
    let pairing = Pairing { opponent, control, ..pairing() };
    let mut app = App::new(preferences(pairing), (80, 24), Moment(0));
    enter(&mut app, "e4");
    app.hear(Incoming::Tick, Moment(30_000));
    assert!(shows(&app, " 0:30 "), "{:#?}", picture(&app));
    app.hear(Incoming::Tick, Moment(60_000));
    assert_eq!(app.notice.text, "White wins on time.");
    assert!(!app.is_playing());
    assert!(shows(&app, " 0:00 "), "{:#?}", picture(&app));
    press(&mut app, KeyCode::Left);
    assert!(!shows(&app, " 0:00 "), "the flag fell later: {:#?}", picture(&app));
}

#[test]
fn two_people_at_a_terminal_both_agree_to_a_draw() {
    let mut app = shared();
    for line in ["e4", "e5", "draw"] {
        enter(&mut app, line);
    }
    assert!(shows(&app, "agree to a draw?") && app.is_playing());
    press(&mut app, KeyCode::Char('n'));
    assert!(app.is_playing());
    press(&mut app, KeyCode::F(7));
    press(&mut app, KeyCode::Char('y'));
    assert_eq!(app.study.game.result, GameResult::Draw);
}

#[test]
fn the_form_starts_a_game_as_chosen() {
    let asking = Preferences { ask: true, ..preferences(pairing()) };
    let mut app = App::new(asking, (80, 24), Moment(0));
    assert!(!app.is_playing() && shows(&app, "New game"));
    press(&mut app, KeyCode::Char('7'));
    press(&mut app, KeyCode::Down);
    press(&mut app, KeyCode::Right);
    press(&mut app, KeyCode::Down);
    press(&mut app, KeyCode::Right);
    press(&mut app, KeyCode::Enter);
    assert_eq!(app.table.name(Color::White), "Riga, level 7");
    assert!(app.flipped && app.table.live.clock().is_some());
    assert!(asked(&mut app).is_some(), "the engine has the first move");
}

#[test]
fn a_whole_game_can_be_pasted_and_a_move_is_only_typed() {
    let mut app = app();
    app.hear(Incoming::Paste("e4\n".to_owned()), Moment(0));
    assert_eq!(app.entry.text(), "e4");
    press(&mut app, KeyCode::Esc);
    let pgn = "[White \"A\x1b[2J\"]\n[Black \"B\"]\n\n1. e4 e5 2. Nf3 *\n";
    app.hear(Incoming::Paste(pgn.replace('\n', "\r")), Moment(0));
    assert!(app.loaded && !app.is_playing());
    press(&mut app, KeyCode::End);
    assert!(shows(&app, "Nf3") && shows(&app, "A[2J"), "{:#?}", picture(&app));
    app.hear(Incoming::Paste("\x00\n\u{7f}\u{9b}x\n".to_owned()), Moment(0));
    assert!(app.notice.bad);
}

#[test]
fn a_game_on_a_server_is_shown_and_judged_there() {
    let mut app = App::remote(preferences(pairing()), (80, 24), Moment(0));
    let mut live = LiveGame::new(Terms::default());
    let names = ["Anna".to_owned(), "Bob".to_owned()];
    let sides = Sides::One(Color::Black);
    let see = |app: &mut App, live: &LiveGame| {
        let (live, names) = (live.clone(), names.clone());
        let seen = Seen { live, names, sides, variant: Variant::Standard };
        app.hear(Incoming::News(News::Seen(Box::new(seen))), Moment(5));
    };
    live.act(Sides::Both, &Command::play(0, "e4"), Moment(0)).expect("a move");
    see(&mut app, &live);
    assert!(app.flipped && shows(&app, "Anna"));
    app.take_effects();
    enter(&mut app, "e5");
    assert_eq!(moves(&app), "1. e4 *", "the server has not said so yet");
    let sent = app.take_effects().into_iter().find_map(|effect| match effect {
        Effect::Send(command) => Some(command),
        _ => None,
    });
    assert_eq!(sent, Some(Command::play(1, "e7e5")));
    live.act(Sides::Both, &Command::play(1, "e5"), Moment(0)).expect("a move");
    see(&mut app, &live);
    assert_eq!(moves(&app), "1. e4 e5 *");
    enter(&mut app, "hint");
    assert!(app.notice.bad, "no help against others");
}

#[test]
fn the_clocks_of_a_game_on_a_server_run_on_the_boards_time() {
    let mut app = App::remote(preferences(pairing()), (80, 24), Moment(0));
    let control = Some("60".parse().expect("a control"));
    let mut live = LiveGame::new(Terms { control, ..Terms::default() });
    for (ply, san) in ["e4", "e5"].into_iter().enumerate() {
        live.act(Sides::Both, &Command::play(ply, san), Moment(0)).expect("a move");
    }
    // White has thought for three seconds when the message comes.
    live.stop_clocks(Moment(3_000));
    let names = ["Anna".to_owned(), "Bob".to_owned()];
    let seen = Seen { live, names, sides: Sides::None, variant: Variant::Standard };
    app.hear(Incoming::News(News::Seen(Box::new(seen))), Moment(900_000));
    let left = app.table.live.left(Moment(901_000)).expect("clocks");
    assert_eq!(left.map(|left| left.as_secs()), [56, 60]);
}
