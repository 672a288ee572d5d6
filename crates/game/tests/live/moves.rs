//! Who may move, and when.

use chess::{Color, SanError};
use game::live::{Command, Entered, Event, LiveGame, Moment, Refusal, Sides, Terms};

use crate::{BLACK, WHITE, act, from_fen, play, played, untimed};

#[test]
fn sides_move_in_turn_and_spectators_never() {
    let mut game = untimed();
    assert_eq!(act(&mut game, Sides::None, &Command::play(0, "e4")), Err(Refusal::NotAPlayer));
    assert_eq!(act(&mut game, BLACK, &Command::play(0, "e5")), Err(Refusal::NotYourTurn));
    let event = act(&mut game, WHITE, &Command::play(0, "e4")).expect("White is to move");
    assert_eq!((played(event).by, game.turn()), (Color::White, Color::Black));
    assert_eq!(act(&mut game, WHITE, &Command::play(1, "d4")), Err(Refusal::NotYourTurn));
    act(&mut game, Sides::Both, &Command::play(1, "e5")).expect("a shared board plays both");
}

#[test]
fn an_illegal_move_is_refused_with_the_reason() {
    let mut game = untimed();
    let refusal = act(&mut game, WHITE, &Command::play(0, "e5")).expect_err("not legal");
    let why = SanError::Illegal;
    assert_eq!(refusal, Refusal::IllegalMove { entered: Entered::from("e5"), why });
    assert_eq!(refusal.to_string(), "e5: not a legal move here");
    assert_eq!(game, untimed());
}

#[test]
fn a_move_that_comes_again_is_done_and_not_played_twice() {
    let mut game = untimed();
    play(&mut game, "e4 e5");
    assert_eq!(act(&mut game, WHITE, &Command::play(0, "e2e4")), Ok(None));
    assert_eq!(act(&mut game, BLACK, &Command::play(0, "e4")), Err(Refusal::WrongPly));
    assert_eq!(act(&mut game, WHITE, &Command::play(0, "d4")), Err(Refusal::WrongPly));
    assert_eq!(act(&mut game, WHITE, &Command::play(4, "d4")), Err(Refusal::WrongPly));
    assert_eq!(game.plies(), 2);
}

#[test]
fn the_last_move_may_come_again_after_the_end() {
    let mut game = untimed();
    play(&mut game, "f3 e5 g4 Qh4");
    assert_eq!(act(&mut game, BLACK, &Command::play(3, "Qh4#")), Ok(None));
    assert_eq!(act(&mut game, WHITE, &Command::play(4, "e4")), Err(Refusal::Over));
}

#[test]
fn nothing_is_played_before_the_other_player_has_come() {
    let mut game = LiveGame::new(Terms { waiting: true, ..Terms::default() });
    assert!(game.is_waiting());
    for command in
        [Command::play(0, "e4"), Command::Draw, Command::Resign, Command::premove(1, "e5")]
    {
        assert_eq!(act(&mut game, WHITE, &command), Err(Refusal::NotBegun));
    }
    game.begin();
    play(&mut game, "e4");
}

#[test]
fn judging_a_command_changes_nothing() {
    let mut game = untimed();
    play(&mut game, "e4");
    let before = game.clone();
    let event = game.judge(BLACK, &Command::play(1, "e5"), Moment(5)).expect("legal");
    assert_eq!(game, before);
    game.apply(&event.expect("a move"), Moment(5));
    assert_ne!(game, before);
}

#[test]
fn the_outcome_comes_with_the_move_that_brings_it_about() {
    let mut game = untimed();
    play(&mut game, "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1");
    let event = act(&mut game, BLACK, &Command::play(15, "Ng8")).expect("legal");
    let outcome = played(event).outcome.expect("the fifth repetition");
    assert_eq!(outcome.to_string(), "Draw by fivefold repetition");
    assert_eq!((game.outcome(), game.is_live()), (Some(outcome), false));

    let mut game = from_fen("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1");
    play(&mut game, "Qf7");
    assert_eq!(game.outcome().expect("stalemate").to_string(), "Draw by stalemate");

    let mut game = from_fen("7k/8/6K1/8/8/8/8/5R2 w - - 149 100");
    play(&mut game, "Rf2");
    let outcome = game.outcome().expect("seventy-five moves");
    assert_eq!(outcome.to_string(), "Draw by the seventy-five-move rule");
}

#[test]
fn only_what_the_store_must_write_is_stored() {
    let mut game = untimed();
    let premove = act(&mut game, BLACK, &Command::premove(1, "e5")).expect("White is to move");
    assert!(!premove.expect("an event").is_stored());
    let e4 = act(&mut game, WHITE, &Command::play(0, "e4")).expect("legal");
    assert!(e4.expect("an event").is_stored());
    let offer = act(&mut game, WHITE, &Command::Draw).expect("it may be offered");
    assert!(matches!(&offer, Some(event @ Event::Offered(_)) if event.is_stored()));
}
