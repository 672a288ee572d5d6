//! Games that end other than by a move.

use chess::Color;
use game::GameResult;
use game::live::{Command, End, Event, LiveGame, Refusal, Sides, Terms};

use crate::{BLACK, WHITE, act, play, untimed};

#[test]
fn a_side_resigns_at_any_time() {
    let mut game = untimed();
    act(&mut game, BLACK, &Command::Resign).expect("it goes on");
    assert_eq!(game.outcome().expect("it is over").to_string(), "White wins by resignation");
    assert_eq!(game.result(), GameResult::WhiteWins);
    // At a shared board the side to move resigns.
    let mut game = untimed();
    play(&mut game, "e4");
    act(&mut game, Sides::Both, &Command::Resign).expect("it goes on");
    assert_eq!(game.outcome().and_then(chess::Outcome::winner), Some(Color::White));
}

#[test]
fn a_draw_is_claimed_by_the_side_to_move() {
    let mut game = untimed();
    play(&mut game, "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1");
    assert_eq!(act(&mut game, BLACK, &Command::ClaimDraw), Err(Refusal::NoDrawToClaim));
    play(&mut game, "Ng8");
    assert_eq!(act(&mut game, BLACK, &Command::ClaimDraw), Err(Refusal::NotYourTurn));
    act(&mut game, WHITE, &Command::ClaimDraw).expect("the third repetition");
    let outcome = game.outcome().expect("it is over").to_string();
    assert_eq!(outcome, "Draw by threefold repetition");
}

#[test]
fn a_game_is_aborted_until_both_sides_have_moved() {
    for (moves, by) in [("", BLACK), ("e4", WHITE)] {
        let mut game = LiveGame::new(Terms { rated: true, ..Terms::default() });
        play(&mut game, moves);
        let event = act(&mut game, by, &Command::Abort).expect("it is early");
        assert!(matches!(event, Some(Event::Ended(ended)) if ended.end == End::ABORTED));
        assert_eq!((game.outcome(), game.result()), (None, GameResult::Unknown));
        assert!(!game.is_live() && !game.is_rated());
    }
    let mut game = untimed();
    play(&mut game, "e4 e5");
    assert_eq!(act(&mut game, WHITE, &Command::Abort), Err(Refusal::TooLateToAbort));
}

#[test]
fn an_invitation_is_withdrawn() {
    let mut game = LiveGame::new(Terms { waiting: true, ..Terms::default() });
    assert_eq!(act(&mut game, Sides::None, &Command::Abort), Err(Refusal::NotAPlayer));
    act(&mut game, WHITE, &Command::Abort).expect("nobody has come");
    assert!(!game.is_waiting() && !game.is_live());
}

#[test]
fn nothing_but_a_rematch_follows_the_end() {
    let mut game = untimed();
    play(&mut game, "f3 e5 g4 Qh4");
    for command in [
        Command::play(4, "e4"),
        Command::premove(5, "e4"),
        Command::Draw,
        Command::TakeBack,
        Command::Decline,
        Command::ClaimDraw,
        Command::ClaimTime,
        Command::Resign,
        Command::Abort,
    ] {
        assert_eq!(act(&mut game, WHITE, &command), Err(Refusal::Over));
    }
    act(&mut game, WHITE, &Command::Rematch).expect("it may be asked for");
}
