//! Clocks and flags.

use std::time::Duration;

use chess::Color;
use game::live::{Command, Event, LiveGame, Moment, Refusal, Sides, Terms};

use crate::{BLACK, WHITE, played, timed};

/// Both clocks, in seconds.
fn seconds(game: &LiveGame, now: Moment) -> [u64; 2] {
    game.left(now).expect("there are clocks").map(|left| left.as_secs())
}

#[test]
fn the_first_move_is_free_and_starts_the_other_clock() {
    let mut game = timed("60+2");
    assert_eq!((game.deadline(), game.clock_runs()), (None, None));
    assert_eq!(game.due(Moment(1_000_000)), None);
    let event = game.act(WHITE, &Command::play(0, "e4"), Moment(500_000)).expect("in time");
    assert_eq!(played(event).left, Some(Duration::from_secs(62)));
    assert_eq!(game.clock_runs(), Some(Color::Black));
    assert_eq!(game.deadline(), Some(Moment(560_000)));
    assert_eq!(seconds(&game, Moment(510_000)), [62, 50]);
}

#[test]
fn a_clock_runs_from_the_moment_at_which_the_move_is_applied() {
    let mut game = timed("60");
    let event = game.judge(WHITE, &Command::play(0, "e4"), Moment(0)).expect("in time");
    // The disk took three seconds, which neither player is charged.
    game.apply(&event.expect("a move"), Moment(3_000));
    assert_eq!(seconds(&game, Moment(3_000)), [60, 60]);
    let event = game.act(BLACK, &Command::play(1, "e5"), Moment(5_000)).expect("in time");
    let reply = played(event);
    assert_eq!(reply.thought, Duration::from_secs(2));
    assert_eq!(reply.left, Some(Duration::from_secs(58)));
    assert_eq!(reply.running_since, Some(Moment(5_000)));
}

#[test]
fn a_flag_falls_by_itself_and_everything_after_it_is_too_late() {
    let mut game = timed("60");
    game.act(WHITE, &Command::play(0, "e4"), Moment(0)).expect("in time");
    let before = Moment(59_999);
    assert_eq!(game.due(before), None);
    assert_eq!(game.act(WHITE, &Command::ClaimTime, before), Err(Refusal::TimeLeft));
    let flag = game.deadline().expect("a clock runs");
    for command in [Command::play(1, "e5"), Command::Resign, Command::Draw, Command::TakeBack] {
        assert_eq!(game.act(BLACK, &command, flag), Err(Refusal::TimeUp));
    }
    let event = game.due(flag).expect("the flag has fallen");
    game.apply(&event, flag);
    assert_eq!(game.outcome().expect("it is over").to_string(), "White wins by time");
    assert_eq!(game.act(BLACK, &Command::play(1, "e5"), flag), Err(Refusal::Over));
    assert_eq!((game.due(flag), game.deadline()), (None, None));
    assert_eq!(seconds(&game, Moment(99_999)), [60, 0]);
}

#[test]
fn a_fallen_flag_can_be_claimed() {
    let mut game = timed("60");
    game.act(WHITE, &Command::play(0, "e4"), Moment(0)).expect("in time");
    let event = game.act(WHITE, &Command::ClaimTime, Moment(60_000)).expect("it has fallen");
    assert!(matches!(event, Some(Event::Ended(_))));
    assert!(!game.is_live());
}

#[test]
fn time_is_a_draw_against_a_bare_king() {
    let start = "7k/8/8/8/8/8/1R6/K7 w - - 0 1".parse().expect("a legal FEN");
    let control = Some("60".parse().expect("a time control"));
    let mut game = LiveGame::new(Terms { start, control, ..Terms::default() });
    game.act(WHITE, &Command::play(0, "Rb3"), Moment(0)).expect("in time");
    game.act(BLACK, &Command::play(1, "Kg7"), Moment(0)).expect("in time");
    let event = game.due(Moment(60_000)).expect("the flag has fallen");
    game.apply(&event, Moment(60_000));
    let outcome = game.outcome().expect("it is over").to_string();
    assert_eq!(outcome, "Draw: time is up, but the other side can't mate");
}

#[test]
fn a_takeback_brings_the_clocks_back() {
    let mut game = timed("2/60+2:30");
    let mut now = Moment(0);
    let mut clocks = vec![seconds(&game, now)];
    for text in ["e4", "e5", "Nf3", "Nc6", "Bb5"] {
        now = now.after(Duration::from_secs(7));
        let (by, ply) = (Sides::One(game.turn()), game.plies());
        game.act(by, &Command::play(ply, text), now).expect("in time");
        clocks.push(seconds(&game, now));
    }
    for before in clocks.into_iter().rev().skip(1) {
        now = now.after(Duration::from_secs(3));
        let event = game.act(Sides::Both, &Command::TakeBack, now).expect("a move was played");
        assert!(matches!(event, Some(Event::TookBack(back)) if back.plies == 1));
        assert_eq!(seconds(&game, now), before);
    }
    assert_eq!((game.plies(), game.clock_runs()), (0, None));
}

#[test]
fn the_clock_stops_when_the_game_ends() {
    let mut game = timed("60");
    game.act(WHITE, &Command::play(0, "e4"), Moment(0)).expect("in time");
    game.act(WHITE, &Command::Resign, Moment(4_000)).expect("it goes on");
    assert_eq!(seconds(&game, Moment(50_000)), [60, 56]);
}

#[test]
fn no_time_is_charged_while_the_clocks_are_stopped() {
    let mut game = timed("60");
    game.act(WHITE, &Command::play(0, "e4"), Moment(0)).expect("in time");
    game.stop_clocks(Moment(50_000));
    assert_eq!((game.deadline(), game.clock_runs()), (None, None));
    assert_eq!(game.due(Moment(1_000_000)), None);
    assert_eq!(seconds(&game, Moment(1_000_000)), [60, 10]);
    // It is noticed late that they should have been stopped earlier.
    game.stop_clocks(Moment(40_000));
    game.stop_clocks(Moment(45_000));
    assert_eq!(seconds(&game, Moment(1_000_000)), [60, 20]);
    game.start_clocks(Moment(1_000_000));
    assert_eq!(game.clock_runs(), Some(Color::Black));
    assert_eq!(game.deadline(), Some(Moment(1_020_000)));
    game.start_clocks(Moment(2_000_000));
    assert_eq!(game.deadline(), Some(Moment(1_020_000)));
    let event = game.act(BLACK, &Command::play(1, "e5"), Moment(1_005_000)).expect("in time");
    assert_eq!(played(event).left, Some(Duration::from_secs(15)));
}

#[test]
fn a_move_can_be_played_while_the_clocks_are_stopped() {
    let mut game = timed("60");
    game.act(WHITE, &Command::play(0, "e4"), Moment(0)).expect("in time");
    game.stop_clocks(Moment(30_000));
    let event = game.act(BLACK, &Command::play(1, "e5"), Moment(90_000)).expect("in time");
    assert_eq!(played(event).left, Some(Duration::from_secs(30)));
    assert_eq!(seconds(&game, Moment(100_000)), [60, 30]);
    game.start_clocks(Moment(100_000));
    assert_eq!(seconds(&game, Moment(110_000)), [50, 30]);
}

#[test]
fn a_flag_that_fell_before_the_clocks_were_stopped_falls_again() {
    let mut game = timed("60");
    game.act(WHITE, &Command::play(0, "e4"), Moment(0)).expect("in time");
    game.stop_clocks(Moment(61_000));
    assert_eq!(game.due(Moment(70_000)), None);
    game.start_clocks(Moment(80_000));
    assert!(game.due(Moment(80_000)).is_some());
}

#[test]
fn a_reloaded_game_keeps_the_start_of_its_clock() {
    let mut game = timed("60");
    let event = game.judge(WHITE, &Command::play(0, "e4"), Moment(0)).expect("in time");
    let event = event.expect("a move");
    let mut stored = game.clone();
    stored.apply(&event, Moment(0));
    game.apply(&event, Moment(3_000));
    let mut again = LiveGame::restore(stored.record()).expect("the same game");
    again.keep_unsaved(game.clone());
    assert_eq!(again, game);
}
