//! Draws, takebacks, rematches, and the engine's answers.

use chess::Color;
use game::live::{Action, Command, Event, LiveGame, Moment, Offer, Outlook, Refusal, Sides, Terms};

use crate::{BLACK, WHITE, act, against_engine, play, untimed};

#[test]
fn a_draw_is_offered_and_accepted() {
    let mut game = untimed();
    act(&mut game, WHITE, &Command::Draw).expect("it may be offered");
    assert_eq!(game.offer(), Some(Offer::draw(Color::White)));
    assert_eq!(act(&mut game, WHITE, &Command::Draw), Ok(None));
    act(&mut game, BLACK, &Command::Draw).expect("it is accepted");
    assert_eq!(game.outcome().expect("a draw").to_string(), "Draw by agreement");
    assert_eq!(game.offer(), None);
}

#[test]
fn an_offer_stands_until_the_other_side_moves() {
    let mut game = untimed();
    act(&mut game, WHITE, &Command::Draw).expect("it may be offered");
    play(&mut game, "e4");
    assert_eq!(game.offer(), Some(Offer::draw(Color::White)));
    play(&mut game, "e5");
    assert_eq!(game.offer(), None);
}

#[test]
fn an_offer_is_declined_or_withdrawn() {
    let mut game = untimed();
    for by in [WHITE, BLACK] {
        act(&mut game, WHITE, &Command::Draw).expect("it may be offered");
        assert_eq!(act(&mut game, by, &Command::Decline), Ok(Some(Event::Offered(None))));
        assert_eq!(act(&mut game, by, &Command::Decline), Err(Refusal::NoOffer));
    }
}

#[test]
fn one_offer_does_not_hide_another() {
    let mut game = untimed();
    play(&mut game, "e4 e5");
    act(&mut game, WHITE, &Command::Draw).expect("it may be offered");
    assert_eq!(act(&mut game, BLACK, &Command::TakeBack), Err(Refusal::AnswerFirst));
    act(&mut game, WHITE, &Command::TakeBack).expect("one's own offer may be replaced");
    assert_eq!(game.offer(), Some(Offer::take_back(Color::White)));
    assert_eq!(act(&mut game, BLACK, &Command::Draw), Err(Refusal::AnswerFirst));
}

#[test]
fn a_takeback_goes_back_to_the_turn_of_the_side_that_asked() {
    for (asks, grants, left) in [(WHITE, BLACK, 2), (BLACK, WHITE, 1)] {
        let mut game = untimed();
        play(&mut game, "e4 e5 Nf3");
        act(&mut game, asks, &Command::TakeBack).expect("it may be asked for");
        act(&mut game, grants, &Command::TakeBack).expect("it is granted");
        assert_eq!((game.plies(), game.offer()), (left, None));
    }
}

#[test]
fn a_side_without_a_move_has_nothing_to_take_back() {
    let mut game = untimed();
    assert_eq!(act(&mut game, WHITE, &Command::TakeBack), Err(Refusal::NothingToTakeBack));
    play(&mut game, "e4");
    assert_eq!(act(&mut game, BLACK, &Command::TakeBack), Err(Refusal::NothingToTakeBack));
    assert_eq!(act(&mut game, Sides::None, &Command::TakeBack), Err(Refusal::NotAPlayer));
}

#[test]
fn a_shared_board_and_the_engine_take_back_at_once() {
    let mut game = untimed();
    play(&mut game, "e4 e5 Nf3");
    act(&mut game, Sides::Both, &Command::TakeBack).expect("at once");
    assert_eq!(game.plies(), 2);
    let mut game = against_engine();
    play(&mut game, "e4 e5");
    act(&mut game, WHITE, &Command::TakeBack).expect("at once");
    assert_eq!(game.plies(), 0);
    // Even during the engine's search.
    play(&mut game, "d4");
    act(&mut game, WHITE, &Command::TakeBack).expect("at once");
    assert_eq!(game.plies(), 0);
}

#[test]
fn a_takeback_makes_the_game_unrated() {
    let mut game = LiveGame::new(Terms { rated: true, ..Terms::default() });
    play(&mut game, "e4");
    act(&mut game, WHITE, &Command::TakeBack).expect("it may be asked for");
    assert!(game.is_rated());
    act(&mut game, BLACK, &Command::TakeBack).expect("it is granted");
    assert!(!game.is_rated());
    act(&mut game, WHITE, &Command::Resign).expect("it goes on");
    assert!(!game.rematch().is_rated());
}

#[test]
fn a_shared_board_draws_at_once() {
    let mut game = untimed();
    act(&mut game, Sides::Both, &Command::Draw).expect("both agree");
    assert!(!game.is_live());
}

#[test]
fn the_engine_declines_until_it_is_worse() {
    let mut game = against_engine();
    play(&mut game, "e4 e5");
    assert_eq!(act(&mut game, WHITE, &Command::Draw), Err(Refusal::EnginePlaysOn));
    game.engine_thinks(Outlook::Centipawns(5));
    assert_eq!(act(&mut game, WHITE, &Command::Draw), Err(Refusal::EnginePlaysOn));
    game.engine_thinks(Outlook::Centipawns(-120));
    act(&mut game, WHITE, &Command::Draw).expect("it accepts");
    assert_eq!(game.outcome().expect("a draw").to_string(), "Draw by agreement");
}

#[test]
fn a_rematch_needs_both_sides_and_changes_them() {
    let mut game = untimed();
    assert_eq!(act(&mut game, WHITE, &Command::Rematch), Err(Refusal::NotOver));
    play(&mut game, "f3 e5 g4 Qh4");
    let offered = Event::RematchOffered { by: Color::White };
    assert_eq!(act(&mut game, WHITE, &Command::Rematch), Ok(Some(offered)));
    assert_eq!(act(&mut game, WHITE, &Command::Rematch), Ok(None));
    assert_eq!(act(&mut game, BLACK, &Command::Rematch), Ok(Some(Event::RematchAgreed)));
    // A repeated request is answered again.
    assert_eq!(act(&mut game, WHITE, &Command::Rematch), Ok(Some(Event::RematchAgreed)));
}

#[test]
fn a_rematch_is_declined_and_offered_again() {
    let mut game = untimed();
    play(&mut game, "f3 e5 g4 Qh4");
    assert_eq!(act(&mut game, BLACK, &Command::Decline), Err(Refusal::Over));
    act(&mut game, WHITE, &Command::Rematch).expect("it is over");
    let actions = game.actions(Color::Black, Moment(0));
    assert_eq!(actions, [Action::Decline, Action::Rematch]);
    let declined = act(&mut game, BLACK, &Command::Decline).expect("White has offered one");
    assert_eq!(declined, Some(Event::RematchDeclined));
    let offered = Event::RematchOffered { by: Color::Black };
    assert_eq!(act(&mut game, BLACK, &Command::Rematch), Ok(Some(offered)));
    assert_eq!(act(&mut game, WHITE, &Command::Rematch), Ok(Some(Event::RematchAgreed)));
}

#[test]
fn the_engine_agrees_to_a_rematch_and_plays_the_other_side() {
    let mut game = against_engine();
    act(&mut game, WHITE, &Command::Resign).expect("it goes on");
    assert_eq!(act(&mut game, WHITE, &Command::Rematch), Ok(Some(Event::RematchAgreed)));
    let next = game.rematch();
    assert_eq!((next.engine(), next.is_engines_turn()), (Some(Color::White), true));
}

#[test]
fn what_a_side_may_do_is_what_is_not_refused() {
    let actions = |game: &LiveGame, color| game.actions(color, Moment(0));
    let mut game = untimed();
    play(&mut game, "e4");
    let white = actions(&game, Color::White);
    assert_eq!(white, [Action::Draw, Action::TakeBack, Action::Resign, Action::Abort]);
    let black = actions(&game, Color::Black);
    assert_eq!(black, [Action::Draw, Action::Resign, Action::Abort]);
    play(&mut game, "e5");
    act(&mut game, WHITE, &Command::TakeBack).expect("it may be asked for");
    let black = actions(&game, Color::Black);
    assert_eq!(black, [Action::TakeBack, Action::Decline, Action::Resign]);
    act(&mut game, BLACK, &Command::Resign).expect("it goes on");
    assert_eq!(actions(&game, Color::White), [Action::Rematch]);
    let mut game = against_engine();
    play(&mut game, "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8");
    let white = actions(&game, Color::White);
    assert_eq!(white, [Action::Draw, Action::TakeBack, Action::ClaimDraw, Action::Resign]);
}
