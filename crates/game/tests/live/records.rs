//! Storing and restoring games.

use std::time::Duration;

use chess::{Color, DrawReason, Outcome, WinReason};
use game::live::{Command, End, LiveGame, Moment, Outlook, Record, RestoreError, Terms};

use crate::{BLACK, WHITE, act, play, timed, untimed};

#[test]
fn a_restored_game_goes_on() {
    let mut game = timed("300+3");
    play(&mut game, "e4 e5 Nf3");
    game.act(WHITE, &Command::Draw, Moment(2_500)).expect("it may be offered");
    let mut again = LiveGame::restore(game.record()).expect("it was written by us");
    assert_eq!(again, game);
    for game in [&mut game, &mut again] {
        game.act(BLACK, &Command::play(3, "Nc6"), Moment(4_000)).expect("in time");
    }
    assert_eq!(again, game);
}

#[test]
fn premoves_wishes_and_opinions_are_not_written_but_can_be_carried_over() {
    let mut game = untimed();
    act(&mut game, BLACK, &Command::premove(1, "e5")).expect("White is to move");
    game.engine_thinks(Outlook::Centipawns(-200));
    let mut again = LiveGame::restore(game.record()).expect("it was written by us");
    assert!(!again.has_premove(Color::Black));
    again.keep_unsaved(game.clone());
    assert_eq!(again, game);
}

#[test]
fn a_record_that_can_not_be_is_refused() {
    let mut game = timed("60");
    play(&mut game, "e4 e5");
    let good = game.record();
    let refused = |change: &dyn Fn(&mut Record)| {
        let mut record = good.clone();
        change(&mut record);
        LiveGame::restore(record).expect_err("it can't be")
    };
    let e5 = good.moves[1];
    assert_eq!(refused(&|r| r.moves[0] = e5), RestoreError::IllegalMove { ply: 1 });
    let missing = RestoreError::ClockCount { clocks: 1, moves: 2 };
    assert_eq!(refused(&|r| r.lefts.truncate(1)), missing);
    let too_much = Duration::from_secs(61);
    assert_eq!(refused(&|r| r.lefts[1] = too_much), RestoreError::ImpossibleClock { ply: 2 });
    for outcome in [
        Outcome::Win(Color::White, WinReason::Checkmate),
        Outcome::Draw(DrawReason::Stalemate),
        Outcome::Draw(DrawReason::ThreefoldRepetition),
        Outcome::Draw(DrawReason::TimeWithoutMatingMaterial),
    ] {
        let error = refused(&|r| r.end = Some(End::Over(outcome)));
        assert_eq!(error, RestoreError::ImpossibleEnd(outcome));
    }
}

#[test]
fn a_mate_can_not_have_ended_by_resignation() {
    let mut game = untimed();
    play(&mut game, "f3 e5 g4 Qh4");
    let mut record = game.record();
    let resigned = Outcome::Win(Color::Black, WinReason::Resignation);
    record.end = Some(End::Over(resigned));
    assert_eq!(LiveGame::restore(record), Err(RestoreError::ImpossibleEnd(resigned)));
}

#[test]
fn a_game_from_a_file_shows_clocks_without_a_time_control() {
    let mut game = timed("60");
    play(&mut game, "e4 e5");
    let mut record = game.record();
    record.terms = Terms::default();
    let read = LiveGame::restore(record).expect("clock times alone are fine");
    assert_eq!((read.lefts().len(), read.left(Moment(0)), read.deadline()), (2, None, None));
}
