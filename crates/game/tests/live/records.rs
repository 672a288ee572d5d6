//! Storing and restoring games.

use std::time::Duration;

use chess::{Color, DrawReason, Outcome, WinReason};
use game::live::{Command, End, LiveGame, Moment, Outlook, Record, RestoreError, Terms};
use game::{GameResult, Variant};

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

#[test]
fn a_game_is_written_with_clocks_and_the_way_it_ended() {
    let mut game = timed("60+1");
    play(&mut game, "e4 e5");
    let written = game.to_game(Variant::Chess960);
    let tag = |name: &str| written.tags.get(name);
    assert_eq!((tag("TimeControl"), tag("Variant")), (Some("60+1"), Some("Chess960")));
    assert_eq!((tag("Termination"), written.result), (None, GameResult::Unknown));
    assert!(written.to_string().contains("e5 { [%clk 0:01:00] }"), "{written}");
    for (end, termination) in [
        (End::Over(Outcome::Win(Color::Black, WinReason::Resignation)), Some("normal")),
        (End::Over(Outcome::Draw(DrawReason::Agreement)), Some("normal")),
        (End::Over(Outcome::Win(Color::Black, WinReason::Time)), Some("time forfeit")),
        (End::Over(Outcome::Win(Color::Black, WinReason::Forfeit)), Some("abandoned")),
        (End::Closed(GameResult::BlackWins), None),
    ] {
        let record = Record { end: Some(end), ..game.record() };
        let written = LiveGame::restore(record).expect("possible").to_game(Variant::Standard);
        assert_eq!((written.tags.get("Termination"), written.result), (termination, end.result()));
        assert_eq!(written.outcome(), end.outcome());
    }
}
