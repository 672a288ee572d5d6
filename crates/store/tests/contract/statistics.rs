//! A user's results.

use std::sync::Arc;

use chess::{Color, Outcome, Position, WinReason};
use game::live::End;
use game::{GameResult, Level, Speed};
use store::{Month, NewGame, Pace, Player, Seats, Secret, Statistics, Tally, Timestamp, UserId};

use crate::place::{LEVEL_3, Place, line, player, read};

pub async fn wins_and_losses_are_counted_by_everything(place: Arc<Place>) {
    let store = place.open().await;
    let user = store.create_user("Misha").await.expect("a new name");
    let other = store.create_user("Other").await.expect("a new name");
    let us = || player(&user);
    let level = |number| Level::new(number).expect("there are ten");
    let win = |color| Some(End::Over(Outcome::Win(color, WinReason::Resignation)));
    let draw = Some(End::Closed(GameResult::Draw));
    let may = Timestamp::from_date(1960, 5, 7).expect("a day");
    let june = Timestamp::from_date(1960, 6, 30).expect("a day");
    for (white, black, state, control, moves, played_at) in [
        (us(), LEVEL_3, win(Color::White), Some("180+2"), "e4 c5", may),
        (us(), LEVEL_3, win(Color::Black), Some("180+2"), "e4 c5", june),
        (LEVEL_3, us(), draw, Some("600"), "e4 c5", june),
        (Player::engine(level(5)), us(), win(Color::Black), None, "d4 d5", june),
        (player(&other), us(), win(Color::White), None, "d4 d5", june),
        // These don't count: live, aborted, another user's.
        (us(), LEVEL_3, None, None, "e4", june),
        (us(), LEVEL_3, Some(End::Closed(GameResult::Unknown)), None, "e4", june),
        (player(&other), LEVEL_3, win(Color::White), None, "e4", june),
    ] {
        let mut new = NewGame::live(Position::default(), white, black);
        new.line = line(moves);
        new.end = state;
        new.time_control = control.map(|text| text.parse().expect("a time control"));
        new.played_at = Some(played_at);
        store.create_game(new).await.expect("kept");
    }
    // Nor does a game of two people at one board, who share a seat.
    let friend = Player::Guest { name: "Friend".to_owned() };
    let mut shared = NewGame::live(Position::default(), us(), friend);
    let seat = Some(Secret::random().hash());
    shared.seats = Seats { white: seat.clone(), black: seat, open: None };
    shared.end = win(Color::White);
    store.create_game(shared).await.expect("kept");
    let imported = read("[White \"Misha\"]\n\n1. e4 1-0").remove(0);
    store
        .import(&mut [NewGame::imported(&imported)].into_iter(), Pace::Fast)
        .await
        .expect("imported");
    let tally = |won, drawn, lost| Tally { played: won + drawn + lost, won, drawn, lost };
    let found = store.statistics(user.id, 10).await.expect("counted");
    assert_eq!(found.all, tally(2, 1, 2));
    assert_eq!(found.by_level, [(level(3), tally(1, 1, 1)), (level(5), tally(1, 0, 0))]);
    assert_eq!(found.by_color, [(Color::Black, tally(1, 1, 1)), (Color::White, tally(1, 0, 1))]);
    assert_eq!(
        found.by_speed,
        [
            (None, tally(1, 0, 1)),
            (Some(Speed::Blitz), tally(1, 0, 1)),
            (Some(Speed::Rapid), tally(0, 1, 0)),
        ]
    );
    let mut controls = found.by_time_control.clone();
    controls.sort_by(|a, b| a.0.cmp(&b.0));
    assert_eq!(
        controls,
        [
            (None, tally(1, 0, 1)),
            (Some("180+2".to_owned()), tally(1, 0, 1)),
            (Some("600".to_owned()), tally(0, 1, 0)),
        ]
    );
    let openings: Vec<_> =
        found.by_opening.iter().map(|(opening, score)| (&*opening.eco, *score)).collect();
    assert_eq!(openings, [("B20", tally(1, 1, 1)), ("D00", tally(1, 0, 1))]);
    let month = |month| Month { year: 1960, month };
    assert_eq!(found.by_month, [(month(5), tally(1, 0, 0)), (month(6), tally(1, 1, 2))]);
    assert_eq!(found.by_month[0].0.to_string(), "1960-05");
    let few = store.statistics(user.id, 1).await.expect("counted");
    assert_eq!((few.by_opening.len(), few.by_time_control.len()), (1, 1));
    let nobody = store.statistics(UserId(4711), 10).await.expect("counted");
    assert_eq!(nobody, Statistics::default());
}
