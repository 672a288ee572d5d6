//! Premoves.

use std::time::Duration;

use chess::Color;
use game::live::{Command, Event, Moment, Refusal, Sides};

use crate::{BLACK, WHITE, act, play, played, timed, untimed};

#[test]
fn a_premove_is_played_in_no_time() {
    let mut game = timed("60");
    game.act(BLACK, &Command::premove(1, "e7e5"), Moment(0)).expect("White is to move");
    assert_eq!(game.due(Moment(0)), None);
    game.act(WHITE, &Command::play(0, "e4"), Moment(5_000)).expect("in time");
    // The server was slow; the premove still takes no time.
    let event = game.due(Moment(5_300)).expect("its moment has come");
    game.apply(&event, Moment(5_300));
    let reply = played(Some(event));
    assert!(reply.premove);
    assert_eq!((reply.thought, reply.left), (Duration::ZERO, Some(Duration::from_mins(1))));
    assert_eq!((game.plies(), game.due(Moment(5_300))), (2, None));
}

#[test]
fn a_premove_that_is_not_legal_is_forgotten() {
    let mut game = untimed();
    act(&mut game, BLACK, &Command::premove(1, "e5e4")).expect("White is to move");
    play(&mut game, "e4");
    let event = game.due(Moment(0)).expect("its moment has come");
    assert_eq!(event, Event::PremoveFailed { by: Color::Black });
    game.apply(&event, Moment(0));
    assert_eq!((game.plies(), game.due(Moment(0))), (1, None));
}

#[test]
fn a_premove_is_for_the_next_turn_of_the_side_that_waits() {
    let mut game = untimed();
    assert_eq!(act(&mut game, WHITE, &Command::premove(1, "e4")), Err(Refusal::NotYourTurn));
    assert_eq!(act(&mut game, Sides::Both, &Command::premove(1, "e5")), Err(Refusal::NotYourTurn));
    assert_eq!(act(&mut game, BLACK, &Command::premove(3, "e5")), Err(Refusal::WrongPly));
    assert_eq!(act(&mut game, BLACK, &Command::premove(0, "e5")), Err(Refusal::WrongPly));
}

#[test]
fn a_premove_that_comes_after_the_other_sides_move_is_a_move() {
    let mut game = untimed();
    play(&mut game, "e4");
    let event = act(&mut game, BLACK, &Command::premove(1, "e7e5")).expect("it is Black's turn");
    assert!(matches!(event, Some(Event::Played(played)) if !played.premove));
    assert_eq!(game.plies(), 2);
}

#[test]
fn a_premove_is_replaced_cancelled_and_forgotten() {
    let mut game = untimed();
    act(&mut game, BLACK, &Command::premove(1, "e5")).expect("White is to move");
    act(&mut game, BLACK, &Command::premove(1, "c5")).expect("it is replaced");
    assert_eq!(act(&mut game, WHITE, &Command::CancelPremove), Ok(None));
    assert!(game.has_premove(Color::Black));
    act(&mut game, BLACK, &Command::CancelPremove).expect("it is cancelled");
    assert!(!game.has_premove(Color::Black));
    act(&mut game, BLACK, &Command::premove(1, "c5")).expect("White is to move");
    game.forget_premove(Color::Black);
    play(&mut game, "e4");
    assert_eq!(game.due(Moment(0)), None);
}

#[test]
fn takebacks_and_the_end_forget_premoves() {
    let mut game = untimed();
    play(&mut game, "e4 e5");
    act(&mut game, BLACK, &Command::premove(3, "Nc6")).expect("White is to move");
    let mut back = game.clone();
    act(&mut back, Sides::Both, &Command::TakeBack).expect("a move was played");
    assert!(!back.has_premove(Color::Black));
    act(&mut game, WHITE, &Command::Resign).expect("it goes on");
    assert!(!game.has_premove(Color::Black));
}

#[test]
fn two_premoves_follow_each_other() {
    let mut game = untimed();
    act(&mut game, BLACK, &Command::premove(1, "e5")).expect("White is to move");
    play(&mut game, "e4");
    act(&mut game, WHITE, &Command::premove(2, "Nf3")).expect("Black is to move");
    while let Some(event) = game.due(Moment(0)) {
        game.apply(&event, Moment(0));
    }
    assert_eq!(game.plies(), 3);
}

#[test]
fn what_is_no_move_is_no_premove_and_replaces_none() {
    let mut game = untimed();
    act(&mut game, BLACK, &Command::premove(1, "e7e5")).expect("White is to move");
    let refused = act(&mut game, BLACK, &Command::premove(1, "hello"));
    assert!(matches!(refused, Err(Refusal::IllegalMove { .. })), "{refused:?}");
    play(&mut game, "e4");
    assert!(played(game.due(Moment(0))).premove);
}
