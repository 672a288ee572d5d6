//! Seats, rematches, and clocks while the server is down.

use std::collections::HashSet;
use std::sync::Arc;

use chess::Color;
use store::{Leaver, NewGame, Player, Seats, Secret, StoreError, Timestamp, UserId, Version};

use crate::place::{Place, friendly};

pub async fn a_secret_opens_its_seat_and_no_other(place: Arc<Place>) {
    let store = place.open().await;
    let (white, black) = (Secret::random(), Secret::random());
    let mut game = friendly();
    game.seats =
        Seats { white: Some(white.hash()), black: Some(black.hash()), open: Some(Color::Black) };
    let id = store.create_game(game).await.expect("kept");
    let seats = store.game(&id).await.expect("kept").seats;
    assert!(seats.opens(&white, Color::White) && !seats.opens(&white, Color::Black));
    assert!(seats.opens(&black, Color::Black) && !seats.opens(&black, Color::White));
    assert!(seats.swapped().opens(&white, Color::Black));
    assert!(!seats.opens(&Secret::from(String::new()), Color::White));
    assert!(!Seats::default().opens(&white, Color::White));
}

pub async fn an_open_seat_is_taken_once(place: Arc<Place>) {
    let store = place.open().await;
    let misha = store.create_user("Misha").await.expect("a new name");
    let player = Player::User { id: misha.id, name: misha.name };
    let (white, link, own) = (Secret::random(), Secret::random(), Secret::random());
    let mut game = friendly();
    game.seats =
        Seats { white: Some(white.hash()), black: Some(link.hash()), open: Some(Color::Black) };
    let id = store.create_game(game.clone()).await.expect("kept");
    let hash = own.hash();
    let wrong = store.sit(&id, Version::FIRST, Color::White, &player, Some(&hash)).await;
    assert!(matches!(wrong, Err(StoreError::Refused { what: "seat", .. })), "{wrong:?}");
    let sat = store.sit(&id, Version::FIRST, Color::Black, &player, Some(&hash)).await;
    let version = sat.expect("open");
    let kept = store.game(&id).await.expect("kept");
    assert_eq!((kept.version, kept.black, kept.seats.open), (version, player.clone(), None));
    // The link is used up: its sender can't play for the friend.
    assert!(kept.seats.opens(&own, Color::Black) && !kept.seats.opens(&link, Color::Black));
    assert!(kept.seats.opens(&white, Color::White));
    let late = store.sit(&id, version, Color::Black, &player, None).await;
    assert!(matches!(late, Err(StoreError::Refused { what: "seat", .. })), "{late:?}");
    let id = store.create_game(game).await.expect("kept");
    store.sit(&id, Version::FIRST, Color::Black, &player, None).await.expect("open");
    let seats = store.game(&id).await.expect("kept").seats;
    assert_eq!(seats, Seats { white: Some(white.hash()), black: None, open: None });
}

pub async fn the_first_rematch_counts(place: Arc<Place>) {
    let store = place.open().await;
    let over = store.create_game(friendly()).await.expect("kept");
    let wishes: Vec<_> = (0..8)
        .map(|_| {
            let (store, over) = (Arc::clone(&store), over.clone());
            tokio::spawn(async move { store.create_rematch(&over, friendly()).await })
        })
        .collect();
    let mut found = HashSet::new();
    for wish in wishes {
        found.insert(wish.await.expect("no panic").expect("kept"));
    }
    let rematch = found.iter().next().expect("a game");
    assert_eq!(found.len(), 1);
    assert_eq!(store.create_rematch(&over, friendly()).await.expect("noted"), *rematch);
    assert_eq!(store.game(&over).await.expect("kept").rematch.as_ref(), Some(rematch));
    assert_eq!(store.game(rematch).await.expect("kept").rematch, None);
    assert_eq!(store.live_games().await.expect("a list").len(), 2);
}

pub async fn a_rematch_of_a_game_that_is_gone_is_not_kept(place: Arc<Place>) {
    let store = place.open().await;
    let over = store.create_game(friendly()).await.expect("kept");
    let nameless = NewGame { white: Player::Guest { name: String::new() }, ..friendly() };
    let refused = store.create_rematch(&over, nameless).await;
    assert!(matches!(refused, Err(StoreError::Refused { .. })), "{refused:?}");
    let nobodys = NewGame { owner: Some(UserId(4711)), ..friendly() };
    let missing = store.create_rematch(&over, nobodys).await;
    assert!(matches!(missing, Err(StoreError::NotFound("user"))), "{missing:?}");
    assert_eq!(store.game(&over).await.expect("kept").rematch, None);
    store.leave_game(&over, Version::FIRST, &Leaver::default()).await.expect("it is there");
    let gone = store.create_rematch(&over, friendly()).await;
    assert!(matches!(gone, Err(StoreError::NotFound("game"))), "{gone:?}");
    assert!(store.live_games().await.expect("a list").is_empty());
}

/// A game with a running clock.
fn timed(since: i64) -> NewGame {
    let mut game = friendly();
    game.time_control = Some("60".parse().expect("a time control"));
    game.clock_running_since = Some(Timestamp(since));
    game
}

pub async fn a_clock_on_the_wall_that_was_set_back_sets_clocks_back(place: Arc<Place>) {
    let store = place.open().await;
    let since = async |id| store.game(id).await.expect("kept").clock_running_since;
    let before = store.create_game(timed(11_000)).await.expect("kept");
    // Before the first heartbeat nothing is known: the clock restarts.
    store.wake(Timestamp(11_500)).await.expect("awake");
    assert_eq!(since(&before).await, Some(Timestamp(11_500)));
    store.beat(Timestamp(12_000)).await.expect("alive");
    let after = store.create_game(timed(12_300)).await.expect("kept");
    store.wake(Timestamp(5_000)).await.expect("awake");
    assert_eq!(since(&before).await, Some(Timestamp(4_500)));
    assert_eq!(since(&after).await, Some(Timestamp(5_000)));
    // By any amount.
    store.wake(Timestamp(i64::MIN)).await.expect("awake");
    store.wake(Timestamp(i64::MAX)).await.expect("awake");
}

pub async fn clocks_stand_still_while_the_server_is_away(place: Arc<Place>) {
    let store = place.open().await;
    // A new database has no clocks to shift.
    store.wake(Timestamp(10_000)).await.expect("awake");
    let before = store.create_game(timed(11_000)).await.expect("kept");
    store.beat(Timestamp(12_000)).await.expect("alive");
    let after = store.create_game(timed(12_300)).await.expect("kept");
    let untimed = store.create_game(friendly()).await.expect("kept");
    for _ in 0..2 {
        store.wake(Timestamp(60_000)).await.expect("awake");
    }
    let mut since = Vec::new();
    for id in [&before, &after, &untimed] {
        since.push(store.game(id).await.expect("kept").clock_running_since.map(|at| at.0));
    }
    assert_eq!(since, [Some(59_000), Some(60_000), None]);
}
